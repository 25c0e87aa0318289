/**
 * Judges where inline images end (ISO 32000-2, 8.9.7): some readers count their data, others search
 * for `EI`, and both must arrive at the same place.
 */
import { Buffer } from 'node:buffer'
import { CLASS_OF, CR, LETTER_E, LF, NUL, SOLIDUS, SPACE, TAB, WHITE } from '../pdf/characters.ts'
import { MAX_FILTERS, MAX_PARSED_WEIGHT } from '../pdf/limits.ts'
import { Parser } from '../pdf/parser.ts'
import { isArray, isDictionary, nameOf, type PdfDictionary, type PdfValue } from '../pdf/values.ts'
import { decodeStrictly, type DecodingBudget, FILTER_NAMES } from './content-filters.ts'
import { isWholeInlinePalette } from './graphics/colour-spaces.ts'
import type { StrictScanner } from './scanner.ts'

/** Table 91: abbreviations of keys. */
const KEYS: Readonly<Record<string, string>> = {
  BPC: 'BitsPerComponent',
  CS: 'ColorSpace',
  D: 'Decode',
  DP: 'DecodeParms',
  F: 'Filter',
  H: 'Height',
  IM: 'ImageMask',
  I: 'Interpolate',
  L: 'Length',
  W: 'Width',
}

/** Components of a colour space that needs no resource (table 92). */
const COMPONENTS: ReadonlyMap<string, number> = new Map([
  ...['/DeviceGray', '/G'].map((name) => [name, 1] as const),
  ...['/DeviceRGB', '/RGB'].map((name) => [name, 3] as const),
  ...['/DeviceCMYK', '/CMYK'].map((name) => [name, 4] as const),
])
/** Filters by their names and abbreviations (table 92). */
export const IMAGE_FILTERS: ReadonlyMap<string, string> = new Map([
  ...FILTER_NAMES,
  ['DCT', 'DCTDecode'],
  ['CCF', 'CCITTFaxDecode'],
])
/** Both names of a colour space with a palette. */
export const INDEXED: ReadonlySet<string | undefined> = new Set(['I', 'Indexed'])
const FILTERS = /^(?:\[[\0\t\n\f\r ]*)?(?:\/[A-Za-z0-9]+[\0\t\n\f\r ]*)+\]?$/
const PIXELS = /^[1-9]\d{0,5}$/
const BITS = /^(?:1|2|4|8|16)$/
const BITS_PER_BYTE = 8

/** White space between the data and `EI` that every reader skips. */
const MAX_WHITE_BYTES = 4
/** A viewer takes `EI` only when so many bytes of text follow, or the end. */
const TEXT_WINDOW_BYTES = 15
const LAST_ASCII = 0x7f
/** Marks of the end of encoded text (7.4.2, 7.4.3). */
const TEXT_ENDS: Readonly<Record<string, string>> = { ASCIIHexDecode: '>', ASCII85Decode: '~>' }
/** Two end-of-line codes (ITU-T T.6, 2.4.1.1). */
const END_OF_BLOCK = 0x00_10_01
const END_OF_BLOCK_BITS = 24
const END_OF_BLOCK_MASK = 0xff_ff_ff
/** Marks of the beginning and the end of JPEG data (ISO/IEC 10918-1, annex B). */
const JPEG_START = '\u00ff\u00d8'
const JPEG_END = '\u00ff\u00d9'

/** An inline image. */
export interface InlineImage {
  /** Sources of the values by the full names of their keys. */
  readonly entries: ReadonlyMap<string, string>
  /** The encoded data, without what follows the end that they mark or that their size gives. */
  readonly data: Buffer
  readonly isJpeg: boolean
}

/**
 * Scans an inline image.
 *
 * @param scanner behind `BI`; then behind `EI`
 * @param data that it scans
 * @param budget is charged with what the image decodes to
 * @throws AmbiguousSyntax
 * @throws PadesError `LIMIT_EXCEEDED`
 */
export function scanInlineImage(
  scanner: StrictScanner,
  data: Buffer,
  budget: DecodingBudget,
): InlineImage {
  const entries = scanEntries(scanner, data)
  const filters = filtersOf(entries.get('Filter') ?? '')
  if (!filters) scanner.fail('INLINE_IMAGE_ODD')
  const [name] = filters
  if (!hasMaskBits(entries)) scanner.fail('INLINE_IMAGE_ODD')
  const palette = paletteOf(entries)
  if (palette && !isWholeInlinePalette(palette)) scanner.fail('PALETTE_ODD')
  const start = takeDataStart(scanner, data, name)
  const keyword = findKeyword(data, textEnd(data, start, name))
  if (keyword === -1) scanner.fail('UNCLOSED')
  const encoded = data.subarray(start, keyword)
  const length =
    name === undefined ? sizeOf(entries) : encodedLength(filters, encoded, entries, budget)
  if (length === undefined || !isEndedAt(encoded, length, data[start - 2] === CR))
    scanner.fail('INLINE_IMAGE_ODD')
  if (!isFollowedByText(data, keyword + 3)) scanner.fail('INLINE_IMAGE_ODD', keyword)
  scanner.position = keyword + 2
  return { entries, data: encoded.subarray(0, length), isJpeg: filters.includes('DCTDecode') }
}

