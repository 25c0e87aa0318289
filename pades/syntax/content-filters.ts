/**
 * Decodes content streams by the letter of ISO 32000-2, 7.4: data that a reader would have to guess
 * at are refused, because another reader guesses otherwise.
 */
import { Buffer } from 'node:buffer'
import { PadesError } from '../errors.ts'
import {
  CLASS_OF,
  CR,
  EXCLAMATION_MARK,
  GREATER_THAN,
  HEX_VALUE,
  LETTER_Z,
  LF,
  NO_DIGIT,
  SPACE,
  TAB,
  TILDE,
  WHITE,
} from '../pdf/characters.ts'
import type { PdfDocument } from '../pdf/document.ts'
import { MAX_FILTERS } from '../pdf/limits.ts'
import { isArray, type PdfDictionary, type PdfStream, type PdfValue } from '../pdf/values.ts'
import { inflateStrictly, type Inflated } from './deflated.ts'
import { AmbiguousSyntax, type FaultCode } from './faults.ts'
import { decodeLzw } from './lzw.ts'

/** Bytes to which streams or images may still decode. */
export interface DecodingBudget {
  remainingBytes: number
}

/** What a filter makes of data that end by themselves. */
export interface DecodedData {
  readonly data: Buffer
  /** Bytes of the encoded data up to their end, the mark of the end included. */
  readonly consumedBytes: number
  /** How deflated data ended. */
  readonly ending?: Inflated['ending']
}

/** A content stream without its filters. */
export interface DecodedContent {
  readonly data: Buffer
  /** Whether a last block and the right checksum end everything that is deflated. */
  readonly isWhole: boolean
}

/** A filter and the entry of `DecodeParms` that changes it. */
export interface ContentFilter {
  readonly name: string
  /** Entry `EarlyChange` of LZWDecode. */
  readonly earlyChange: 0 | 1
}

/** Filters for text by their names and abbreviations, which readers take for streams as well. */
export const FILTER_NAMES: ReadonlyMap<string, string> = new Map([
  ...['FlateDecode', 'Fl'].map((name) => [name, 'FlateDecode'] as const),
  ...['LZWDecode', 'LZW'].map((name) => [name, 'LZWDecode'] as const),
  ...['RunLengthDecode', 'RL'].map((name) => [name, 'RunLengthDecode'] as const),
  ...['ASCIIHexDecode', 'AHx'].map((name) => [name, 'ASCIIHexDecode'] as const),
  ...['ASCII85Decode', 'A85'].map((name) => [name, 'ASCII85Decode'] as const),
])

/** White space in encoded text that every reader skips. */
const isSkipped = (byte: number) => byte === SPACE || byte === LF || byte === CR || byte === TAB

const fail = (code: FaultCode): never => {
  throw new AmbiguousSyntax(code, 0)
}

/**
 * Decodes a content stream.
 *
 * @param maxBytes of the data after each filter
 * @param isAlone whether the stream is all of the contents
 * @throws AmbiguousSyntax `CONTENT_FILTER`, `STREAM_DATA_DAMAGED`
 * @throws PadesError `LIMIT_EXCEEDED`
 */
export function decodeContent(
  document: PdfDocument,
  stream: PdfStream,
  maxBytes: number,
  isAlone: boolean,
): DecodedContent {
  const filters = readFilters(document, stream.dictionary)
  let data = document.decrypted(stream)
  // Readers decode nothing to nothing.
  if (data.length === 0) return { data, isWhole: true }
  let isWhole = true
  for (const [index, filter] of filters.entries()) {
    const isLast = isAlone && index === filters.length - 1 && filter.name === 'ASCII85Decode'
    const decoded =
      decodeStrictly(filter, data, maxBytes) ?? (isLast ? decodeOpenBase85(data) : undefined)
    if (!decoded) return fail('STREAM_DATA_DAMAGED')
    data = decoded.data
    isWhole &&= (decoded.ending ?? 'whole') === 'whole'
  }
  return { data, isWhole }
}

/** @throws AmbiguousSyntax `CONTENT_FILTER` - a filter or predictor that is not for text */
function readFilters(document: PdfDocument, dictionary: PdfDictionary): readonly ContentFilter[] {
  const names = listOf(document, dictionary.get('Filter'))
  const parameters = listOf(document, dictionary.get('DecodeParms'))
  if (names.length > MAX_FILTERS) throw new PadesError('LIMIT_EXCEEDED')
  return names.map((item, index) => {
    const name = FILTER_NAMES.get(document.name(item) ?? '')
    if (name === undefined) return fail('CONTENT_FILTER')
    const set = document.dictionary(parameters[index])
    const predictor = document.resolve(set?.get('Predictor') ?? 1)
    const earlyChange = document.resolve(set?.get('EarlyChange') ?? 1)
    const isPlain = predictor === 1 && (earlyChange === 0 || earlyChange === 1)
    return isPlain ? { name, earlyChange } : fail('CONTENT_FILTER')
  })
}

function listOf(document: PdfDocument, value: PdfValue | undefined): readonly PdfValue[] {
  const resolved = document.resolve(value)
  if (resolved === null) return []
  return isArray(resolved) ? resolved : [resolved]
}

