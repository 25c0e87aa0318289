/** Fetches the document in parts and checks that they are the document that is signed. */
import { sha256Hex } from '../lib/sha256.ts'

/** A part takes a third of a second on a slow phone line, of 1.6 Mbit/s. */
export const PART_BYTES = 64 * 1024
const FETCH_ATTEMPTS = 4
const RETRY_DELAY_MS = 1_500

export interface DocumentSource {
  sizeBytes: number
  /** SHA-256 in lower-case hexadecimal: the document that a signature is for. */
  sha256: string
  /** A link that works; asked for again when one has run out. */
  link(isFresh: boolean): Promise<string>
}

const later = (delayMs: number) => new Promise((resolve) => window.setTimeout(resolve, delayMs))

async function fetchRange(source: DocumentSource, begin: number, end: number): Promise<Uint8Array> {
  for (let attempt = 1; ; attempt++) {
    try {
      const url = await source.link(attempt > 1)
      const headers = { range: `bytes=${begin}-${end - 1}` }
      // A shared screen keeps no part of it; each visit has links of its own anyway.
      const response = await fetch(url, { headers, cache: 'no-store' })
      if (!response.ok) throw new Error(`the document answered ${response.status}`)
      const body = new Uint8Array(await response.arrayBuffer())
      const bytes = response.status === 206 ? body : body.subarray(begin, end)
      if (bytes.length !== end - begin) throw new Error('the document has another size')
      return bytes
    } catch (error) {
      if (attempt >= FETCH_ATTEMPTS) throw error
      await later(attempt * RETRY_DELAY_MS)
    }
  }
}

/**
 * The bytes of one document. Each part is fetched once and kept, so that the digest is that of the
 * bytes that were shown.
 */
export class DocumentBytes {
  readonly #source: DocumentSource
  readonly #whole: Uint8Array<ArrayBuffer>
  /** By number of the part; a part that could not be fetched is forgotten. */
  readonly #parts = new Map<number, Promise<void>>()
  #check: Promise<boolean> | undefined
  #isClosed = false

  constructor(source: DocumentSource) {
    this.#source = source
    this.#whole = new Uint8Array(source.sizeBytes)
  }

  /** Size of the whole document. */
  get sizeBytes(): number {
    return this.#whole.length
  }

  /** @returns a copy of the bytes from `begin` to before `end` */
  async read(begin: number, end: number): Promise<Uint8Array> {
    const first = Math.floor(begin / PART_BYTES)
    const count = Math.ceil(end / PART_BYTES) - first
    await Promise.all(Array.from({ length: count }, (_, index) => this.#part(first + index)))
    return this.#whole.slice(begin, end)
  }

  /** Begins to fetch what every reader of a PDF reads first: the head and the end. */
  begin(): void {
    const { length } = this.#whole
    if (length === 0) return
    // What cannot be fetched now is fetched again when it is read.
    this.read(0, 1).catch(() => undefined)
    this.read(length - 1, length).catch(() => undefined)
  }

  /** @returns all bytes, once they are known to be the document that a signature is for */
  async all(): Promise<Uint8Array<ArrayBuffer>> {
    if (!(await this.isGenuine())) throw new Error('this is another document')
    // Where the browser has no digests, parts may still be missing.
    await this.read(0, this.#whole.length)
    return this.#whole.slice()
  }

  /**
   * Fetches the parts that were not read yet, one after the other, and compares the digest of all.
   * A browser offers digests on HTTPS and on the same machine only; elsewhere this checks nothing.
   *
   * @returns whether this is the document that a signature is for
   */
  isGenuine(): Promise<boolean> {
    this.#check ??= this.#compare().catch((error: unknown) => {
      this.#check = undefined
      throw error
    })
    return this.#check
  }

  /** Ends a check that is under way, once the document is no longer shown. */
  close(): void {
    this.#isClosed = true
  }

  async #compare(): Promise<boolean> {
    if (!window.isSecureContext) return true
    const count = Math.ceil(this.#whole.length / PART_BYTES)
    for (let number = 0; number < count; number++) {
      if (this.#isClosed) throw new Error('the document was closed')
      await this.#part(number)
    }
    return (await sha256Hex(this.#whole)) === this.#source.sha256
  }

  #part(number: number): Promise<void> {
    const known = this.#parts.get(number)
    if (known) return known
    const begin = number * PART_BYTES
    const end = Math.min(begin + PART_BYTES, this.#whole.length)
    const part = fetchRange(this.#source, begin, end).then(
      (bytes) => this.#whole.set(bytes, begin),
      (error: unknown) => {
        this.#parts.delete(number)
        throw error
      },
    )
    this.#parts.set(number, part)
    return part
  }
}
