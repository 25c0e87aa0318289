/**
 * Where objects lie: cross-reference tables and streams, looked up without reading them whole (ISO
 * 32000-2, 7.5.4, 7.5.8).
 */
import type { Buffer } from 'node:buffer'

import { PadesError } from '../errors.ts'
import { isDigit } from './characters.ts'
import { MAX_OBJECT_NUMBER, MAX_OBJECTS, MAX_SUBSECTIONS_UNINDEXED } from './limits.ts'
import type { Parser } from './parser.ts'
import { isArray, isInteger, type PdfDictionary, type PdfValue } from './values.ts'

export type CrossReferenceEntry =
  | { readonly kind: 'free' }
  | { readonly kind: 'plain'; readonly offset: number; readonly generation: number }
  | { readonly kind: 'compressed'; readonly container: number; readonly index: number }

/** Consecutive object numbers whose entries are decoded when asked for. */
export interface Subsection {
  readonly first: number
  readonly count: number
  /** @throws PadesError `DAMAGED` - the entry is not one */
  entryAt(index: number): CrossReferenceEntry
}

/** One section: what one revision says of the objects that it changes. */
export interface CrossReferenceSection {
  readonly kind: 'table' | 'stream'
  /** Offset in the file at which the section begins. */
  readonly offset: number
  /** The trailer, or the dictionary of the cross-reference stream. */
  readonly trailer: PdfDictionary
  readonly subsections: readonly Subsection[]
  /** The section at `/XRefStm` of a hybrid file, which tells what the table hides as free. */
  readonly hidden?: CrossReferenceSection
  /** In place of subsections: what a full scan of a damaged file found. */
  readonly scanned?: ReadonlyMap<number, CrossReferenceEntry>
}

const ENTRY_BYTES = 20
const FREE: CrossReferenceEntry = { kind: 'free' }

/**
 * Reads the subsections of a table and leaves the parser before `trailer`.
 *
 * @param parser behind the keyword `xref`
 * @throws PadesError `DAMAGED` - not a table
 */
export function readTable(bytes: Buffer, parser: Parser): Subsection[] {
  const subsections: Subsection[] = []
  while (!parser.takeKeyword('trailer')) {
    const first = parser.takeInteger()
    const count = first === undefined ? undefined : parser.takeInteger()
    if (first === undefined || count === undefined) throw new PadesError('DAMAGED')
    parser.skipWhiteSpace()
    if (count > 0) subsections.push(readTableSubsection(bytes, parser, first, count))
    if (subsections.length > MAX_OBJECTS) throw new PadesError('TOO_MANY_OBJECTS')
  }
  return subsections
}

function readTableSubsection(
  bytes: Buffer,
  parser: Parser,
  first: number,
  count: number,
): Subsection {
  const start = parser.position
  if (!hasRegularEntries(bytes, start, count)) return readOddEntries(parser, first, count)
  parser.position = start + ENTRY_BYTES * count
  return {
    // A widespread fault: the free head of the list, always object 0, is counted as object 1.
    first: first === 1 && isFreeHead(bytes, start) ? 0 : first,
    count,
    entryAt: (index) => entryOfTable(bytes, start + ENTRY_BYTES * index),
  }
}

/** Whether the first and the last of the entries of 20 bytes are where they should be. */
function hasRegularEntries(bytes: Buffer, start: number, count: number): boolean {
  const end = start + ENTRY_BYTES * count
  if (end > bytes.length) return false
  const looksRight = (at: number): boolean =>
    isDigit(bytes[at]) &&
    isDigit(bytes[at + 9]) &&
    bytes[at + 10] === 0x20 &&
    isDigit(bytes[at + 11]) &&
    isDigit(bytes[at + 15]) &&
    bytes[at + 16] === 0x20 &&
    (bytes[at + 17] === 0x6e || bytes[at + 17] === 0x66)
  return (
    looksRight(start) &&
    looksRight(end - ENTRY_BYTES) &&
    !isDigit(bytes[end - 1]) &&
    bytes[end - 1] !== 0x74
  )
}

