/** Bytes that are appended to, in a buffer that grows up to a limit. */
import { Buffer } from 'node:buffer'

import { PadesError } from '../errors.ts'

const INITIAL_BYTES = 65_536

export class GrowingBytes {
  readonly #maxBytes: number
  #buffer = Buffer.alloc(INITIAL_BYTES)
  #length = 0

  /** @param maxBytes that may be appended */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** In bytes. */
  get length(): number {
    return this.#length
  }

  /** A view on a part; it is valid until the next write. */
  view(start: number, end: number): Uint8Array {
    return this.#buffer.subarray(start, end)
  }

  /** Removes everything after the length. */
  truncate(length: number): void {
    this.#length = length
  }

  /**
   * Appends a text with one character for each byte.
   *
   * @throws PadesError `LIMIT_EXCEEDED`
   */
  write(source: string): void {
    const length = source.length
    this.#reserve(length)
    this.#length += this.#buffer.write(source, this.#length, length, 'latin1')
  }

  /** @throws PadesError `LIMIT_EXCEEDED` */
  writeBytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#buffer.set(bytes, this.#length)
    this.#length += bytes.length
  }

  #reserve(count: number): void {
    const needed = this.#length + count
    if (needed > this.#maxBytes) throw new PadesError('LIMIT_EXCEEDED')
    if (needed <= this.#buffer.length) return
    const grown = Buffer.alloc(Math.max(needed, this.#buffer.length * 2))
    grown.set(this.#buffer.subarray(0, this.#length))
    this.#buffer = grown
  }
}
