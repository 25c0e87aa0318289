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

/** Digests of signed ranges, made when all that are wanted are known. */
export class RangeDigests {
  readonly #bytes: Uint8Array
  readonly #ranges: readonly SignedRange[]
  readonly #digests = new Map<string, ReadonlyMap<SignedRange, Uint8Array>>()
  readonly #wholes = new Map<string, Uint8Array>()

  constructor(bytes: Uint8Array, ranges: readonly SignedRange[]) {
    this.#bytes = bytes
    this.#ranges = [...ranges].sort((a, b) => a.holeStart - b.holeStart)
  }

  /** Digest of one of the ranges; undefined when hashing all of them would cost too much. */
  of(range: SignedRange, hash: string): Uint8Array | undefined {
    return this.#all(hash).get(range)
  }

  /** Digest of the whole file. */
  whole(hash: string): Uint8Array {
    this.#all(hash)
    return this.#wholes.get(hash) ?? createHash(hash).update(this.#bytes).digest()
  }

  #all(hash: string): ReadonlyMap<SignedRange, Uint8Array> {
    const known = this.#digests.get(hash)
    if (known) return known
    const digests = new Map<SignedRange, Uint8Array>()
    this.#digests.set(hash, digests)
    const state = createHash(hash)
    let hashed = 0
    let extra = 0
    const limit = Math.max(MIN_HASHED_BYTES, this.#bytes.length * MAX_HASHED_LENGTHS)
    for (const range of this.#ranges) {
      state.update(this.#bytes.subarray(hashed, range.holeStart))
      hashed = range.holeStart
      extra += range.end - range.holeEnd
      if (extra > limit) continue
      const own: Hash = state.copy()
      own.update(this.#bytes.subarray(range.holeEnd, range.end))
      digests.set(range, own.digest())
    }
    this.#wholes.set(hash, state.update(this.#bytes.subarray(hashed)).digest())
    return digests
  }
}