function isFreeHead(bytes: Buffer, at: number): boolean {
  return bytes.toString('latin1', at, at + 18) === '0000000000 65535 f'
}

function entryOfTable(bytes: Buffer, at: number): CrossReferenceEntry {
  const offset = decimal(bytes, at, 10)
  const generation = decimal(bytes, at + 11, 5)
  const type = bytes[at + 17]
  if (type === 0x66) return FREE
  if (type !== 0x6e) throw new PadesError('DAMAGED')
  // Nothing but the header lies at 0: producers write it for objects that they never wrote.
  return offset === 0 ? FREE : { kind: 'plain', offset, generation }
}

function decimal(bytes: Buffer, at: number, digits: number): number {
  let value = 0
  for (let index = at; index < at + digits; index += 1) {
    if (!isDigit(bytes[index])) throw new PadesError('DAMAGED')
    value = value * 10 + (bytes[index] - 0x30)
  }
  return value
}

/** Entries of another length than 20 bytes, or fewer of them than promised. */
function readOddEntries(parser: Parser, first: number, count: number): Subsection {
  const entries: CrossReferenceEntry[] = []
  while (entries.length < count) {
    const start = parser.position
    const offset = parser.takeInteger()
    if (offset === undefined) break
    const generation = parser.takeInteger()
    if (generation === undefined) throw new PadesError('DAMAGED')
    if (parser.takeKeyword('f')) entries.push(FREE)
    else if (parser.takeKeyword('n')) {
      entries.push(offset === 0 ? FREE : { kind: 'plain', offset, generation })
    } else {
      // Two numbers alone begin the next subsection.
      parser.position = start
      break
    }
    if (entries.length > MAX_OBJECTS) throw new PadesError('TOO_MANY_OBJECTS')
  }
  return { first, count: entries.length, entryAt: (index) => entries[index] ?? FREE }
}

/**
 * Reads the subsections of a cross-reference stream.
 *
 * @param dictionary of the stream, values resolved
 * @param data decoded
 * @throws PadesError `DAMAGED` - widths or index are not right
 */
export function readStreamSubsections(dictionary: PdfDictionary, data: Buffer): Subsection[] {
  const widths = integers(dictionary.get('W'))
  if (widths?.length !== 3 || widths.some((width) => width > 8)) throw new PadesError('DAMAGED')
  const entryBytes = widths[0] + widths[1] + widths[2]
  if (entryBytes === 0) throw new PadesError('DAMAGED')
  const size = dictionary.get('Size')
  const index = integers(dictionary.get('Index')) ?? [0, isInteger(size) ? size : 0]
  const subsections: Subsection[] = []
  let start = 0
  for (let pair = 0; pair + 1 < index.length; pair += 2) {
    const from = start
    // An index that promises more than there is: what is there counts.
    const count = Math.min(index[pair + 1], Math.floor((data.length - from) / entryBytes))
    if (count <= 0) continue
    start += count * entryBytes
    subsections.push({
      first: index[pair],
      count,
      entryAt: (position) => entryOfStream(data, from + position * entryBytes, widths),
    })
  }
  return subsections
}

function integers(value: PdfValue | undefined): number[] | undefined {
  if (!isArray(value)) return undefined
  return value.map((item) => {
    if (!isInteger(item) || item < 0) throw new PadesError('DAMAGED')
    return item
  })
}

function entryOfStream(data: Buffer, at: number, widths: readonly number[]): CrossReferenceEntry {
  const [typeBytes, secondBytes, thirdBytes] = widths
  const type = typeBytes === 0 ? 1 : bigEndian(data, at, typeBytes)
  const second = bigEndian(data, at + typeBytes, secondBytes)
  const third = bigEndian(data, at + typeBytes + secondBytes, thirdBytes)
  if (type === 1) return second === 0 ? FREE : { kind: 'plain', offset: second, generation: third }
  if (type === 2) return { kind: 'compressed', container: second, index: third }
  // Other types are references to the null object (7.5.8.3).
  return FREE
}

