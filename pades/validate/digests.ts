/**
 * Digests of all signed ranges of a document in one pass: states are carried from one to the next.
 */

import { createHash } from 'node:crypto'
import type { Hash } from 'node:crypto'

/** Bytes hashed for one document and one hash function, in lengths of the file. */
const MAX_HASHED_LENGTHS = 12
const MIN_HASHED_BYTES = 16_777_216

/** What is hashed for one signature: from 0 to `holeStart`, and from `holeEnd` to `end`. */
export interface SignedRange {
  readonly holeStart: number
  readonly holeEnd: number
  readonly end: number
}

/** Digests of signed ranges, made when all requested ones are known. */
export class RangeDigests {
  readonly #bytes: Uint8Array
  readonly #ranges: readonly SignedRange[]
  readonly #digests = new Map<string, ReadonlyMap<SignedRange, Uint8Array>>()
  readonly #prefixEnds: readonly number[]
  readonly #prefixes = new Map<string, ReadonlyMap<number, Uint8Array>>()
  readonly #start: number

  /**
   * @param prefixEnds offsets up to which digests of the file itself are needed
   * @param start what lies before this offset is left out of every digest
   */
  constructor(
    bytes: Uint8Array,
    ranges: readonly SignedRange[],
    prefixEnds: readonly number[] = [],
    start = 0,
  ) {
    this.#bytes = bytes
    this.#start = start
    this.#ranges = [...ranges].sort((a, b) => a.holeStart - b.holeStart)
    this.#prefixEnds = [...new Set([...prefixEnds, bytes.length])].sort((a, b) => a - b)
  }

  /** Digest of one of the ranges; undefined when hashing all of them would cost too much. */
  of(range: SignedRange, hash: string): Uint8Array | undefined {
    return this.#all(hash).get(range)
  }

  /** Digest of the whole file. */
  whole(hash: string): Uint8Array {
    return this.prefix(this.#bytes.length, hash)
  }

  /** Digest of the file up to an offset. */
  prefix(end: number, hash: string): Uint8Array {
    this.#all(hash)
    const known = this.#prefixes.get(hash)?.get(end)
    return known ?? createHash(hash).update(this.#between(0, end)).digest()
  }

  #between(from: number, to: number): Uint8Array {
    return this.#bytes.subarray(Math.max(from, this.#start), Math.max(to, this.#start))
  }

  #all(hash: string): ReadonlyMap<SignedRange, Uint8Array> {
    const known = this.#digests.get(hash)
    if (known) return known
    const digests = new Map<SignedRange, Uint8Array>()
    this.#digests.set(hash, digests)
    const prefixes = new Map<number, Uint8Array>()
    this.#prefixes.set(hash, prefixes)
    const state = createHash(hash)
    const ends = [...this.#prefixEnds]
    let hashed = 0
    const advance = (to: number): void => {
      state.update(this.#between(hashed, to))
      hashed = to
    }
    /** Takes the digests of prefixes that end before the next range begins. */
    const passEnds = (before: number): void => {
      for (let end = ends[0]; end !== undefined && end <= before; end = ends[0]) {
        advance(end)
        prefixes.set(end, state.copy().digest())
        ends.shift()
      }
    }
    let extra = 0
    const limit = Math.max(MIN_HASHED_BYTES, this.#bytes.length * MAX_HASHED_LENGTHS)
    for (const range of this.#ranges) {
      passEnds(range.holeStart)
      advance(range.holeStart)
      extra += range.end - range.holeEnd
      if (extra > limit) continue
      const own: Hash = state.copy()
      own.update(this.#between(range.holeEnd, range.end))
      digests.set(range, own.digest())
    }
    passEnds(this.#bytes.length)
    return digests
  }
}
