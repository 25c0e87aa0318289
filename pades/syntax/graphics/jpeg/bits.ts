/** Reads the bits and the Huffman codes of JPEG data (ISO/IEC 10918-1, annexes C and F). */
import type { Buffer } from 'node:buffer'

const MAX_CODE_BITS = 16
const SHORT_BITS = 8
/** A fill adds whole bytes until a code of the longest length is there. */
const ENOUGH_BITS = 17

/** A table of codes; it maps each code to a symbol of 8 bits. */
export interface HuffmanTable {
  /** Length and symbol by the first 8 bits: `length << 8 | symbol`, 0 for longer codes. */
  readonly short: Uint16Array
  /** Highest code by length, -1 where a length has none. */
  readonly highest: Int32Array
  /** Index of the first symbol of a length, minus its first code. */
  readonly offsets: Int32Array
  readonly symbols: Uint8Array
}

/**
 * Builds a table (annex C.2).
 *
 * @param counts number of codes of each of the 16 lengths
 * @param symbols in the order of the codes
 * @returns undefined when a length has more codes than bits
 */
export function buildHuffmanTable(
  counts: Uint8Array,
  symbols: Uint8Array,
): HuffmanTable | undefined {
  const short = new Uint16Array(1 << SHORT_BITS)
  const highest = new Int32Array(MAX_CODE_BITS + 1).fill(-1)
  const offsets = new Int32Array(MAX_CODE_BITS + 1)
  let code = 0
  let index = 0
  for (let length = 1; length <= MAX_CODE_BITS; length += 1) {
    const count = counts[length - 1] ?? 0
    offsets[length] = index - code
    // No code consists of ones alone (C.2): libjpeg refuses such a table.
    if (count > 0 && code + count >= 1 << length) return undefined
    for (const end = index + count; index < end; index += 1, code += 1) {
      highest[length] = code
      if (length > SHORT_BITS) continue
      const first = code << (SHORT_BITS - length)
      short.fill((length << 8) | symbols[index], first, first + (1 << (SHORT_BITS - length)))
    }
    code <<= 1
  }
  return { short, highest, offsets, symbols }
}

/** Reads entropy-coded data from a scan header or a restart marker to the next marker. */
export class BitReader {
  readonly #data: Buffer
  #at: number
  #bits = 0
  #count = 0
  /** Bits behind the end of the piece, which are zero. */
  #missing = 0

  /** @param at offset of the first byte */
  constructor(data: Buffer, at: number) {
    this.#data = data
    this.#at = at
  }

  #fill(): void {
    while (this.#count < ENOUGH_BITS) {
      const byte = this.#data[this.#at]
      const isEnd = byte === undefined || (byte === 0xff && this.#data[this.#at + 1] !== 0)
      if (isEnd) this.#missing += 8
      else this.#at += byte === 0xff ? 2 : 1
      this.#bits = (this.#bits << 8) | (isEnd ? 0 : byte)
      this.#count += 8
    }
  }

  /** Reads up to 16 bits as a number. */
  read(length: number): number {
    if (length === 0) return 0
    if (this.#count < length) this.#fill()
    this.#count -= length
    return (this.#bits >>> this.#count) & ((1 << length) - 1)
  }

  /** Reads a difference of a size (F.2.2.1, EXTEND). */
  readSigned(size: number): number {
    const value = this.read(size)
    return size > 0 && value < 1 << (size - 1) ? value - (1 << size) + 1 : value
  }

  /** Reads a code. @returns its symbol, or -1 when the table lacks the code */
  decode(table: HuffmanTable): number {
    if (this.#count < ENOUGH_BITS - 1) this.#fill()
    const entry = table.short[(this.#bits >>> (this.#count - SHORT_BITS)) & 0xff]
    if (entry !== 0) {
      this.#count -= entry >> 8
      return entry & 0xff
    }
    for (let length = SHORT_BITS + 1; length <= MAX_CODE_BITS; length += 1) {
      const code = (this.#bits >>> (this.#count - length)) & ((1 << length) - 1)
      if (code > table.highest[length]) continue
      this.#count -= length
      return table.symbols[table.offsets[length] + code]
    }
    return -1
  }

  /** @returns offset of the marker behind the piece; undefined when bits lack or bytes are left */
  end(): number | undefined {
    if (this.#count < this.#missing) return undefined
    this.#fill()
    const isEnd = this.#missing > 0 && this.#count - this.#missing < 8
    return isEnd ? this.#at : undefined
  }
}
