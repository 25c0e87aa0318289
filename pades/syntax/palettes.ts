/**
 * Judges palettes: the colour space `Indexed` (ISO 32000-2, 8.6.6.3). Readers take different colours
 * for an index that its table does not hold.
 */
import { Buffer } from 'node:buffer'
import type { PdfDocument } from '../pdf/document.ts'
import { MAX_PARSED_WEIGHT } from '../pdf/limits.ts'
import { Parser } from '../pdf/parser.ts'
import {
  isArray,
  isDictionary,
  isInteger,
  nameOf,
  type PdfArray,
  PdfStream,
  PdfString,
  type PdfValue,
} from '../pdf/values.ts'
import { decodeContent, type DecodingBudget } from './content-filters.ts'

const MAX_INDEX = 255
const INDEXED_LENGTH = 4

/** Components of the base spaces whose family says it (8.6.3). */
const COMPONENTS: Readonly<Record<string, number>> = {
  DeviceGray: 1,
  DeviceRGB: 3,
  DeviceCMYK: 4,
  CalGray: 1,
  CalRGB: 3,
  Lab: 3,
  Separation: 1,
}
/** Abbreviations of inline images (table 92). */
const ABBREVIATED: Readonly<Record<string, number>> = { G: 1, RGB: 3, CMYK: 4 }
const ICC_COMPONENTS: ReadonlySet<unknown> = new Set([1, 3, 4])

/**
 * Finds out whether every palette in a value has all its colours.
 *
 * @param value an object; what it refers to is not followed, except for the parts of a palette
 * @param budget is charged with the bytes of tables that are streams
 * @returns false when a palette is too short or built in another way than 8.6.6.3 says
 * @throws AmbiguousSyntax `CONTENT_FILTER`, `STREAM_DATA_DAMAGED` - the stream of a table
 * @throws PadesError `LIMIT_EXCEEDED`
 */
export function hasWholePalettes(
  document: PdfDocument,
  value: PdfValue,
  budget: DecodingBudget,
): boolean {
  const open: PdfValue[] = [value]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (isArray(next)) {
      if (isPalette(document, next) && !isWhole(document, next, budget)) return false
      for (const item of next) open.push(item)
    } else {
      const entries = next instanceof PdfStream ? next.dictionary : next
      if (isDictionary(entries)) for (const item of entries.values()) open.push(item)
    }
  }
  return true
}

/**
 * As {@link hasWholePalettes}, for the colour space of an inline image, which has no references.
 *
 * @param source of the value of `ColorSpace`
 */
export function isWholeInlinePalette(source: string): boolean {
  const bytes = Buffer.from(source, 'latin1')
  const value = new Parser(bytes, 0, bytes.length, MAX_PARSED_WEIGHT).readValue()
  if (!isArray(value) || value.length !== INDEXED_LENGTH) return false
  const [, base, highest, table] = value
  const name = nameOf(base) ?? ''
  const components = COMPONENTS[name] ?? ABBREVIATED[name]
  return table instanceof PdfString && hasColours(components, highest, table.bytes.length)
}

/** Some readers know the abbreviation of inline images outside of them, too. */
function isPalette(document: PdfDocument, array: PdfArray): boolean {
  const family = document.name(array[0])
  const isAbbreviated = family === 'I' && array.length === INDEXED_LENGTH
  return family === 'Indexed' || (isAbbreviated && isInteger(document.resolve(array[2])))
}

function isWhole(document: PdfDocument, array: PdfArray, budget: DecodingBudget): boolean {
  const [family, base, highest, table] = array.map((item) => document.resolve(item))
  if (nameOf(family) !== 'Indexed' || array.length !== INDEXED_LENGTH) return false
  return hasColours(componentsOf(document, base), highest, tableLength(document, table, budget))
}

function hasColours(
  components: number | undefined,
  highest: PdfValue,
  tableBytes: number | undefined,
): boolean {
  const isIndex = isInteger(highest) && highest >= 0 && highest <= MAX_INDEX
  if (components === undefined || tableBytes === undefined || !isIndex) return false
  return tableBytes >= (highest + 1) * components
}

/** Undefined for a space that cannot be the base of a palette, or that only a resource explains. */
function componentsOf(document: PdfDocument, base: PdfValue): number | undefined {
  if (!isArray(base)) return COMPONENTS[nameOf(base) ?? '']
  const family = document.name(base[0]) ?? ''
  if (family === 'DeviceN') return document.array(base[1])?.length
  if (family !== 'ICCBased') return COMPONENTS[family]
  const profile = document.resolve(base[1])
  const components = profile instanceof PdfStream && document.integer(profile.dictionary.get('N'))
  return ICC_COMPONENTS.has(components) ? (components as number) : undefined
}

function tableLength(
  document: PdfDocument,
  table: PdfValue,
  budget: DecodingBudget,
): number | undefined {
  if (table instanceof PdfString) return table.bytes.length
  if (!(table instanceof PdfStream)) return undefined
  const { length } = decodeContent(document, table, budget.remainingBytes, true).data
  budget.remainingBytes -= length
  return length
}
