/**
 * Text from untrusted people made harmless for one line of a page (ISO 32000-2, 9.4: what is
 * shown is what is meant).
 */

/** Marks stacked on one letter beyond this many would run over the lines above and below. */
const MAX_STACKED_MARKS = 3

const PLAIN = /^[\x20-\x7E]*$/
const LINE_ENDS = /[\t\n\v\f\r\u0085\u2028\u2029]+/gu
const INVISIBLE = /[\p{Cc}\p{Cf}\uFE00-\uFE0F\u{E0100}-\u{E01EF}]/gu
const EXCESS_MARKS = new RegExp(`(\\p{M}{${MAX_STACKED_MARKS}})\\p{M}+`, 'gu')
// The no-break spaces stay what they are: they say where a line must not end.
const ODD_SPACES = /[\u1680\u2000-\u200A\u205F\u3000]/gu

/**
 * Returns the text as one line of visible characters: composed (NFC), without control characters,
 * direction overrides, zero-width characters and variation selectors; line ends become spaces.
 */
export function cleanText(text: string): string {
  if (PLAIN.test(text)) return text
  return text
    .toWellFormed()
    .replace(LINE_ENDS, ' ')
    .replace(INVISIBLE, '')
    .replace(ODD_SPACES, ' ')
    .normalize('NFC')
    .replace(EXCESS_MARKS, '$1')
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
 * Breaks a text between any two characters so that each piece fits; every piece holds at least
 * one character.
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
  for (const character of text) {
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
