/** Scans indirect objects and object streams by the letter (ISO 32000-2, 7.3.8, 7.3.10, 7.5.7). */
import type { Buffer } from 'node:buffer'
import { CLASS_OF, CR, isDigit, LESS_THAN, LETTER_R, LF, WHITE } from '../pdf/characters.ts'
import { inflateStrictly } from './deflated.ts'
import { AmbiguousSyntax } from './faults.ts'
import type { ScanListener } from './listener.ts'
import { StrictScanner } from './scanner.ts'
import { StreamEntries } from './stream-entries.ts'

/** An indirect object, by offsets of the file. */
export interface ScannedObject {
  /** Offset of the first digit of its number. */
  readonly start: number
  readonly valueStart: number
  readonly valueEnd: number
  /** Encoded data, when it is a stream. */
  readonly data?: { readonly start: number; readonly end: number }
  /** Whether the values of its filters must be looked at, when it is a stream. */
  readonly hasUnusualFilter?: boolean
  /** Behind `endobj`. */
  readonly end: number
}

/** What an object must be, and where. */
export interface ObjectPlace {
  readonly number: number
  readonly generation: number
  readonly offset: number
  /** Offset at which the readable bytes end. */
  readonly end: number
}

/** Finds the value of an indirect `/Length`; undefined when it is not an integer. */
export type ResolveLength = (number: number, generation: number) => number | undefined

/** White space that Length need not count: one end of line belongs to `endstream` (7.3.8.1). */
const MAX_UNCOUNTED_BYTES = 4

/**
 * Scans the object at an offset.
 *
 * @throws AmbiguousSyntax
 */
export function scanObject(
  bytes: Buffer,
  place: ObjectPlace,
  resolveLength: ResolveLength,
  listener: ScanListener,
): ScannedObject {
  const { offset, end } = place
  const scanner = new StrictScanner(bytes, offset, end, listener)
  if (CLASS_OF[bytes[offset]] === WHITE) {
    listener.tolerated('OFFSET_BEFORE_HEADER', offset)
    scanner.skipWhiteSpace()
  }
  const start = scanner.position
  takeHeader(scanner, place)
  scanner.skipWhiteSpace()
  const valueStart = scanner.position
  const isDictionary = bytes[valueStart] === LESS_THAN && bytes[valueStart + 1] === LESS_THAN
  const entries = isDictionary ? new StreamEntries(bytes) : undefined
  if (entries) scanner.scanDictionary(entries.visit)
  else if (!takeGluedInteger(scanner, bytes, listener)) scanner.scanValue()
  const valueEnd = scanner.position
  if (isReference(bytes, valueStart, valueEnd)) scanner.fail('REFERENCE_ALONE', valueStart)
  scanner.skipWhiteSpace()
  const data =
    entries && scanner.takeKeyword('stream')
      ? scanStream(scanner, bytes, entries, resolveLength, listener)
      : undefined
  if (!scanner.takeKeyword('endobj')) scanner.fail('NO_ENDOBJ')
  const stream = data && { data, hasUnusualFilter: entries?.hasUnusualFilter ?? false }
  return { start, valueStart, valueEnd, ...stream, end: scanner.position }
}

/** A value that begins with a digit and ends with a letter is a reference. */
const isReference = (bytes: Buffer, start: number, end: number): boolean =>
  isDigit(bytes[start]) && bytes[end - 1] === LETTER_R

/** `17endobj`, as one producer writes the lengths of streams: the number ends at the word. */
function takeGluedInteger(scanner: StrictScanner, bytes: Buffer, listener: ScanListener): boolean {
  const { position } = scanner
  const digits = GLUED_INTEGER.exec(bytes.toString('latin1', position, position + 16))?.[1]
  if (digits === undefined) return false
  listener.tolerated('ENDOBJ_GLUED', position)
  scanner.position = position + digits.length
  return true
}

