/** Decodes LZW data by the letter of ISO 32000-2, 7.4.4.2; readers differ on everything else. */
import { Buffer } from 'node:buffer'
import { PadesError } from '../errors.ts'
import type { DecodedData } from './content-filters.ts'

const CLEAR_TABLE = 256
const END_OF_DATA = 257
const FIRST_FREE_CODE = 258
const MIN_CODE_BITS = 9
const MAX_CODE_BITS = 12
const MAX_CODES = 1 << MAX_CODE_BITS
const BYTE_BITS = 8

/**
 * Decodes LZW data.
 *
 * @param earlyChange entry `EarlyChange`: by how many codes the width grows early, 0 or 1
 * @param maxBytes of decoded data
 * @returns undefined when the data do not begin with a clear-table code, hold a code that is not in
 *   the table or would overflow it, or lack the end-of-data code
 * @throws PadesError `LIMIT_EXCEEDED` - more than `maxBytes`
 */
export function decodeLzw(
  encoded: Buffer,
  earlyChange: 0 | 1,
  maxBytes: number,
): DecodedData | undefined {
  const codes = new CodeReader(encoded)
  const table = new SequenceTable(maxBytes)
  if (codes.read(MIN_CODE_BITS) !== CLEAR_TABLE) return undefined
  for (;;) {
    const code = codes.read(table.codeBits(earlyChange))
    if (code === undefined) return undefined
    if (code === END_OF_DATA) break
    if (code === CLEAR_TABLE) table.clear()
    else if (!table.take(code)) return undefined
  }
  return { data: table.decoded(), consumedBytes: codes.consumedBytes }
}

/** Reads codes, the highest bit first. */
class CodeReader {
  readonly #encoded: Buffer
  #at = 0
  #bits = 0
  #bitCount = 0

  constructor(encoded: Buffer) {
    this.#encoded = encoded
  }

  get consumedBytes(): number {
    return this.#at
  }

  /** @returns undefined at the end of the data */
  read(width: number): number | undefined {
    while (this.#bitCount < width) {
      if (this.#at >= this.#encoded.length) return undefined
      this.#bits = (this.#bits << BYTE_BITS) | this.#encoded[this.#at]
      this.#bitCount += BYTE_BITS
      this.#at += 1
    }
    this.#bitCount -= width
    const code = this.#bits >> this.#bitCount
    this.#bits &= (1 << this.#bitCount) - 1
    return code
  }
}

/** The sequences that codes name: each one is a part of the decoded data. */
class SequenceTable {
  readonly #maxBytes: number
  #out: Buffer = Buffer.alloc(4_096)
  #length = 0
  /** Offset in the decoded data of the sequence of each code from 258 on. */
  readonly #starts = new Uint32Array(MAX_CODES)
  readonly #lengths = new Uint32Array(MAX_CODES)
  #next = FIRST_FREE_CODE
  /** The sequence before: where it lies, and no bytes after a clear-table code. */
  #lastStart = 0
  #lastLength = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  clear(): void {
    this.#next = FIRST_FREE_CODE
    this.#lastLength = 0
  }

  /** Bits of the next code; the entry that it completes counts already. */
  codeBits(earlyChange: 0 | 1): number {
    const known = this.#next + (this.#lastLength > 0 ? 1 : 0) + earlyChange - 1
    let bits = MIN_CODE_BITS
    while (bits < MAX_CODE_BITS && known >= 1 << bits) bits += 1
    return bits
  }

  /** Appends the sequence of a code. @returns false when there is no such code */
  take(code: number): boolean {
    const start = this.#length
    if (this.#lastLength > 0) {
      if (this.#next >= MAX_CODES) return false
      // The sequence before, and the first byte of this one.
      this.#starts[this.#next] = this.#lastStart
      this.#lengths[this.#next] = this.#lastLength + 1
      this.#next += 1
    }
    if (code < CLEAR_TABLE) this.#append(code)
    else if (code >= FIRST_FREE_CODE && code < this.#next) this.#copy(code)
    else return false
    this.#lastStart = start
    this.#lastLength = this.#length - start
    return true
  }

  #append(byte: number): void {
    this.#makeRoom(1)
    this.#out[this.#length] = byte
    this.#length += 1
  }

  /** Byte by byte: a sequence may end with the first byte of itself. */
  #copy(code: number): void {
    const [start, length] = [this.#starts[code], this.#lengths[code]]
    this.#makeRoom(length)
    for (let index = 0; index < length; index += 1) {
      this.#out[this.#length + index] = this.#out[start + index]
    }
    this.#length += length
  }

  #makeRoom(bytes: number): void {
    const needed = this.#length + bytes
    if (needed > this.#maxBytes) throw new PadesError('LIMIT_EXCEEDED')
    if (needed <= this.#out.length) return
    const larger = Buffer.alloc(Math.max(needed, this.#out.length * 2))
    this.#out.copy(larger, 0, 0, this.#length)
    this.#out = larger
  }

  decoded(): Buffer {
    return this.#out.subarray(0, this.#length)
  }
}