/** @returns the sources of the values by the full names of their keys */
function scanEntries(scanner: StrictScanner, data: Buffer): ReadonlyMap<string, string> {
  const entries = new Map<string, string>()
  for (scanner.skipWhiteSpace(); !scanner.takeKeyword('ID'); scanner.skipWhiteSpace()) {
    if (data[scanner.position] !== SOLIDUS) scanner.fail('CONTENT_OPERATOR')
    const name = scanner.scanName()
    const key = KEYS[name] ?? name
    scanner.skipWhiteSpace()
    const start = scanner.position
    scanner.scanValue()
    const value = data.toString('latin1', start, scanner.position)
    if ((entries.get(key) ?? value) !== value) scanner.fail('KEY_REPEATED')
    entries.set(key, value)
  }
  return entries
}

/** The value that a source of an entry gives. */
export function valueOf(source: string): PdfValue {
  const bytes = Buffer.from(source, 'latin1')
  return new Parser(bytes, 0, bytes.length, MAX_PARSED_WEIGHT).readValue()
}

/** The colour space, if it has a palette. */
function paletteOf(entries: ReadonlyMap<string, string>): readonly PdfValue[] | undefined {
  const source = entries.get('ColorSpace') ?? ''
  const space = source.startsWith('[') ? valueOf(source) : null
  return isArray(space) && INDEXED.has(nameOf(space[0])) ? space : undefined
}

/** The names of the filters; undefined for something else. */
function filtersOf(source: string): readonly string[] | undefined {
  if (source !== '' && !FILTERS.test(source)) return undefined
  const names = source.match(/[A-Za-z0-9]+/g) ?? []
  if (names.length > MAX_FILTERS) return undefined
  return names.map((name) => IMAGE_FILTERS.get(name) ?? name)
}

/** Decoders of these skip what precedes their data. */
const SKIPPING: ReadonlySet<string> = new Set(['ASCIIHexDecode', 'ASCII85Decode', 'DCTDecode'])

/** One byte of white space follows `ID`. Of two that end a line, some readers skip both. */
function takeDataStart(scanner: StrictScanner, data: Buffer, filter: string | undefined): number {
  const { position } = scanner
  if (CLASS_OF[data[position]] !== WHITE) {
    scanner.fail(position >= data.length ? 'UNCLOSED' : 'INLINE_IMAGE_ODD')
  }
  const isPair = data[position] === CR && data[position + 1] === LF
  if (isPair && !SKIPPING.has(filter ?? '')) scanner.fail('INLINE_IMAGE_ODD')
  return position + (isPair ? 2 : 1)
}

/** Encoded text may hold `EI`; every reader goes by the mark of its end first. */
function textEnd(data: Buffer, start: number, filter: string | undefined): number {
  const mark = filter === undefined ? undefined : TEXT_ENDS[filter]
  return mark === undefined ? start : Math.max(start, data.indexOf(mark, start, 'latin1'))
}

/** The first `EI` at which a reader that searches may stop. */
function findKeyword(data: Buffer, start: number): number {
  const isEnd = (byte: number | undefined) =>
    byte === undefined || byte === SPACE || byte === LF || byte === CR
  let at = data.indexOf('EI', start, 'latin1')
  while (at !== -1 && !isEnd(data[at + 2])) at = data.indexOf('EI', at + 1, 'latin1')
  return at
}

/** Bytes of the samples; undefined when they depend on a resource or an entry is missing. */
function sizeOf(entries: ReadonlyMap<string, string>): number | undefined {
  const width = entries.get('Width') ?? ''
  const height = entries.get('Height') ?? ''
  if (!PIXELS.test(width) || !PIXELS.test(height)) return undefined
  const bits = bitsPerPixel(entries)
  return bits && Math.ceil((Number(width) * bits) / BITS_PER_BYTE) * Number(height)
}

/** A mask has one bit for each pixel; of another number readers take either. */
function hasMaskBits(entries: ReadonlyMap<string, string>): boolean {
  const bits = entries.get('BitsPerComponent') ?? '1'
  return entries.get('ImageMask') !== 'true' || bits === '1'
}

