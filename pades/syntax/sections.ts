/** Scans cross-reference sections by the letter of ISO 32000-2, 7.5.4, 7.5.5 and 7.5.8. */
import type { Buffer } from 'node:buffer'
import { CLASS_OF, CR, isDigit, LF, SPACE, WHITE } from '../pdf/characters.ts'
import {
  CrossReferenceIndex,
  type CrossReferenceSection,
  type Subsection,
} from '../pdf/cross-reference.ts'
import type { PdfDocument } from '../pdf/document.ts'
import { isInteger, PdfReference, PdfStream } from '../pdf/values.ts'
import { AmbiguousSyntax } from './faults.ts'
import { type ResolveLength, type ScannedObject, scanObject } from './objects.ts'
import type { ScanListener } from './listener.ts'
import { StrictScanner } from './scanner.ts'

/** A section, by offsets of the file. */
export interface ScannedSection {
  readonly start: number
  /** Behind the trailer, or behind the `endobj` of the stream. */
  readonly end: number
}

const ROW_BYTES = 20
const LETTER_N = 0x6e
const LETTER_F = 0x66
/** One more than the highest number of an object (ISO 32000-1, annex C). */
const MAX_SIZE = 8_388_608
/** Bytes that a cross-reference stream may hold behind its last row: an end of line. */
const MAX_EXCESS_BYTES = 2

/**
 * Scans one section.
 *
 * @param end offset at which the readable bytes end
 * @throws AmbiguousSyntax
 */
export function scanSection(
  document: PdfDocument,
  section: CrossReferenceSection,
  end: number,
  resolveLength: ResolveLength,
  listener: ScanListener,
): ScannedSection {
  const scanned =
    section.kind === 'table'
      ? scanTable(document.bytes, section, end, listener)
      : scanStreamSection(document, section, end, resolveLength, listener)
  checkSubsections(section.subsections, section.offset)
  if (isZeroInUse(section)) listener.tolerated('OBJECT_ZERO', section.offset)
  if (section.hidden) {
    listener.tolerated('HYBRID', section.offset)
    scanStreamSection(document, section.hidden, end, resolveLength, listener)
    checkSubsections(section.hidden.subsections, section.hidden.offset)
  }
  return scanned
}

/** Object 0 is the head of the free ones (7.5.4). */
function isZeroInUse({ subsections }: CrossReferenceSection): boolean {
  return subsections.some(({ first, entryAt }) => first === 0 && entryAt(0).kind !== 'free')
}

/** One number in two subsections is the one or the other, as a reader likes. */
function checkSubsections(subsections: readonly Subsection[], offset: number): void {
  const sorted = [...subsections].sort((a, b) => a.first - b.first)
  for (const [index, { first }] of sorted.entries()) {
    const before = sorted[index - 1]
    if (before && before.first + before.count > first) {
      throw new AmbiguousSyntax('OBJECT_TWICE', offset)
    }
  }
}

function scanTable(
  bytes: Buffer,
  section: CrossReferenceSection,
  end: number,
  listener: ScanListener,
): ScannedSection {
  const { offset } = section
  const scanner = new StrictScanner(bytes, offset, end, listener)
  if (CLASS_OF[bytes[offset]] === WHITE) scanner.skipWhiteSpace()
  if (!scanner.takeKeyword('xref')) scanner.fail('SECTION_ODD')
  skipLineEnd(scanner, bytes)
  let subsections = 0
  let empty = 0
  for (;;) {
    scanner.skipWhiteSpace()
    if (scanner.takeKeyword('trailer')) break
    const first = takeCount(scanner)
    scanner.skipWhiteSpace()
    const count = takeCount(scanner)
    skipLineEnd(scanner, bytes)
    empty += count === 0 ? 1 : 0
    if (count > 0) {
      // The tolerant reader corrects the numbers of some producers; readers differ in that.
      if (section.subsections[subsections]?.first !== first) scanner.fail('SECTION_ODD')
      subsections += 1
    }
    scanRows(scanner, bytes, count, end)
  }
  // Some readers end the table at a subsection without rows.
  if (empty > 0 && subsections > 0) scanner.fail('SECTION_ODD')
  scanner.skipWhiteSpace()
  if (bytes[scanner.position] !== 0x3c) scanner.fail('SECTION_ODD')
  scanner.scanDictionary()
  checkTrailer(section, offset)
  return { start: offset, end: scanner.position }
}

function takeCount(scanner: StrictScanner): number {
  const value = scanner.takeInteger()
  if (value === undefined) throw new AmbiguousSyntax('SECTION_ODD', scanner.position)
  return value
}

/** Some readers skip the rest of the line behind `xref` and behind the header of a subsection. */
function skipLineEnd(scanner: StrictScanner, bytes: Buffer): void {
  const { position } = scanner
  scanner.skipWhiteSpace()
  const isLine = bytes
    .subarray(position, scanner.position)
    .some((byte) => byte === LF || byte === CR)
  if (!isLine) scanner.fail('SECTION_ODD', position)
}

function scanRows(scanner: StrictScanner, bytes: Buffer, count: number, end: number): void {
  let at = scanner.position
  if (at + count * ROW_BYTES > end) scanner.fail('ROWS_ODD')
  for (let row = 0; row < count; row += 1, at += ROW_BYTES) {
    if (!isRow(bytes, at)) scanner.fail('ROWS_ODD', at)
  }
  scanner.position = at
}

