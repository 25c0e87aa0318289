/** Scans indirect objects and object streams by the letter (ISO 32000-2, 7.3.8, 7.3.10, 7.5.7). */
import type { Buffer } from 'node:buffer'
import { CLASS_OF, CR, LESS_THAN, LF, WHITE } from '../pdf/characters.ts'
import { AmbiguousSyntax } from './faults.ts'
import type { ScanListener } from './listener.ts'
import { StrictScanner, type VisitEntry } from './scanner.ts'

/** An indirect object, by offsets of the file. */
export interface ScannedObject {
  /** Of the first digit of its number. */
  readonly start: number
  readonly valueStart: number
  readonly valueEnd: number
  /** Encoded data, when it is a stream. */
  readonly data?: { readonly start: number; readonly end: number }
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

/** Finds the value of an indirect `/Length`; undefined when it is no integer. */
export type ResolveLength = (number: number, generation: number) => number | undefined

/** White space that Length need not count: one end of line belongs to `endstream` (7.3.8.1). */
const MAX_UNCOUNTED_BYTES = 4
/** Tables 5 and 91: entries of streams in files, and abbreviations of inline images. */
const AMBIGUOUS_KEYS: ReadonlySet<string> = new Set(['F', 'DP', 'FFilter', 'FDecodeParms'])

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
  const entries = isDictionary ? new StreamEntries() : undefined
  if (entries) scanner.scanDictionary(entries.visit)
  else if (!takeGluedInteger(scanner, bytes, listener)) scanner.scanValue()
  const valueEnd = scanner.position
  scanner.skipWhiteSpace()
  const data =
    entries && scanner.takeKeyword('stream')
      ? scanStream(scanner, bytes, entries, resolveLength, listener)
      : undefined
  if (!scanner.takeKeyword('endobj')) scanner.fail('NO_ENDOBJ')
  return { start, valueStart, valueEnd, ...(data && { data }), end: scanner.position }
}

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

/** What the entries of a dictionary say of the stream that may follow. */
class StreamEntries {
  /** Of the value of Length; both 0 without one. */
  lengthStart = 0
  lengthEnd = 0
  /** Whether an entry is another one to some readers. */
  isAmbiguous = false

  readonly visit: VisitEntry = (key, _keyStart, valueStart, valueEnd) => {
    if (key === 'Length') {
      this.lengthStart = valueStart
      this.lengthEnd = valueEnd
    } else if (AMBIGUOUS_KEYS.has(key)) this.isAmbiguous = true
  }
}

/** @returns where the encoded data lie; the position is then behind `endstream` */
function scanStream(
  scanner: StrictScanner,
  bytes: Buffer,
  entries: StreamEntries,
  resolveLength: ResolveLength,
  listener: ScanListener,
): { start: number; end: number } {
  if (bytes[scanner.position] === CR) scanner.position += 1
  if (bytes[scanner.position] !== LF) scanner.fail('STREAM_KEYWORD_ODD')
  const start = scanner.position + 1
  if (entries.isAmbiguous) scanner.fail('STREAM_KEY_AMBIGUOUS')
  const length = lengthOf(bytes, entries, resolveLength)
  if (length === undefined) scanner.fail('LENGTH_WRONG')
  const end = start + length
  scanner.position = end
  let skipped = 0
  while (CLASS_OF[bytes[scanner.position]] === WHITE && skipped <= MAX_UNCOUNTED_BYTES) {
    scanner.position += 1
    skipped += 1
  }
  if (!scanner.takeKeyword('endstream')) scanner.fail('LENGTH_WRONG', end)
  const isOneLineEnd = skipped <= 1 || (skipped === 2 && bytes[end] === CR && bytes[end + 1] === LF)
  if (!isOneLineEnd) listener.tolerated('LENGTH_INEXACT', end)
  scanner.skipWhiteSpace()
  return { start, end }
}

const GLUED_INTEGER = /^(\d{1,9})endobj/
const DIGITS = /^\d{1,10}$/
const REFERENCE = /^(\d{1,7})\s+(\d{1,5})\s+R$/

function lengthOf(
  bytes: Buffer,
  { lengthStart, lengthEnd }: StreamEntries,
  resolveLength: ResolveLength,
): number | undefined {
  const source = bytes.toString('latin1', lengthStart, lengthEnd)
  if (DIGITS.test(source)) return Number(source)
  const reference = REFERENCE.exec(source)
  return reference ? resolveLength(Number(reference[1]), Number(reference[2])) : undefined
}

/** The values of an object stream, by offsets of its decoded data. */
export interface ScannedObjectStream {
  readonly numbers: readonly number[]
  /** Of each value: where it begins and ends. */
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
  scanner.skipWhiteSpace()
  if (!scanner.isAtEnd) throw new AmbiguousSyntax('OBJECT_STREAM_ODD', scanner.position)
  return { start: valueStart, end: valueEnd }
}
