/** A PDF opened at its end: what is asked for is read, nothing else (ISO 32000-2, 7.5). */
import { Buffer } from 'node:buffer'

import { PadesError } from '../errors.ts'
import {
  type CrossReferenceEntry,
  type CrossReferenceSection,
  isObjectNumber,
} from './cross-reference.ts'
import type { DocumentCipher } from './encryption/cipher.ts'
import { hasEncryption, openDocumentEncryption } from './encryption/document-encryption.ts'
import type { Encryption } from './encryption/encryption.ts'
import { HEADER_WINDOW_BYTES } from './limits.ts'
import { ObjectLoader } from './object-loader.ts'
import type { ObjectStream } from './object-stream.ts'
import type { Parser } from './parser.ts'
import { ReadingBudget } from './reading-budget.ts'
import { findNewestSection, readSectionChain } from './section-chain.ts'
import { decodedData, decryptedData, encodedData } from './stream-data.ts'
import { ValueReader } from './value-reader.ts'
import {
  isArray,
  isDictionary,
  isInteger,
  type PdfDictionary,
  PdfReference,
  type PdfStream,
  type PdfValue,
} from './values.ts'

/** Where an object of a document lies, as the incremental update writer must know it. */
export interface LiveObject {
  readonly number: number
  readonly entry: CrossReferenceEntry
}

const EMPTY: PdfDictionary = new Map()

/** Highest number of the objects to which a value refers; 0 when there is none. */
function highestNumberIn(value: PdfValue): number {
  if (value instanceof PdfReference) return isObjectNumber(value.number) ? value.number : 0
  if (!isArray(value) && !isDictionary(value)) return 0
  let highest = 0
  for (const item of value.values()) highest = Math.max(highest, highestNumberIn(item))
  return highest
}

/**
 * A PDF and the reading of its objects. Values are shared between callers and never change.
 *
 * Everything read counts against limits of the document, so that no file takes more than linear
 * time and bounded memory.
 */
export class PdfDocument extends ValueReader {
  /** A view on the caller's bytes. */
  readonly bytes: Buffer
  /** Offset of `%PDF-`. */
  readonly headerOffset: number
  /** What to add to offsets of the cross-reference sections to find bytes of the file. */
  offsetBase = 0
  /** Newest first; after a repair one made from the full scan. */
  sections: readonly CrossReferenceSection[] = []
  /** Whether the file had to be scanned for its objects. */
  repaired = false
  /**
   * After a repair, the numbers of which the scan found several objects: other readers may take
   * another one.
   */
  contested: ReadonlySet<number> = new Set()
  /** The newest trailer. */
  trailer: PdfDictionary = EMPTY
  readonly #budget: ReadingBudget
  readonly #loader: ObjectLoader
  /** Undefined before it was asked for. */
  #encryption: { readonly opened: Encryption | undefined } | undefined

  /** @throws PadesError `NOT_A_PDF` - no header in the first 1,024 bytes */
  constructor(bytes: Uint8Array) {
    super()
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const window = this.bytes.subarray(0, HEADER_WINDOW_BYTES)
    this.headerOffset = window.indexOf('%PDF-', 0, 'latin1')
    if (this.headerOffset === -1) throw new PadesError('NOT_A_PDF')
    this.#budget = new ReadingBudget(this.bytes.length)
    this.#loader = new ObjectLoader(this, this.#budget)
  }

