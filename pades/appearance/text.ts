/**
 * Text from untrusted people made harmless for one line of a page (ISO 32000-2, 9.4: what is
 * shown is what is meant).
 */

/** Marks stacked on one letter beyond this many would run over the lines above and below. */
const MAX_STACKED_MARKS = 3
/** Limit for marks that belong to one script, such as vowel signs: Burmese has up to seven. */
const MAX_SIGNS = 8

/**
 * Letters of European languages and usual punctuation are composed already. A soft hyphen, and
 * control and format characters are not among them.
 */
const PLAIN = /^[\x20-\x7E\u00A0-\u00AC\u00AE-\u017F\u2010-\u2027\u2030-\u205E\u20AC]*$/
const LINE_ENDS = /[\t\n\v\f\r\u0085\u2028\u2029]+/gu
/** Without a glyph of their own; joiners are judged by what is beside them. */
const INVISIBLE = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu
/** Scripts in which a joiner or non-joiner belongs to the spelling: it changes letters there. */
const JOINING_SCRIPTS =
  'Arab Syrc Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Mong'.split(' ')
const JOINING = `[${JOINING_SCRIPTS.map((script) => `\\p{Script=${script}}`).join('')}]`
const JOINERS = new RegExp(`(${JOINING}\\p{Mn}?)?([\\u200C\\u200D]+)(?=(${JOINING})?)`, 'gu')
/** Marks of no script of their own (accents, points): what defaces a page is made of them. */
const ACCENT = '(?:(?=\\p{Script=Inherited})\\p{M})'
const EXCESS_MARKS = new RegExp(`(${ACCENT}{${MAX_STACKED_MARKS}})${ACCENT}+`, 'gu')
const EXCESS_SIGNS = new RegExp(`(\\p{M}{${MAX_SIGNS}})\\p{M}+`, 'gu')
// The no-break spaces stay what they are: they say where a line must not end.
const ODD_SPACES = /[\u1680\u2000-\u200A\u205F\u3000]/gu

/**
 * Returns the text as one line of visible characters: composed (NFC), without control characters,
 * direction overrides, zero-width characters and variation selectors; line ends become spaces. A
 * single joiner stays between letters of scripts that are spelled with it.
 */
export function cleanText(text: string): string {
  if (PLAIN.test(text)) return text
  return text
    .toWellFormed()
    .replace(LINE_ENDS, ' ')
    .replace(INVISIBLE, '')
    .replace(JOINERS, keepJoiner)
    .replace(ODD_SPACES, ' ')
    .normalize('NFC')
    .replace(EXCESS_MARKS, '$1')
    .replace(EXCESS_SIGNS, '$1')
}

/** Keeps a single joiner between two letters that it changes. */
function keepJoiner(
  _: string,
  before: string | undefined,
  joiners: string,
  after: string | undefined,
): string {
  const isKept = before !== undefined && after !== undefined && joiners.length === 1
  return (before ?? '') + (isKept ? joiners : '')
}

/**
 * Breaks one cleaned line into rows that fit; a word wider than a row is broken anywhere.
 *
 * @param widthOf the width of a text in any unit; texts beside each other add up
 * @param rowWidth in the same unit
 * @returns at least one row; an empty text is one empty row
 */
export function wrapText(
  text: string,
  widthOf: (text: string) => number,
  rowWidth: number,
): string[] {
  const rows: string[] = []
  const spaceWidth = widthOf(' ')
  let row = ''
  let width = 0
  for (const word of text.split(' ')) {
    if (word === '') continue
    const wordWidth = widthOf(word)
    if (row !== '' && width + spaceWidth + wordWidth <= rowWidth) {
      row += ` ${word}`
      width += spaceWidth + wordWidth
      continue
    }
    if (row !== '') rows.push(row)
    const pieces = wordWidth <= rowWidth ? [word] : breakAnywhere(word, widthOf, rowWidth)
    row = pieces.pop() ?? ''
    width = widthOf(row)
    rows.push(...pieces)
  }
  rows.push(row)
  return rows
}

/**
 * Breaks a text between any two letters (with their marks) so that each piece fits; every piece
 * holds at least one letter.
 */
export function breakAnywhere(
  text: string,
  widthOf: (text: string) => number,
  rowWidth: number,
): string[] {
  if (widthOf(text) <= rowWidth) return [text]
  const pieces: string[] = []
  let piece = ''
  let width = 0
  for (const character of lettersOf(text)) {
    const advance = widthOf(character)
    if (piece !== '' && width + advance > rowWidth) {
      pieces.push(piece)
      piece = ''
      width = 0
    }
    piece += character
    width += advance
  }
  if (piece !== '') pieces.push(piece)
  return pieces
}

/** Without a mark or a joiner, each character is a letter by itself. */
const HAS_CLUSTERS = /[\p{M}\u200C\u200D]/u
let segmenter: Intl.Segmenter | undefined

/** Letters with their marks (Unicode Standard Annex 29, extended grapheme clusters). */
export function lettersOf(text: string): string[] {
  if (!HAS_CLUSTERS.test(text)) return [...text]
  segmenter ??= new Intl.Segmenter('und', { granularity: 'grapheme' })
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}
