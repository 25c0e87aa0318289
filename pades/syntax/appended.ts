/**
 * Judges what was appended to a signed revision by the letter, with nothing tolerated: it consists
 * of the objects that its cross-reference names, the cross-reference and the end mark, and of
 * nothing else (ISO 32000-2, 7.5.6).
 */
import type { CrossReferenceSection } from '../pdf/cross-reference.ts'
import type { PdfDocument } from '../pdf/document.ts'
import { CR, LF, SPACE, TAB } from '../pdf/characters.ts'
import { MAX_OBJECTS } from '../pdf/limits.ts'
import { PadesError } from '../errors.ts'
import { checkCiphertext } from './ciphertext.ts'
import { AmbiguousSyntax, type Fault, type FaultCode } from './faults.ts'
import { scanCompressed, scanObject, scanObjectStreamIndex } from './objects.ts'
import type { ScanListener } from './listener.ts'
import { StrictScanner } from './scanner.ts'
import { isTableOverStream } from './judge.ts'
import { scanSection } from './sections.ts'
import { faultOf, type ObjectVersions, resolveLengthIn } from './versions.ts'

interface Interval {
  readonly start: number
  readonly end: number
}

/**
 * Makes a fault of what the grammar otherwise tolerates.
 *
 * @param known faults that the object had when it was signed: an editor that changes one of its
 *   entries keeps the rest
 */
function strictListener(known?: ReadonlySet<FaultCode>): ScanListener {
  return {
    tolerated(code: FaultCode, offset: number) {
      if (HARMLESS_EVERYWHERE.has(code) || known?.has(code)) return
      throw new AmbiguousSyntax(code, offset)
    },
    reference: () => undefined,
  }
}

/** What honest writers of signatures do, and no reader minds. */
const HARMLESS_EVERYWHERE: ReadonlySet<FaultCode> = new Set<FaultCode>([
  'OFFSET_BEFORE_HEADER',
  'NAME_NOT_ASCII',
  'NULL_ENTRY',
  'LENGTH_INEXACT',
  'NUMBER_LONG',
  'STRING_LINE_END',
])

/**
 * Judges the newest sections of a document.
 *
 * @param signed the oldest signed revision, up to its end
 * @param count sections that were appended behind it
 * @param versions of the document's objects
 * @returns for each section, newest first, the first fault of its revision
 * @throws PadesError `LIMIT_EXCEEDED`, `TOO_MANY_OBJECTS`
 */
export function judgeAppended(
  document: PdfDocument,
  signed: PdfDocument,
  count: number,
  versions: ObjectVersions,
): readonly (Fault | undefined)[] {
  const faults: (Fault | undefined)[] = Array<Fault | undefined>(count).fill(undefined)
  let end = signed.bytes.length
  for (let index = count - 1; index >= 0; index -= 1) {
    const section = document.sections[index]
    try {
      if (isTableOverStream(document.sections, index)) {
        throw new AmbiguousSyntax('SECTION_KINDS_MIXED', section.offset)
      }
      end = judgeRevision({ document, signed, versions }, section, end)
      if (index === 0) checkSize(document, section)
    } catch (error) {
      // What follows an odd revision is judged with it.
      faults.fill(faultOf(error), 0, index + 1)
      return faults
    }
  }
  return faults
}

interface Appending {
  readonly document: PdfDocument
  readonly signed: PdfDocument
  readonly versions: ObjectVersions
}

/**
 * @param start offset behind the revision before
 * @returns the offset behind the revision's end mark
 */
function judgeRevision(
  { document, signed, versions }: Appending,
  section: CrossReferenceSection,
  start: number,
): number {
  const { bytes } = document
  const from = signed.bytes.length
  const listener = strictListener()
  const resolve = resolveLengthIn(document)
  const own = scanSection(document, section, bytes.length, resolve, listener)
  if (section.offset < start) throw new AmbiguousSyntax('PREV_WRONG', section.offset)
  const end = scanEnd(document, section, own.end)
  const revision: Interval[] = [{ start: own.start, end }]
  const packed = new Map<number, Map<number, number>>()
  const containers = new Map<number, number>()
  let entries = 0
  for (const { first, count, entryAt } of section.subsections) {
    entries += count
    if (entries > MAX_OBJECTS) throw new PadesError('TOO_MANY_OBJECTS')
    for (let row = 0; row < count; row += 1) {
      const entry = entryAt(row)
      const number = first + row
      if (entry.kind === 'compressed') {
        const numbers = packed.get(entry.container) ?? new Map<number, number>()
        numbers.set(entry.index, number)
        packed.set(entry.container, numbers)
      } else if (entry.kind === 'plain') {
        const offset = entry.offset + document.offsetBase
        // What is named again without being written anew is where it was.
        if (offset < from || offset === own.start) continue
        if (offset > section.offset) throw new AmbiguousSyntax('HEADER_NOT_AT_OFFSET', offset)
        const place = { number, generation: entry.generation, offset, end: section.offset }
        const known = versions.versionIn(signed, number)?.tolerated
        const object = scanObject(bytes, place, resolve, strictListener(known))
        checkCiphertext(document, place, object)
        if (offset < start) continue
        revision.push({ start: object.start, end: object.end })
        if (object.data) containers.set(number, offset)
      }
    }
  }
  judgeContainers(document, packed, containers)
  checkTiling(document, revision, start, end)
  return end
}

