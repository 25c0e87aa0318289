/**
 * Cross-reference tables (ISO 32000-2, 7.5.4): rows of 20 bytes such as `0000000017 00000 n`, which
 * are decoded when they are asked for.
 */
import type { Buffer } from 'node:buffer'
import { PadesError } from '../errors.ts'
import { DIGIT_ZERO, isDigit, SPACE } from './characters.ts'
import { FREE, type CrossReferenceEntry, type Subsection } from './cross-reference.ts'
import { MAX_OBJECTS } from './limits.ts'
import type { Parser } from './parser.ts'

const ENTRY_BYTES = 20
/** In use. */
const LETTER_N = 0x6e
/** Free. */
const LETTER_F = 0x66
const LETTER_T = 0x74

/**
 * Reads the subsections of a table and leaves the parser before `trailer`.
 *
 * @param parser behind the keyword `xref`
 * @throws PadesError `DAMAGED` - not a table
 * @throws PadesError `TOO_MANY_OBJECTS`
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

/**
 * Whether the first and the last of the entries of 20 bytes are where they should be. An entry that
 * lacks its last byte lets the `t` of `trailer` slip into the last one.
 */
function hasRegularEntries(bytes: Buffer, start: number, count: number): boolean {
  const end = start + ENTRY_BYTES * count
  if (end > bytes.length) return false
  const looksRight = (at: number): boolean =>
    isDigit(bytes[at]) &&
    isDigit(bytes[at + 9]) &&
    bytes[at + 10] === SPACE &&
    isDigit(bytes[at + 11]) &&
    isDigit(bytes[at + 15]) &&
    bytes[at + 16] === SPACE &&
    (bytes[at + 17] === LETTER_N || bytes[at + 17] === LETTER_F)
  return (
    looksRight(start) &&
    looksRight(end - ENTRY_BYTES) &&
    !isDigit(bytes[end - 1]) &&
    bytes[end - 1] !== LETTER_T
  )
}

function isFreeHead(bytes: Buffer, at: number): boolean {
  return bytes.toString('latin1', at, at + 18) === '0000000000 65535 f'
}

function entryOfTable(bytes: Buffer, at: number): CrossReferenceEntry {
  const offset = decimal(bytes, at, 10)
  const generation = decimal(bytes, at + 11, 5)
  const type = bytes[at + 17]
  if (type === LETTER_F) return FREE
  if (type !== LETTER_N) throw new PadesError('DAMAGED')
  // Nothing but the header lies at 0: producers write it for objects that they never wrote.
  return offset === 0 ? FREE : { kind: 'plain', offset, generation }
}

function decimal(bytes: Buffer, at: number, digits: number): number {
  let value = 0
  for (let index = at; index < at + digits; index += 1) {
    if (!isDigit(bytes[index])) throw new PadesError('DAMAGED')
    value = value * 10 + (bytes[index] - DIGIT_ZERO)
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