/** `0000000017 00000 n` and an end of line of two bytes. */
function isRow(bytes: Buffer, at: number): boolean {
  for (let index = 0; index < 16; index += 1) {
    const byte = bytes[at + index]
    if (index === 10 ? byte !== SPACE : !isDigit(byte)) return false
  }
  const type = bytes[at + 17]
  const last = bytes[at + 19]
  const beforeLast = bytes[at + 18]
  const isLineEnd =
    (beforeLast === SPACE && (last === LF || last === CR)) || (beforeLast === CR && last === LF)
  return bytes[at + 16] === SPACE && (type === LETTER_N || type === LETTER_F) && isLineEnd
}

function scanStreamSection(
  document: PdfDocument,
  section: CrossReferenceSection,
  end: number,
  resolveLength: ResolveLength,
  listener: ScanListener,
): ScannedSection {
  const { bytes } = document
  const header = document.parseAt(section.offset, (parser) => parser.readIndirectObject())
  if (!(header?.value instanceof PdfStream))
    throw new AmbiguousSyntax('SECTION_ODD', section.offset)
  const { number, generation, value } = header
  const place = { number, generation, offset: section.offset, end }
  const scanned = scanObject(bytes, place, resolveLength, listener)
  const { start, end: sectionEnd } = scanned
  checkWholeNumbers(bytes, scanned)
  checkOwnNumber(document, section, number, listener)
  checkTrailer(section, start)
  const widths = document.array(value.dictionary.get('W')) ?? []
  const rowBytes = widths.reduce<number>((sum, width) => sum + (isInteger(width) ? width : 0), 0)
  const rows = section.subsections.reduce((sum, { count }) => sum + count, 0)
  const index = document.array(value.dictionary.get('Index')) ?? [0, value.dictionary.get('Size')]
  const promised = index.reduce<number>(
    (sum, item, at) => sum + (at % 2 === 1 && isInteger(item) ? item : 0),
    0,
  )
  const data = document.decode(value)
  checkTypes(data, { rows, rowBytes, typeBytes: Number(widths[0] ?? 0) }, start)
  const excess = data.length - rows * rowBytes
  if (promised !== rows || excess < 0 || excess > MAX_EXCESS_BYTES) {
    throw new AmbiguousSyntax('SECTION_ODD', start)
  }
  for (const { count, entryAt } of section.subsections) {
    for (let row = 0; row < count; row += 1) entryAt(row)
  }
  return { start, end: sectionEnd }
}

/** Widths and indices are whole numbers, and are written so. */
function checkWholeNumbers(bytes: Buffer, { valueStart, valueEnd }: ScannedObject): void {
  const silent = { tolerated: () => undefined, reference: () => undefined }
  new StrictScanner(bytes, valueStart, valueEnd, silent).scanDictionary((key, _, start, end) => {
    if (key !== 'W' && key !== 'Index') return
    const point = bytes.subarray(start, end).indexOf('.')
    if (point !== -1) throw new AmbiguousSyntax('INTEGER_AS_REAL', start + point)
  })
}

/**
 * Some readers find a cross-reference stream by its number, whatever its rows say. Then no other
 * object may have the number.
 */
function checkOwnNumber(
  document: PdfDocument,
  section: CrossReferenceSection,
  number: number,
  listener: ScanListener,
): void {
  const { sections, offsetBase } = document
  const own = new CrossReferenceIndex([section]).find(number)
  if (!own) listener.tolerated('SECTION_UNLISTED', section.offset)
  const older = sections.slice(sections.indexOf(section) + 1)
  const entry = own ?? new CrossReferenceIndex(older).find(number)
  if (!entry || entry.kind === 'free') return
  const isOfSection =
    entry.kind === 'plain' &&
    [section, ...older].some(({ offset }) => offset === entry.offset + offsetBase)
  if (!isOfSection) throw new AmbiguousSyntax('SECTION_NUMBER_TAKEN', section.offset)
}

/** Rows of types that may come one day are free to some readers; others repair the file. */
function checkTypes(
  data: Buffer,
  { rows, rowBytes, typeBytes }: { rows: number; rowBytes: number; typeBytes: number },
  offset: number,
): void {
  if (typeBytes === 0) return
  for (let row = 0; row < rows; row += 1) {
    const at = row * rowBytes
    const isLow = data.subarray(at, at + typeBytes - 1).every((byte) => byte === 0)
    if (!isLow || data[at + typeBytes - 1] > 2) {
      throw new AmbiguousSyntax('ENTRY_TYPE_UNKNOWN', offset)
    }
  }
}

/** The entries on which the way to every object depends. */
function checkTrailer({ trailer }: CrossReferenceSection, offset: number): void {
  const previous = trailer.get('Prev')
  const size = trailer.get('Size')
  const root = trailer.get('Root')
  if (!isInteger(size) || size < 1 || size > MAX_SIZE) {
    throw new AmbiguousSyntax('SIZE_WRONG', offset)
  }
  if (previous !== undefined && !isInteger(previous))
    throw new AmbiguousSyntax('PREV_WRONG', offset)
  if (root !== undefined && !(root instanceof PdfReference)) {
    throw new AmbiguousSyntax('ROOT_WRONG', offset)
  }
}