/** Some readers drop objects that the newest Size does not cover. */
function checkSize({ size }: PdfDocument, { trailer, offset }: CrossReferenceSection): void {
  if (trailer.get('Size') !== size) throw new AmbiguousSyntax('SIZE_WRONG', offset)
}

/** `startxref`, the offset of the section and `%%EOF`, each on a line of its own. */
function scanEnd(document: PdfDocument, section: CrossReferenceSection, at: number): number {
  const { bytes, offsetBase } = document
  const scanner = new StrictScanner(bytes, at, bytes.length, strictListener())
  scanner.skipWhiteSpace()
  if (!scanner.takeKeyword('startxref')) scanner.fail('END_ODD')
  scanner.skipWhiteSpace()
  if (scanner.takeInteger() !== section.offset - offsetBase) scanner.fail('END_ODD')
  let end = scanner.position
  while (end < bytes.length && isWhite(bytes[end])) end += 1
  if (bytes.toString('latin1', end, end + 5) !== '%%EOF') scanner.fail('END_ODD')
  end += 5
  if (bytes[end] === CR) end += 1
  if (bytes[end] === LF) end += 1
  return end
}

const isWhite = (byte: number): boolean =>
  byte === SPACE || byte === LF || byte === CR || byte === TAB

/** An object stream holds what the section says of it, and nothing else. */
function judgeContainers(
  document: PdfDocument,
  packed: ReadonlyMap<number, ReadonlyMap<number, number>>,
  containers: ReadonlyMap<number, number>,
): void {
  const listener = strictListener()
  for (const [container, named] of packed) {
    const offset = containers.get(container)
    // Entries that lead to an older object stream are compared with what they were.
    if (offset === undefined) continue
    const stream = document.objectStream(container)
    if (!stream) throw new AmbiguousSyntax('OBJECT_STREAM_ODD', offset)
    const { numbers, ranges } = scanObjectStreamIndex(
      stream.data,
      stream.count,
      stream.first,
      listener,
    )
    const isNamed = numbers.every((number, index) => named.get(index) === number)
    if (!isNamed || named.size !== numbers.length) {
      throw new AmbiguousSyntax('OBJECT_STREAM_ODD', offset)
    }
    for (const range of ranges) scanCompressed(stream.data, range, listener)
  }
}

/** Nothing but white space lies between objects, and nothing within them looks like an object. */
function checkTiling(
  { bytes }: PdfDocument,
  intervals: Interval[],
  start: number,
  end: number,
): void {
  intervals.sort((a, b) => a.start - b.start)
  let at = start
  for (const interval of intervals) {
    if (interval.start < at) throw new AmbiguousSyntax('UNLISTED_BYTES', interval.start)
    for (; at < interval.start; at += 1) {
      if (!isWhite(bytes[at])) throw new AmbiguousSyntax('UNLISTED_BYTES', at)
    }
    at = interval.end
  }
  checkDecoys(bytes, new Set(intervals.map((interval) => interval.start)), start, end)
}

const OBJECT_HEADER = /(\d+)[\0\t\n\f\r ]+\d+[\0\t\n\f\r ]+$/
const HEADER_WINDOW_BYTES = 32

/** A reader that repairs a file looks for `obj` anywhere, also in strings and streams. */
function checkDecoys(bytes: Buffer, starts: ReadonlySet<number>, start: number, end: number): void {
  for (let at = bytes.indexOf('obj', start, 'latin1'); at !== -1 && at < end;) {
    const window = Math.max(start, at - HEADER_WINDOW_BYTES)
    const header = OBJECT_HEADER.exec(bytes.toString('latin1', window, at))
    if (header && !starts.has(window + header.index)) {
      throw new AmbiguousSyntax('DECOY_IN_STREAM', at)
    }
    at = bytes.indexOf('obj', at + 3, 'latin1')
  }
}
