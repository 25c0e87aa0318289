/**
 * Decodes fax data strictly (ITU-T T.4 and T.6; ISO 32000-2, 7.4.6): behind a code that does not
 * exist, each reader continues in another place, or fills the rest with a colour of its own.
 */
import type { Buffer } from 'node:buffer'
import {
  type CodeTable,
  FIRST_MAKE_UP,
  lengthOf,
  LONGEST_CODE,
  MODE,
  MODE_TABLE,
  RUNS,
  valueOf,
} from './fax-codes.ts'

const BITS_PER_BYTE = 8
/** An end of line has at least as many zeros before its one. */
const END_OF_LINE_ZEROS = 11
/** V8 can hold as many bits as a small integer. */
const PEEK_BYTES = 3

/** What the parameters of the filter say. */
export interface FaxOptions {
  /** Negative: every row refers to the row above; zero: none; positive: a bit says it. */
  readonly k: number
  readonly columns: number
  readonly rows: number
  readonly isAligned: boolean
}

/** Columns in which the colour changes: to black, to white, and so on. */
type Row = readonly number[]

/** Finds out whether fax data hold every row, in codes that exist. */
export function isWholeFax(data: Buffer, { k, columns, rows, isAligned }: FaxOptions): boolean {
  const bits = new FaxBits(data)
  let above: Row = []
  for (let row = 0; row < rows; row += 1) {
    if (isAligned) bits.align()
    const isMarked = k >= 0 && bits.takeEndOfLine()
    // Some readers expect the bit without an end of line, and others do not.
    if (k > 0 && !isMarked) return false
    const isDirect = k === 0 || (k > 0 && bits.take(1) === 1)
    const changes = isDirect ? readDirect(bits, columns) : readByRowAbove(bits, columns, above)
    if (!changes) return false
    above = changes
  }
  return true
}

/** Bits from the highest of each octet on; behind the end there are zeros. */
class FaxBits {
  readonly #data: Buffer
  #at = 0

  constructor(data: Buffer) {
    this.#data = data
  }

  #peek(): number {
    const byte = this.#at >> 3
    let value = 0
    for (let index = 0; index < PEEK_BYTES; index += 1) {
      value = (value << BITS_PER_BYTE) | (this.#data[byte + index] ?? 0)
    }
    const spare = PEEK_BYTES * BITS_PER_BYTE - LONGEST_CODE - (this.#at & 7)
    return (value >> spare) & ((1 << LONGEST_CODE) - 1)
  }

  take(count: number): number {
    const value = this.#peek() >> (LONGEST_CODE - count)
    this.#at += count
    return value
  }

  align(): void {
    this.#at = Math.ceil(this.#at / BITS_PER_BYTE) * BITS_PER_BYTE
  }

  /** @returns undefined when no code begins here, or the data end within it */
  code(table: CodeTable): number | undefined {
    const entry = table[this.#peek()]
    this.#at += lengthOf(entry)
    const isWhole = entry !== 0 && this.#at <= this.#data.length * BITS_PER_BYTE
    return isWhole ? valueOf(entry) : undefined
  }

  /** Skips an end of line, with the zeros that fill up the line before it. */
  takeEndOfLine(): boolean {
    const end = this.#data.length * BITS_PER_BYTE
    let at = this.#at
    while (at < end && (this.#data[at >> 3] & (0x80 >> (at & 7))) === 0) at += 1
    if (at === end || at - this.#at < END_OF_LINE_ZEROS) return false
    this.#at = at + 1
    return true
  }
}

/** The pixels of one colour. */
function readRun(bits: FaxBits, table: CodeTable): number | undefined {
  let run = 0
  for (;;) {
    const part = bits.code(table)
    if (part === undefined) return undefined
    run += part
    if (part < FIRST_MAKE_UP) return run
  }
}

/** T.4, 4.1: runs of white and black in turn, which fill the row. */
function readDirect(bits: FaxBits, columns: number): Row | undefined {
  const changes: number[] = []
  for (let at = 0; at < columns;) {
    const run = readRun(bits, RUNS[changes.length & 1])
    if (run === undefined || at + run > columns) return undefined
    at += run
    changes.push(at)
  }
  return changes
}

/** Changes of the row above that an offset of three columns can step back over. */
const STEPS_BACK = 4

/** T.4, 4.2 and T.6, 2.2. The names are those of the standard. */
function readByRowAbove(bits: FaxBits, columns: number, above: Row): Row | undefined {
  const changes: number[] = []
  const b = (index: number) => above[index] ?? columns
  let a0 = -1
  let index = 0
  while (a0 < columns) {
    const colour = changes.length & 1
    index = Math.max(0, index - STEPS_BACK)
    if ((index & 1) !== colour) index += 1
    while (b(index) <= a0 && b(index) < columns) index += 2
    const mode = bits.code(MODE_TABLE)
    if (mode === undefined) return undefined
    if (mode === MODE.pass) {
      a0 = b(index + 1)
      continue
    }
    if (mode === MODE.horizontal) {
      const first = readRun(bits, RUNS[colour])
      const second = readRun(bits, RUNS[colour ^ 1])
      if (first === undefined || second === undefined) return undefined
      const a1 = Math.max(a0, 0) + first
      a0 = a1 + second
      changes.push(a1, a0)
    } else {
      const a1 = b(index) + mode - MODE.vertical
      if (a1 <= a0) return undefined
      changes.push(a1)
      a0 = a1
    }
    if (a0 > columns) return undefined
  }
  return changes
}
