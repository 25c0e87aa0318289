/**
 * The result of signing: the original, what was appended to it, and the whole when it is asked for.
 */
import { Buffer } from 'node:buffer'

import type { SignedDocument } from './request.ts'

/** Puts the file together only on demand: a store can write original and tail without that copy. */
export class SignedFile implements SignedDocument {
  readonly tail: Uint8Array
  readonly revisions: SignedDocument['revisions']
  readonly containers: SignedDocument['containers']
  readonly sha256: string
  readonly #original: Uint8Array
  #bytes: Uint8Array | undefined

  constructor(
    original: Uint8Array,
    { tail, revisions, containers, sha256 }: Omit<SignedDocument, 'bytes'>,
  ) {
    this.#original = original
    this.tail = tail
    this.revisions = revisions
    this.containers = containers
    this.sha256 = sha256
  }

  get bytes(): Uint8Array {
    if (!this.#bytes) {
      // Every byte is written here: no need for zeros.
      this.#bytes = Buffer.allocUnsafeSlow(this.#original.length + this.tail.length)
      this.#bytes.set(this.#original)
      this.#bytes.set(this.tail, this.#original.length)
    }
    return this.#bytes
  }
}
