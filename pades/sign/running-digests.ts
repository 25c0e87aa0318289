/**
 * The digests of a growing file: each byte is hashed once, whatever number of signatures cover it.
 */
import { createHash, type Hash } from 'node:crypto'

import type { HashName } from '../cms/algorithms.ts'

/** Digest states over the beginning of a file that only grows; SHA-256 is always kept. */
export class RunningDigests {
  readonly #states: Map<HashName, Hash>

  /** @param sha256 over the file so far, taken over by this instance */
  constructor(sha256: Hash) {
    this.#states = new Map([['sha256', sha256]])
  }

  /** Takes in the next bytes of the file. */
  update(bytes: Uint8Array): void {
    for (const state of this.#states.values()) state.update(bytes)
  }

  /**
   * Keeps one more digest.
   *
   * @param soFar the file so far, which is hashed once more if the digest is new
   */
  include(name: HashName, soFar: readonly Uint8Array[]): void {
    if (this.#states.has(name)) return
    const state = createHash(name)
    for (const bytes of soFar) state.update(bytes)
    this.#states.set(name, state)
  }

  /** The digest of the bytes so far followed by others, which are not taken in. */
  digestWith(name: HashName, ...following: readonly Uint8Array[]): Uint8Array {
    const state = this.#states.get(name)?.copy()
    if (!state) throw new TypeError(`no digest state for ${name}`)
    for (const bytes of following) state.update(bytes)
    return state.digest()
  }
}

/** A file, and digests over it to go on with. */
export interface DigestedFile {
  readonly bytes: Uint8Array
  digests(): RunningDigests
}

/** A file with its SHA-256: who had to know that before lets the signing go on from it. */
export class HashedFile implements DigestedFile {
  readonly bytes: Uint8Array
  /** Lower-case hexadecimal. */
  readonly sha256: string
  readonly #state: Hash

  /** @param bytes not copied; they must not change any more */
  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.#state = createHash('sha256').update(bytes)
    this.sha256 = this.#state.copy().digest('hex')
  }

  /** Digests over the file, to go on with. */
  digests(): RunningDigests {
    return new RunningDigests(this.#state.copy())
  }
}
