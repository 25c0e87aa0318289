/**
 * Judges simple fonts without a program (ISO 32000-2, 9.6.2.2 and 9.6.5): each reader shows a font
 * of its own, whose widths, encoding and letters differ from those of other readers.
 */
import { charactersOf } from './code-characters.ts'
import { nameOf } from './glyph-names.ts'
import { type CodeSet, ENDING, isNothingShown } from './shown-codes.ts'
import { standardName, STANDARD_STRINGS } from './standard-strings.ts'
import type { SimpleEncoding } from './true-type-codes.ts'

/** The letters that the fonts of all readers have (annex D.2). */
const LAST_LETTER = STANDARD_STRINGS.indexOf('zcaron')
const LETTERS: ReadonlySet<string> = new Set([
  ...STANDARD_STRINGS.slice(1, LAST_LETTER + 1),
  'Euro',
])

const [FIRST_PRINTED, LAST_ASCII] = [0x20, 0x7e]
/** Codes of the fonts of symbols (annexes D.5 and D.6). Not all readers know their Euro. */
const [FIRST_SYMBOL, UNUSED, LAST_SYMBOL] = [0xa1, 0xf0, 0xfe]
/** What Mac OS added to MacRomanEncoding (table 113), and the control character. */
const ADDED_BY_MAC_OS: ReadonlySet<number> = new Set([
  ...[0x7f, 0xad, 0xb0, 0xb2, 0xb3, 0xb6, 0xb7, 0xb8, 0xb9, 0xba, 0xbd, 0xc3, 0xc5, 0xc6, 0xd7],
  ...[0xf0],
])

const STYLES = '(?:[,-](?:Bold|Italic|Oblique|BoldItalic|BoldOblique)(?:MT)?)?'
const STYLED = 'Arial(?:MT)?|Courier(?:New(?:PS(?:MT)?)?)?|Helvetica|TimesNewRoman(?:PS(?:MT)?)?'
const OTHERS = 'Times-(?:Roman|Bold|Italic|BoldItalic)|Symbol|ZapfDingbats'
/** The standard fonts, and others that all readers replace by one of them. */
const OF_KNOWN_WIDTHS = new RegExp(`^(?:(?:${STYLED})${STYLES}|${OTHERS})$`)

/** A font without a program. */
export interface ReplacedFont {
  readonly name: string
  /** Whether it says how wide its glyphs are. */
  readonly hasWidths: boolean
  readonly encoding: SimpleEncoding
}

/** @returns whether every reader shows the same glyphs at the same places */
export function replacedAlike(font: ReplacedFont, codes: CodeSet): boolean {
  if (!font.hasWidths && !OF_KNOWN_WIDTHS.test(font.name)) return isNothingShown(codes)
  const isKnown = font.encoding.isOfSymbols ? isKnownSymbol : isKnownLetter
  return codes.every((shown, code) => shown === 0 || isKnown(font, code, shown === ENDING))
}

/** PDFium and pdf.js show other glyphs for names; Poppler alone applies an encoding of letters. */
function isKnownSymbol({ encoding: { base, names } }: ReplacedFont, code: number): boolean {
  if (base !== undefined || names.has(code)) return false
  return isAscii(code) || (code >= FIRST_SYMBOL && code <= LAST_SYMBOL && code !== UNUSED)
}

function isKnownLetter(
  { hasWidths, encoding }: ReplacedFont,
  code: number,
  isEnding: boolean,
): boolean {
  const { base, isSymbolic } = encoding
  const name = encoding.names.get(code)
  if (name !== undefined) return isSymbolic ? isNameOf(name, code) : LETTERS.has(name)
  if (isAscii(code)) return true
  // Without an encoding, readers take the standard one, that of Mac OS, or that of Windows.
  if (base === undefined) return false
  // For a code without a glyph, readers go on by nothing or by the width of a box.
  if (code < FIRST_PRINTED) return hasWidths || isEnding
  return base === 'WinAnsiEncoding' || (!isSymbolic && !ADDED_BY_MAC_OS.has(code))
}

const isAscii = (code: number) => code >= FIRST_PRINTED && code <= LAST_ASCII

/** In a font that is marked symbolic, pdf.js ignores the names. */
const isNameOf = (name: string, code: number) =>
  isAscii(code) &&
  [standardName(code), ...charactersOf('WinAnsiEncoding', code).map(nameOf)].includes(name)
