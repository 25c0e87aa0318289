/** What reading one document may cost: bytes that are parsed or inflated, and parsed values. */
import type { Buffer } from 'node:buffer'

import { PadesError } from '../errors.ts'
import {
  MAX_INFLATED_BYTES,
  MAX_PARSED_LENGTHS,
  MAX_PARSED_WEIGHT,
  MIN_PARSED_BYTES,
} from './limits.ts'
import { Parser } from './parser.ts'

/** Counts what was read of a document, so that no file takes more than linear time. */
export class ReadingBudget {
  readonly #fileBytes: number
  #inflatedBytes = 0
  #parsedBytes = 0
  #parsedWeight = 0

  /** @param fileBytes size of the document in bytes */
  constructor(fileBytes: number) {
    this.#fileBytes = fileBytes
  }

  /** How many more bytes streams may inflate to. */
  get inflatableBytes(): number {
    return MAX_INFLATED_BYTES - this.#inflatedBytes
  }

  /** Counts bytes that a stream inflated to. */
  chargeInflated(count: number): void {
    this.#inflatedBytes += count
  }

  /** @throws PadesError `LIMIT_EXCEEDED` - more was read than honest files make necessary */
  chargeBytes(count: number): void {
    this.#parsedBytes += count
    const read = this.#fileBytes + this.#inflatedBytes
    const limit = Math.max(MIN_PARSED_BYTES, read * MAX_PARSED_LENGTHS)
    if (this.#parsedBytes > limit) throw new PadesError('LIMIT_EXCEEDED')
  }

  /**
   * Reads with a parser and counts what it read.
   *
   * @param bytes the file, or the data of an object stream
   * @param offset where the parser begins in these bytes
   * @throws PadesError `LIMIT_EXCEEDED` and what the parser throws
   */
  parse<T>(bytes: Buffer, offset: number, read: (parser: Parser) => T): T {
    const remaining = MAX_PARSED_WEIGHT - this.#parsedWeight
    const parser = new Parser(bytes, offset, bytes.length, remaining)
    try {
      return read(parser)
    } finally {
      this.#parsedWeight += parser.weight
      this.chargeBytes(parser.position - offset)
    }
  }

  /** Counts from the beginning. */
  reset(): void {
    this.#inflatedBytes = 0
    this.#parsedBytes = 0
    this.#parsedWeight = 0
  }
}