function takeHeader(scanner: StrictScanner, place: ObjectPlace): void {
  const number = scanner.takeInteger()
  if (number !== place.number) scanner.fail('HEADER_NOT_AT_OFFSET', place.offset)
  scanner.skipWhiteSpace()
  const generation = scanner.takeInteger()
  if (generation === undefined) scanner.fail('HEADER_NOT_AT_OFFSET', place.offset)
  if (generation !== place.generation) scanner.fail('GENERATION_DIFFERS', place.offset)
  scanner.skipWhiteSpace()
  if (!scanner.takeKeyword('obj')) scanner.fail('HEADER_NOT_AT_OFFSET', place.offset)
}

/** In some files Poppler reads 5,000 bytes beyond a wrong Length, and nothing after them. */
const MAX_MISSED_BYTES = 5_000

/** @returns where the encoded data lie; the position is then behind `endstream` */
function scanStream(
  scanner: StrictScanner,
  bytes: Buffer,
  entries: StreamEntries,
  resolveLength: ResolveLength,
  listener: ScanListener,
): { start: number; end: number } {
  const start = takeStreamLineEnd(scanner, bytes, listener)
  if (entries.isAmbiguous) scanner.fail('STREAM_KEY_AMBIGUOUS')
  if (entries.hasNullFilter) scanner.fail('FILTER_ODD')
  const length = lengthOf(entries, resolveLength)
  if (length === undefined) scanner.fail('LENGTH_WRONG')
  let end = start + length
  if (!takeStreamEnd(scanner, bytes, end, listener)) {
    const dataEnd = findDeflatedEnd(bytes, start, entries, listener)
    if (dataEnd === undefined || dataEnd - end > MAX_MISSED_BYTES) {
      scanner.fail('LENGTH_WRONG', end)
    }
    listener.tolerated('LENGTH_WRONG_DEFLATED', end)
    end = dataEnd
    if (!takeStreamEnd(scanner, bytes, end, listener)) scanner.fail('LENGTH_WRONG', end)
  }
  scanner.skipWhiteSpace()
  return { start, end }
}

/** @returns where the data begin, which is behind the end of line after `stream` */
function takeStreamLineEnd(scanner: StrictScanner, bytes: Buffer, listener: ScanListener): number {
  const { position } = scanner
  if (bytes[position] === LF) return position + 1
  if (bytes[position] !== CR) scanner.fail('STREAM_KEYWORD_ODD')
  if (bytes[position + 1] === LF) return position + 2
  listener.tolerated('STREAM_KEYWORD_RETURN', position)
  return position + 1
}

/** Whether `endstream` follows the data and little white space; the position is then behind it. */
function takeStreamEnd(
  scanner: StrictScanner,
  bytes: Buffer,
  end: number,
  listener: ScanListener,
): boolean {
  scanner.position = end
  let skipped = 0
  while (CLASS_OF[bytes[scanner.position]] === WHITE && skipped <= MAX_UNCOUNTED_BYTES) {
    scanner.position += 1
    skipped += 1
  }
  if (!scanner.takeKeyword('endstream')) return false
  const isOneLineEnd = skipped <= 1 || (skipped === 2 && bytes[end] === CR && bytes[end + 1] === LF)
  if (!isOneLineEnd) listener.tolerated('LENGTH_INEXACT', end)
  return true
}

/**
 * Finds where deflated data end that Length delimits wrongly. Readers search for `endstream` or
 * read on, and the data themselves say where they end. Both must lead to the same place.
 */
function findDeflatedEnd(
  bytes: Buffer,
  start: number,
  { filter, type }: StreamEntries,
  listener: ScanListener,
): number | undefined {
  if (!DEFLATED.test(filter) || STRUCTURE.test(type)) return undefined
  const keyword = bytes.indexOf('endstream', start, 'latin1')
  const encoded = keyword === -1 ? undefined : bytes.subarray(start, keyword)
  if (!encoded || ENDINGS.some((ending) => encoded.includes(ending, 0, 'latin1'))) return undefined
  const inflated = inflateStrictly(encoded)
  if (inflated?.ending !== 'whole') return undefined
  listener.inflated?.(inflated.data.length)
  return start + inflated.consumedBytes
}