function bigEndian(data: Buffer, at: number, width: number): number {
  let value = 0
  for (let index = at; index < at + width; index += 1) value = value * 256 + data[index]
  return value
}

/** Finds the entry of an object over all sections, newest first. */
export class CrossReferenceIndex {
  readonly #sections: readonly CrossReferenceSection[]
  readonly #isLong: boolean
  /** Made when it is asked: of the many states of a file, few are at a time. */
  #indexed: Map<number, CrossReferenceEntry> | undefined

  /** @param sections newest first */
  constructor(sections: readonly CrossReferenceSection[]) {
    this.#sections = sections
    const subsections = sections.reduce(
      (sum, { subsections: own, hidden }) => sum + own.length + (hidden?.subsections.length ?? 0),
      0,
    )
    this.#isLong = subsections > MAX_SUBSECTIONS_UNINDEXED
  }

  /** Lets go of what it made to find faster. */
  forget(): void {
    this.#indexed = undefined
  }

  find(number: number): CrossReferenceEntry | undefined {
    if (this.#isLong) return (this.#indexed ??= this.#index()).get(number)
    for (const section of this.#sections) {
      const entry = findInSection(section, number)
      if (entry) return entry
    }
    return undefined
  }

  /** One more than the highest object number of any section. */
  get size(): number {
    let size = 0
    for (const section of this.#sections) {
      for (const { first, count } of subsectionsOf(section)) size = Math.max(size, first + count)
      for (const number of section.scanned?.keys() ?? []) size = Math.max(size, number + 1)
    }
    return size
  }

  /** Calls back for each object that is not free, numbers ascending within a subsection. */
  forEachLive(visit: (number: number, entry: CrossReferenceEntry) => void): void {
    const indexed = this.#indexed ?? this.#index()
    for (const [number, entry] of indexed) if (entry.kind !== 'free') visit(number, entry)
  }

  #index(): Map<number, CrossReferenceEntry> {
    const indexed = new Map<number, CrossReferenceEntry>()
    let visited = 0
    for (const section of this.#sections) {
      const own = new Map<number, CrossReferenceEntry>(section.scanned)
      for (const { first, count, entryAt } of subsectionsOf(section)) {
        visited += count
        if (visited > MAX_OBJECTS) throw new PadesError('TOO_MANY_OBJECTS')
        for (let index = 0; index < count; index += 1) {
          const known = own.get(first + index)
          if (!known || (known.kind === 'free' && section.hidden)) {
            own.set(first + index, entryAt(index))
          }
        }
      }
      for (const [number, entry] of own) if (!indexed.has(number)) indexed.set(number, entry)
    }
    return indexed
  }
}

function subsectionsOf(section: CrossReferenceSection): readonly Subsection[] {
  return section.hidden
    ? [...section.subsections, ...section.hidden.subsections]
    : section.subsections
}

function findIn(
  subsections: readonly Subsection[],
  number: number,
): CrossReferenceEntry | undefined {
  for (const { first, count, entryAt } of subsections) {
    if (number >= first && number < first + count) return entryAt(number - first)
  }
  return undefined
}

/** In a hybrid file, what the table calls free may be hidden from old readers (7.5.8.4). */
function findInSection(
  section: CrossReferenceSection,
  number: number,
): CrossReferenceEntry | undefined {
  const entry = section.scanned?.get(number) ?? findIn(section.subsections, number)
  if (!section.hidden || (entry && entry.kind !== 'free')) return entry
  return findIn(section.hidden.subsections, number) ?? entry
}

export function isObjectNumber(number: number): boolean {
  return Number.isSafeInteger(number) && number > 0 && number <= MAX_OBJECT_NUMBER
}
