/** Reads length-prefixed messages of the sandbox from a stream. */
import { Buffer } from 'node:buffer'
import { LENGTH_BYTES } from './frames.ts'

/** Reads parts, each of which follows its length. */
export class FrameReader {
  readonly #chunks: AsyncIterator<Buffer>
  #left: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer>) {
    this.#chunks = source[Symbol.asyncIterator]()
  }

  async #take(length: number): Promise<Buffer> {
    const taken = Buffer.alloc(length)
    let filled = 0
    for (;;) {
      const copied = this.#left.copy(taken, filled, 0, length - filled)
      filled += copied
      this.#left = this.#left.subarray(copied)
      if (filled === length) return taken
      const { value, done } = await this.#chunks.next()
      if (done) throw new Error('the parts ended early')
      this.#left = value
    }
  }

  /**
   * Reads the next part.
   *
   * @param maximumBytes of the part
   * @throws Error when the source ends early, or the part is longer
   */
  async part(maximumBytes = Number.POSITIVE_INFINITY): Promise<Buffer> {
    const length = (await this.#take(LENGTH_BYTES)).readUInt32BE(0)
    if (length > maximumBytes) throw new Error(`a part of ${length} bytes is too long`)
    return this.#take(length)
  }
}