const GLUED_INTEGER = /^(\d{1,9})endobj/
const DIGITS = /^\d{1,10}$/
const REFERENCE = /^(\d{1,7})\s+(\d{1,5})\s+R$/
/** Where readers take data for ended, misspelt keywords among them. */
const ENDINGS = ['endst', 'endobj'] as const
/** The first filter is FlateDecode. */
const DEFLATED = /^(?:\[[\0\t\n\f\r ]*)?\/FlateDecode(?![^\0\t\n\f\r /\]])/
/** Streams that readers look for when they repair a file (7.5.7, 7.5.8). */
const STRUCTURE = /^\/(?:ObjStm|XRef)$/

function lengthOf({ length }: StreamEntries, resolveLength: ResolveLength): number | undefined {
  if (DIGITS.test(length)) return Number(length)
  const reference = REFERENCE.exec(length)
  return reference ? resolveLength(Number(reference[1]), Number(reference[2])) : undefined
}

/** The values of an object stream, by offsets of its decoded data. */
export interface ScannedObjectStream {
  readonly numbers: readonly number[]
  /** Where each value begins and ends. */
  readonly ranges: readonly { readonly start: number; readonly end: number }[]
}

/**
 * Reads the table of contents of an object stream: pairs of number and offset, ascending, each
 * number once.
 *
 * @param count entry `N`
 * @param first entry `First`
 * @throws AmbiguousSyntax
 */
export function scanObjectStreamIndex(
  data: Buffer,
  count: number,
  first: number,
  listener: ScanListener,
): ScannedObjectStream {
  const scanner = new StrictScanner(data, 0, Math.min(first, data.length), listener)
  const numbers: number[] = []
  const starts: number[] = []
  for (let index = 0; index < count; index += 1) {
    const pair = [0, 0].map(() => {
      scanner.skipWhiteSpace()
      return scanner.takeInteger() ?? scanner.fail('OBJECT_STREAM_ODD')
    })
    numbers.push(pair[0])
    starts.push(first + pair[1])
  }
  scanner.skipWhiteSpace()
  if (!scanner.isAtEnd || first > data.length) scanner.fail('OBJECT_STREAM_ODD')
  if (new Set(numbers).size !== numbers.length) scanner.fail('OBJECT_TWICE')
  const ranges = starts.map((start, index) => ({ start, end: starts[index + 1] ?? data.length }))
  if (ranges.some(({ start, end }) => start >= end)) scanner.fail('OBJECT_STREAM_ODD')
  // Some readers look for the first value at `First`, whatever its offset says.
  const gap = data.subarray(first, starts[0] ?? first)
  if (gap.some((byte) => CLASS_OF[byte] !== WHITE)) scanner.fail('OBJECT_STREAM_ODD', first)
  return { numbers, ranges }
}

/**
 * Scans one value of an object stream: nothing follows it up to the next one.
 *
 * @returns where the value itself begins and ends
 * @throws AmbiguousSyntax
 */
export function scanCompressed(
  data: Buffer,
  { start, end }: { readonly start: number; readonly end: number },
  listener: ScanListener,
): { start: number; end: number } {
  const scanner = new StrictScanner(data, start, end, listener)
  scanner.skipWhiteSpace()
  const valueStart = scanner.position
  scanner.scanValue()
  const valueEnd = scanner.position
  if (isReference(data, valueStart, valueEnd)) scanner.fail('REFERENCE_ALONE', valueStart)
  scanner.skipWhiteSpace()
  if (!scanner.isAtEnd) throw new AmbiguousSyntax('OBJECT_STREAM_ODD', scanner.position)
  return { start: valueStart, end: valueEnd }
}
