/**
 * Judges embedded font programs (ISO 32000-2, 9.9): where one reader cannot read a program, it
 * substitutes another font, and the same codes show other letters.
 */
import type { Buffer } from 'node:buffer'
import {
  isInteger,
  type PdfDictionary,
  PdfReference,
  PdfStream,
  type PdfValue,
} from '../../pdf/values.ts'
import { MAX_FONT_BYTES_OF_DOCUMENT } from '../../pdf/limits.ts'
import { decodeContent } from '../content-filters.ts'
import { AmbiguousSyntax, type FaultCode } from '../faults.ts'
import { type GraphicsContext, readNumbers } from '../graphics/context.ts'
import { isCompactFont } from './compact-font.ts'
import { isOpenType, isTrueType } from './sfnt.ts'
import { isTypeOne } from './type-one.ts'

/** Judges a program that has the form that its key names. */
type JudgeProgram = (program: Buffer) => boolean

/** Keys of font descriptors, and the forms that a program may have (table 124). */
const PROGRAMS: ReadonlyMap<string, JudgeProgram> = new Map([
  ['FontFile', isTypeOne],
  ['FontFile2', isTrueType],
])
const COMPACT = 'FontFile3'
/** Subtypes of the last key. */
const SUBTYPES: ReadonlyMap<string, JudgeProgram> = new Map([
  ['Type1C', isCompactFont],
  ['CIDFontType0C', isCompactFont],
  ['OpenType', isOpenType],
])
/** Keys of descriptors that embed a program. */
export const PROGRAM_KEYS = [...PROGRAMS.keys(), COMPACT]

/**
 * Judges a font of glyph streams, and the font program of a descriptor.
 *
 * @param entries any dictionary
 * @returns undefined when there is none, or every reader can read it
 * @throws PadesError `LIMIT_EXCEEDED`
 */
export function findFontFault(
  context: GraphicsContext,
  entries: PdfDictionary,
): FaultCode | undefined {
  if (!isWholeGlyphFont(context, entries) || !isNamedFont(context, entries)) return 'FONT_ODD'
  if (!hasDescendant(context, entries)) return 'FONT_ODD'
  if (!hasKnownDifferences(context, entries)) return 'FONT_ODD'
  const keys = PROGRAM_KEYS.filter((key) => context.document.resolve(entries.get(key)) !== null)
  const [key] = keys
  if (key === undefined) return undefined
  // Readers that know both choose differently.
  if (keys.length > 1) return 'FONT_ODD'
  const value = entries.get(key)
  const number = value instanceof PdfReference ? value.number : 0
  // Many descriptors can share a program.
  const name = `${key} ${number}`
  const isKnown = context.fonts.get(name) ?? hasKnownProgram(context, key, value)
  context.fonts.set(name, isKnown)
  return isKnown ? undefined : 'FONT_ODD'
}

const NAMED_FONTS: ReadonlySet<string | undefined> = new Set(['Type0', 'Type1', 'TrueType'])

/** Readers choose different fonts without a name, and show nothing or other widths then. */
function isNamedFont({ document }: GraphicsContext, entries: PdfDictionary): boolean {
  const isFont = document.name(entries.get('Type')) === 'Font'
  if (!isFont || !NAMED_FONTS.has(document.name(entries.get('Subtype')))) return true
  const [first, last] = ['FirstChar', 'LastChar'].map((key) => document.integer(entries.get(key)))
  const isAscending = first === undefined || last === undefined || first <= last
  return document.name(entries.get('BaseFont')) !== undefined && isAscending
}

const CID_FONTS: ReadonlySet<string | undefined> = new Set(['CIDFontType0', 'CIDFontType2'])

/** A composite font shows the glyphs of one CID font (9.7.6); readers replace any other thing. */
function hasDescendant({ document }: GraphicsContext, entries: PdfDictionary): boolean {
  const isFont = document.name(entries.get('Type')) === 'Font'
  if (!isFont || document.name(entries.get('Subtype')) !== 'Type0') return true
  const [font, ...others] = document.array(entries.get('DescendantFonts')) ?? []
  const subtype = document.name(document.dictionary(font)?.get('Subtype'))
  return others.length === 0 && CID_FONTS.has(subtype)
}

/** Codes are integers; some readers ignore others, and with them all names that follow. */
function hasKnownDifferences({ document }: GraphicsContext, entries: PdfDictionary): boolean {
  const differences = document.array(entries.get('Differences')) ?? []
  return differences.every((item) => {
    const value = document.resolve(item)
    return document.name(value) !== undefined || isInteger(value)
  })
}

const MATRIX_NUMBERS = 6

/** Readers that lack the matrix or the encoding of a Type 3 font show other glyphs, or none. */
function isWholeGlyphFont(context: GraphicsContext, entries: PdfDictionary): boolean {
  const { document } = context
  if (document.name(entries.get('Subtype')) !== 'Type3' || !entries.has('CharProcs')) return true
  const matrix = readNumbers(context, entries.get('FontMatrix'))
  // Some readers ignore a matrix that moves glyphs, or the direction of one that turns them.
  const [, turn, , , x, y] = matrix ?? []
  const isInPlace = matrix?.length === MATRIX_NUMBERS && turn === 0 && x === 0 && y === 0
  return isInPlace && document.resolve(entries.get('Encoding')) !== null
}

function hasKnownProgram(
  context: GraphicsContext,
  key: string,
  value: PdfValue | undefined,
): boolean {
  const { document } = context
  const stream = document.resolve(value)
  if (!(stream instanceof PdfStream)) return false
  const subtype = document.name(stream.dictionary.get('Subtype')) ?? ''
  const judge = key === COMPACT ? SUBTYPES.get(subtype) : PROGRAMS.get(key)
  const program = judge && decode(context, stream)
  return program !== undefined && judge !== undefined && judge(program)
}

/**
 * @returns undefined when readers may decode it differently
 * @throws PadesError `LIMIT_EXCEEDED`
 */
function decode({ document, fontBudget }: GraphicsContext, stream: PdfStream): Buffer | undefined {
  try {
    const { data } = decodeContent(document, stream, fontBudget.remainingBytes, true)
    fontBudget.remainingBytes -= data.length
    return data
  } catch (error) {
    if (error instanceof AmbiguousSyntax) return undefined
    throw error
  }
}

/** A font program that {@link findFontFault} accepts. */
interface FontProgram {
  readonly data: Buffer
  /** Whether it is a compact font without the tables of OpenType. */
  readonly isCompact: boolean
  readonly isTypeOne: boolean
}

/**
 * Decodes the program of a descriptor.
 *
 * @returns undefined when there is none
 */
export function readProgram(
  context: GraphicsContext,
  descriptor: PdfDictionary | undefined,
): FontProgram | undefined {
  const { document } = context
  const stream = PROGRAM_KEYS.map((key) => document.resolve(descriptor?.get(key))).find(
    (value) => value instanceof PdfStream,
  )
  if (!(stream instanceof PdfStream)) return undefined
  // The bytes were counted when the program was judged.
  const fontBudget = { remainingBytes: MAX_FONT_BYTES_OF_DOCUMENT }
  const data = decode({ ...context, fontBudget }, stream)
  const subtype = document.name(stream.dictionary.get('Subtype'))
  const isCompact = descriptor?.has(COMPACT) === true && subtype !== 'OpenType'
  return data && { data, isCompact, isTypeOne: descriptor?.has('FontFile') === true }
}