  /**
   * Reads the chain of cross-reference sections from the end of the file.
   *
   * @throws PadesError `DAMAGED` - it cannot be found, or leads to something else; {@link catalog}
   *   checks whether it names a catalog
   * @throws PadesError `TOO_MANY_OBJECTS`, `LIMIT_EXCEEDED`
   */
  readSections(): void {
    const { target, base } = findNewestSection(this)
    this.offsetBase = base
    this.useSections(readSectionChain(this, this.#loader, target), false)
  }

  /** Takes the sections from which objects are looked up. */
  useSections(sections: readonly CrossReferenceSection[], repaired: boolean): void {
    this.sections = sections
    this.repaired = repaired
    this.#loader.useSections(sections)
    this.#encryption = undefined
    this.trailer = sections.find(({ trailer }) => trailer.has('Root'))?.trailer ?? EMPTY
  }

  /**
   * Lets go of everything that was read, as if the document had just been opened: of a file with
   * many states, only the one that is looked at may take memory.
   */
  forget(): void {
    this.#loader.forget()
    this.#budget.reset()
  }

  /** Reads with a parser at an offset of the file and counts what it read. */
  parseAt<T>(offset: number, read: (parser: Parser) => T): T {
    return this.#budget.parse(this.bytes, offset, read)
  }

  /** @throws PadesError `LIMIT_EXCEEDED` - more was read than honest files make necessary */
  chargeBytes(count: number): void {
    this.#budget.chargeBytes(count)
  }

  /**
   * One more than the highest object number that is in use, promised by `/Size`, or named by the
   * trailer: some files name objects there that do not exist, and nothing new may become one.
   */
  get size(): number {
    const promised = this.trailer.get('Size')
    const own = Math.max(this.#loader.index.size, highestNumberIn(this.trailer) + 1)
    return isInteger(promised) && isObjectNumber(promised) ? Math.max(own, promised) : own
  }

  /** Where the object lies in this revision; undefined when no section has an entry for it. */
  entryOf(number: number): CrossReferenceEntry | undefined {
    return this.#loader.index.find(number)
  }

  /** A reference to the object with the generation that it has. */
  referenceTo(number: number): PdfReference {
    const entry = this.entryOf(number)
    return new PdfReference(number, entry?.kind === 'plain' ? entry.generation : 0)
  }

  /** Every object that is not free, by ascending number. */
  liveObjects(): LiveObject[] {
    const live: LiveObject[] = []
    this.#loader.index.forEachLive((number, entry) => live.push({ number, entry }))
    return live.sort((a, b) => a.number - b.number)
  }

  /**
   * The value of an indirect object; null when it is free, missing or being read already.
   *
   * @throws PadesError `DAMAGED` - the cross-reference names a place where the object is not
   */
  get(reference: PdfReference): PdfValue {
    return this.#loader.get(reference)
  }

  /**
   * The object stream of a number, decoded; undefined when there is none.
   *
   * @throws PadesError `DAMAGED`, `LIMIT_EXCEEDED`
   */
  objectStream(container: number): ObjectStream | undefined {
    return this.#loader.objectStream(container)
  }

  /** The document catalog. @throws PadesError `DAMAGED` - there is none */
  get catalog(): PdfDictionary {
    const root = this.trailer.get('Root')
    const catalog = root instanceof PdfReference ? this.dictionary(root) : undefined
    if (!catalog) throw new PadesError('DAMAGED')
    return catalog
  }

  /** Whether any revision is encrypted. */
  get isEncrypted(): boolean {
    return hasEncryption(this)
  }

  /**
   * How the document is encrypted; undefined when it is not. Strings of a locked document are
   * returned as the file has them, and its encrypted streams cannot be decoded.
   */
  get encryption(): Encryption | undefined {
    this.#encryption ??= { opened: openDocumentEncryption(this, this.#loader) }
    return this.#encryption.opened
  }

  /** What decrypts strings and streams; undefined when they are not encrypted, or locked. */
  get cipher(): DocumentCipher | undefined {
    return this.encryption?.state === 'open' ? this.encryption.cipher : undefined
  }

  /** Whether an object is the encryption dictionary, whose strings are not encrypted (7.6.2). */
  isEncryptionDictionary(number: number): boolean {
    const value = this.trailer.get('Encrypt')
    return value instanceof PdfReference && value.number === number
  }

  /**
   * A stream's bytes through its filters (Flate, hexadecimal and base 85 with predictors).
   *
   * @throws PadesError `DAMAGED` - another filter, or data that cannot be decoded
   * @throws PadesError `LIMIT_EXCEEDED` - more than 96 MB in one document, or from suspiciously few
   */
  decode(stream: PdfStream): Buffer {
    return decodedData(this, stream, this.#budget)
  }

  /** A stream's bytes as they are in the file. */
  encoded(stream: PdfStream): Buffer {
    return encodedData(this, stream)
  }

  /**
   * A stream's bytes as its filters take them.
   *
   * @throws PadesError `DAMAGED` - they cannot be decrypted
   */
  decrypted(stream: PdfStream): Buffer {
    return decryptedData(this, stream)
  }
}