/**
 * Decodes data that end by themselves.
 *
 * @param filter its name in full
 * @returns undefined when readers may decode the data differently
 * @throws PadesError `LIMIT_EXCEEDED`
 */
export function decodeStrictly(
  filter: ContentFilter,
  encoded: Buffer,
  maxBytes: number,
): DecodedData | undefined {
  return DECODERS.get(filter.name)?.(encoded, maxBytes, filter.earlyChange)
}

type Decode = (encoded: Buffer, maxBytes: number, earlyChange: 0 | 1) => DecodedData | undefined

const DECODERS: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['FlateDecode', decodeFlate],
  ['LZWDecode', (encoded, maxBytes, earlyChange) => decodeLzw(encoded, earlyChange, maxBytes)],
  ['RunLengthDecode', decodeRunLength],
  ['ASCIIHexDecode', decodeHex],
  ['ASCII85Decode', decodeBase85],
])

/** A word processor ends data without a last block. Ghostscript then drops a token at the end. */
function decodeFlate(encoded: Buffer, maxBytes: number): DecodedData | undefined {
  const inflated = inflateStrictly(encoded, maxBytes)
  if (!inflated) return undefined
  const last = inflated.data.at(-1)
  const isSeparated = last === undefined || CLASS_OF[last] === WHITE
  return inflated.ending !== 'flushed' || isSeparated ? inflated : undefined
}

const END_OF_RUNS = 128

/** 7.4.5: each run begins with a length. */
function decodeRunLength(encoded: Buffer, maxBytes: number): DecodedData | undefined {
  const parts: Buffer[] = []
  let size = 0
  for (let at = 0; at < encoded.length;) {
    const length = encoded[at]
    at += 1
    if (length === END_OF_RUNS) return { data: Buffer.concat(parts, size), consumedBytes: at }
    const isCopy = length < END_OF_RUNS
    const count = isCopy ? length + 1 : 257 - length
    const end = at + (isCopy ? count : 1)
    if (end > encoded.length) return undefined
    parts.push(isCopy ? encoded.subarray(at, end) : Buffer.alloc(count, encoded[at]))
    size += count
    if (size > maxBytes) throw new PadesError('LIMIT_EXCEEDED')
    at = end
  }
  return undefined
}

/** 7.4.2: digits and white space up to `>`. */
function decodeHex(encoded: Buffer): DecodedData | undefined {
  const end = encoded.indexOf(GREATER_THAN)
  const digits = encoded.subarray(0, Math.max(end, 0)).filter((byte) => !isSkipped(byte))
  if (end === -1 || digits.some((byte) => HEX_VALUE[byte] === NO_DIGIT)) return undefined
  const even = digits.length % 2 === 0 ? '' : '0'
  const data = Buffer.from(Buffer.from(digits).toString('latin1') + even, 'hex')
  return { data, consumedBytes: end + 1 }
}

const BASE_85 = 85
const GROUP_DIGITS = 5
const GROUP_BYTES = 4

/** 7.4.3: groups of five digits, or `z` for four zero bytes, up to `~>`. */
function decodeBase85(encoded: Buffer): DecodedData | undefined {
  const end = encoded.indexOf(TILDE)
  return encoded[end + 1] === GREATER_THAN && end !== -1 ? decodeGroups(encoded, end) : undefined
}

/** Operators that paint, or without which none of the others paints. */
const DRAWING = /(?:Do|sh|T[jJ]|['"]|re|[lcvymh]|BI)(?![^\0\t\n\f\r /[(<%])/

/** Without `~>` some readers drop the last bytes, which matters only where something is drawn. */
function decodeOpenBase85(encoded: Buffer): DecodedData | undefined {
  const open = encoded.includes(TILDE) ? undefined : decodeGroups(encoded, encoded.length)
  return open && !DRAWING.test(open.data.toString('latin1')) ? open : undefined
}

function decodeGroups(encoded: Buffer, end: number): DecodedData | undefined {
  const out = Buffer.alloc((end + 1) * GROUP_BYTES)
  let length = 0
  const group: number[] = []
  for (const byte of encoded.subarray(0, end)) {
    if (isSkipped(byte)) continue
    if (byte === LETTER_Z && group.length === 0) {
      length += GROUP_BYTES
      continue
    }
    const digit = byte - EXCLAMATION_MARK
    if (digit < 0 || digit >= BASE_85) return undefined
    if (group.push(digit) < GROUP_DIGITS) continue
    if (!writeGroup(group, out, length)) return undefined
    length += GROUP_BYTES
    group.length = 0
  }
  if (group.length === 1) return undefined
  const lastBytes = Math.max(group.length - 1, 0)
  while (group.length > 0 && group.length < GROUP_DIGITS) group.push(BASE_85 - 1)
  if (group.length > 0 && !writeGroup(group, out, length)) return undefined
  return {
    data: out.subarray(0, length + lastBytes),
    consumedBytes: Math.min(end + 2, encoded.length),
  }
}

const MAX_GROUP = 0xffff_ffff

/** @returns false when the group is larger than four bytes */
function writeGroup(digits: readonly number[], out: Buffer, at: number): boolean {
  const value = digits.reduce((sum, digit) => sum * BASE_85 + digit, 0)
  if (value > MAX_GROUP) return false
  out.writeUInt32BE(value, at)
  return true
}