function bitsPerPixel(entries: ReadonlyMap<string, string>): number | undefined {
  if (entries.get('ImageMask') === 'true') return 1
  const bits = entries.get('BitsPerComponent') ?? ''
  const space = entries.get('ColorSpace') ?? ''
  const components = paletteOf(entries) ? 1 : COMPONENTS.get(space)
  return components && BITS.test(bits) ? components * Number(bits) : undefined
}

/**
 * Where encoded data end by themselves; undefined when they do not, or are too short: readers fill
 * missing samples in different ways.
 *
 * @param names of the filters
 * @param index of the one that decodes the data
 */
function encodedLength(
  names: readonly string[],
  encoded: Buffer,
  entries: ReadonlyMap<string, string>,
  budget: DecodingBudget,
  index = 0,
): number | undefined {
  const name = names[index] ?? ''
  const parameters = parametersOf(entries, index)
  const isLast = index === names.length - 1
  if (isLast && name === 'DCTDecode') return jpegLength(encoded)
  if (isLast && name === 'CCITTFaxDecode') return faxLength(encoded, parameters)
  const earlyChange = parameters?.get('EarlyChange') ?? 1
  if (earlyChange !== 0 && earlyChange !== 1) return undefined
  const decoded = decodeStrictly({ name, earlyChange }, encoded, budget.remainingBytes)
  if (!decoded) return undefined
  budget.remainingBytes -= decoded.data.length
  const isWhole = isLast
    ? decoded.data.length >= (sizeOf(entries) ?? 0)
    : encodedLength(names, decoded.data, entries, budget, index + 1) !== undefined
  return isWhole ? decoded.consumedBytes : undefined
}

/** The parameters of one filter, which may be those of all (table 5). */
function parametersOf(
  entries: ReadonlyMap<string, string>,
  index: number,
): PdfDictionary | undefined {
  const source = entries.get('DecodeParms')
  const value = source === undefined ? null : valueOf(source)
  const own = isArray(value) ? value[index] : value
  return isDictionary(own) ? own : undefined
}

function jpegLength(encoded: Buffer): number | undefined {
  const isJpeg = encoded.toString('latin1', 0, JPEG_START.length) === JPEG_START
  const end = encoded.indexOf(JPEG_END, 0, 'latin1')
  return isJpeg && end !== -1 ? end + JPEG_END.length : undefined
}

/** Group 4 data up to the first end-of-block code; it cannot occur within valid codes. */
function faxLength(encoded: Buffer, parameters?: PdfDictionary): number | undefined {
  const group = parameters?.get('K')
  const isGroup4 = typeof group === 'number' && group < 0
  if (!isGroup4 || (parameters?.get('EndOfBlock') ?? true) !== true) return undefined
  let bits = 0
  for (const [index, byte] of encoded.entries()) {
    for (let bit = BITS_PER_BYTE - 1; bit >= 0; bit -= 1) {
      bits = ((bits << 1) | ((byte >> bit) & 1)) & END_OF_BLOCK_MASK
      const isWhole = index * BITS_PER_BYTE + BITS_PER_BYTE - bit >= END_OF_BLOCK_BITS
      if (isWhole && bits === END_OF_BLOCK) return index + 1
    }
  }
  return undefined
}

/**
 * Last bytes of data that some reader takes for the white space before `EI`, or for its beginning.
 * NUL and form feed belong to the data in every reader.
 */
const NOT_GLUABLE: ReadonlySet<number> = new Set([CR, LF, SPACE, TAB, LETTER_E])

/**
 * Whether little white space follows, or none behind a byte that no reader takes for a part of it.
 *
 * @param isPair whether two bytes of white space precede the data
 */
function isEndedAt(encoded: Buffer, length: number, isPair: boolean): boolean {
  const rest = encoded.subarray(length)
  const last = length > 0 ? encoded[length - 1] : undefined
  const isGluable = !isPair && last !== undefined && !NOT_GLUABLE.has(last)
  if (length > encoded.length || rest.length > MAX_WHITE_BYTES) return false
  return rest.length === 0 ? isGluable : rest.every((byte) => CLASS_OF[byte] === WHITE)
}

function isFollowedByText(data: Buffer, start: number): boolean {
  const window = data.subarray(start, start + TEXT_WINDOW_BYTES)
  return window.every((byte, index) => {
    if (byte === NUL) return data[start + index + 1] !== NUL
    return byte === LF || byte === CR || (byte >= SPACE && byte <= LAST_ASCII)
  })
}
