/** A PDF opened at its end: what is asked for is read, nothing else (ISO 32000-2, 7.5). */
import { Buffer } from 'node:buffer'

import { PadesError } from '../errors.ts'
import {
  type CrossReferenceEntry,
  CrossReferenceIndex,
  type CrossReferenceSection,
  isObjectNumber,
} from './cross-reference.ts'
import { readStreamSubsections } from './cross-reference-stream.ts'
import { readTable } from './cross-reference-table.ts'
import type { DocumentCipher } from './encryption/cipher.ts'
import { decryptedValue } from './encryption/decrypted-value.ts'
import { type Encryption, locked, openEncryption } from './encryption/encryption.ts'
import { isOneEncryption } from './encryption/one-encryption.ts'
import { decodeStream, type FilterStep } from './filters.ts'
import {
  HEADER_WINDOW_BYTES,
  MAX_INFLATED_BYTES,
  MAX_PARSED_LENGTHS,
  MAX_PARSED_WEIGHT,
  MAX_REFERENCE_HOPS,
  MAX_SECTIONS,
  MIN_PARSED_BYTES,
  TAIL_WINDOW_BYTES,
} from './limits.ts'
import { type ObjectStream, readObjectStream } from './object-stream.ts'
import { type IndirectObject, Parser } from './parser.ts'
import {
  isArray,
  isDictionary,
  isInteger,
  nameOf,
  type PdfArray,
  type PdfDictionary,
  PdfReference,
  PdfStream,
  type PdfValue,
} from './values.ts'

/** The name `Encrypt`, whose letters can be written as numbers (7.3.5). */
const ENCRYPT_NAME = /\/(?:E|#45)(?:n|#6[eE])(?:c|#63)(?:r|#72)(?:y|#79)(?:p|#70)(?:t|#74)/

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
export class PdfDocument {
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
  #index = new CrossReferenceIndex([])
  readonly #objects = new Map<number, PdfValue>()
  readonly #objectStreams = new Map<number, ObjectStream>()
  readonly #loading = new Set<number>()
  /** Undefined before it was asked for. */
  #encryption: { readonly opened: Encryption | undefined } | undefined
  #inflatedBytes = 0
  #parsedBytes = 0
  #parsedWeight = 0

  /** @throws PadesError `NOT_A_PDF` - no header in the first 1,024 bytes */
  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const window = this.bytes.subarray(0, HEADER_WINDOW_BYTES)
    this.headerOffset = window.indexOf('%PDF-', 0, 'latin1')
    if (this.headerOffset === -1) throw new PadesError('NOT_A_PDF')
  }

  /** Takes the sections from which objects are looked up. */
  useSections(sections: readonly CrossReferenceSection[], repaired: boolean): void {
    this.sections = sections
    this.repaired = repaired
    this.#index = new CrossReferenceIndex(sections)
    this.#objects.clear()
    this.#objectStreams.clear()
    this.#encryption = undefined
    this.trailer = sections.find(({ trailer }) => trailer.has('Root'))?.trailer ?? EMPTY
  }

  /**
   * Lets go of everything that was read, as if the document had just been opened: of a file with
   * many states, only the one that is looked at may take memory.
   */
  forget(): void {
    this.#index.forget()
    this.#objects.clear()
    this.#objectStreams.clear()
    this.#inflatedBytes = 0
    this.#parsedBytes = 0
    this.#parsedWeight = 0
  }

  /** Reads with a parser at an offset of the file and counts what it read. */
  parseAt<T>(offset: number, read: (parser: Parser) => T): T {
    const remaining = MAX_PARSED_WEIGHT - this.#parsedWeight
    const parser = new Parser(this.bytes, offset, this.bytes.length, remaining)
    try {
      return read(parser)
    } finally {
      this.#parsedWeight += parser.weight
      this.chargeBytes(parser.position - offset)
    }
  }

  /** @throws PadesError `LIMIT_EXCEEDED` - more was read than honest files make necessary */
  chargeBytes(count: number): void {
    this.#parsedBytes += count
    const read = this.bytes.length + this.#inflatedBytes
    const limit = Math.max(MIN_PARSED_BYTES, read * MAX_PARSED_LENGTHS)
    if (this.#parsedBytes > limit) throw new PadesError('LIMIT_EXCEEDED')
  }

  /**
   * One more than the highest object number that is in use, promised by `/Size`, or named by the
   * trailer: some files name objects there that do not exist, and nothing new may become one.
   */
  get size(): number {
    const promised = this.trailer.get('Size')
    const own = Math.max(this.#index.size, highestNumberIn(this.trailer) + 1)
    return isInteger(promised) && isObjectNumber(promised) ? Math.max(own, promised) : own
  }

  /** Where the object lies in this revision; undefined when nothing was ever said of it. */
  entryOf(number: number): CrossReferenceEntry | undefined {
    return this.#index.find(number)
  }

  /** A reference to the object with the generation that it has. */
  referenceTo(number: number): PdfReference {
    const entry = this.entryOf(number)
    return new PdfReference(number, entry?.kind === 'plain' ? entry.generation : 0)
  }

  /** Every object that is not free, by ascending number. */
  liveObjects(): LiveObject[] {
    const live: LiveObject[] = []
    this.#index.forEachLive((number, entry) => live.push({ number, entry }))
    return live.sort((a, b) => a.number - b.number)
  }

  /**
   * The value of an indirect object; null when it is free, missing or being read already.
   *
   * @throws PadesError `DAMAGED` - the cross-reference names a place where the object is not
   */
  get({ number, generation }: PdfReference): PdfValue {
    const known = this.#objects.get(number)
    if (known !== undefined) return known
    const entry = this.#index.find(number)
    if (!entry || entry.kind === 'free' || this.#loading.has(number)) return null
    if (entry.kind === 'plain' && entry.generation !== generation) return null
    this.#loading.add(number)
    try {
      const value = this.#load(number, entry)
      this.#objects.set(number, value)
      return value
    } finally {
      this.#loading.delete(number)
    }
  }

  /** Follows references until there is a value. */
  resolve(value: PdfValue | undefined): PdfValue {
    let current = value ?? null
    for (let hops = 0; current instanceof PdfReference; hops += 1) {
      if (hops >= MAX_REFERENCE_HOPS) return null
      current = this.get(current)
    }
    return current
  }

  /** The dictionary (also of a stream) that the value is or refers to. */
  dictionary(value: PdfValue | undefined): PdfDictionary | undefined {
    const resolved = this.resolve(value)
    if (resolved instanceof PdfStream) return resolved.dictionary
    return isDictionary(resolved) ? resolved : undefined
  }

  /** The array that the value is or refers to. */
  array(value: PdfValue | undefined): PdfArray | undefined {
    const resolved = this.resolve(value)
    return isArray(resolved) ? resolved : undefined
  }

  /** The text of the name that the value is or refers to, without its solidus. */
  name(value: PdfValue | undefined): string | undefined {
    return nameOf(this.resolve(value))
  }

  /** The whole number that the value is or refers to. */
  integer(value: PdfValue | undefined): number | undefined {
    const resolved = this.resolve(value)
    return isInteger(resolved) ? resolved : undefined
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
    if (this.sections.some(({ trailer }) => trailer.has('Encrypt'))) return true
    // Readers of a damaged file choose different trailers, and one may name an encryption.
    return this.repaired && ENCRYPT_NAME.test(this.bytes.toString('latin1'))
  }

  /**
   * How the document is encrypted; undefined when it is not. Strings of a locked document are
   * returned as the file has them, and its encrypted streams cannot be decoded.
   */
  get encryption(): Encryption | undefined {
    this.#encryption ??= { opened: this.#openEncryption() }
    return this.#encryption.opened
  }

  /** What decrypts strings and streams; undefined when they are not encrypted, or locked. */
  get cipher(): DocumentCipher | undefined {
    return this.encryption?.state === 'open' ? this.encryption.cipher : undefined
  }

  #openEncryption(): Encryption | undefined {
    if (!this.isEncrypted) return undefined
    if (this.repaired) return locked('DAMAGE')
    if (!isOneEncryption(this.sections)) return locked('CONTRADICTION')
    const value = this.trailer.get('Encrypt')
    // The common form is the only one that is judged; a dictionary in the trailer is rare.
    if (!(value instanceof PdfReference)) return locked('METHOD')
    const dictionary = this.#plainObject(value)
    if (!isDictionary(dictionary)) return locked('CONTRADICTION')
    // Some readers see no encryption where an integer is written as a real number.
    if (this.#hasReals(value)) return locked('METHOD')
    return openEncryption(dictionary, this.trailer.get('ID'))
  }

  /** The value of an object that is not in an object stream, as the file has it. */
  #plainObject({ number, generation }: PdfReference): PdfValue {
    const entry = this.#index.find(number)
    if (entry?.kind !== 'plain' || entry.generation !== generation) return null
    const object = this.#objectAt(entry.offset + this.offsetBase)
    return object?.number === number ? object.value : null
  }

  /** Whether the source of an object that is not in an object stream has numbers with a point. */
  #hasReals({ number }: PdfReference): boolean {
    const entry = this.#index.find(number)
    if (entry?.kind !== 'plain') return false
    return this.parseAt(entry.offset + this.offsetBase, (parser) => {
      parser.readIndirectObject()
      return parser.hasReals
    })
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
    const filters = this.#filtersOf(stream.dictionary)
    const remaining = MAX_INFLATED_BYTES - this.#inflatedBytes
    const data = decodeStream(this.decrypted(stream), filters, remaining)
    if (filters.length > 0) this.#inflatedBytes += data.length
    return data
  }

  /** A stream's bytes as they are in the file. */
  encoded(stream: PdfStream): Buffer {
    const { bytes } = this
    const length = this.integer(stream.dictionary.get('Length'))
    if (length !== undefined && length >= 0 && stream.start + length <= bytes.length) {
      const end = stream.start + length
      const isThere = this.parseAt(end, (parser) => parser.takeKeyword('endstream'))
      if (isThere) return bytes.subarray(stream.start, end)
    }
    const found = bytes.indexOf('endstream', stream.start, 'latin1')
    const end = found === -1 ? bytes.length : found
    this.chargeBytes(end - stream.start)
    return bytes.subarray(stream.start, end)
  }

  /**
   * A stream's bytes as its filters take them.
   *
   * @throws PadesError `DAMAGED` - they cannot be decrypted
   */
  decrypted(stream: PdfStream): Buffer {
    const encoded = this.encoded(stream)
    const { encryptedFor } = stream
    if (!encryptedFor) return encoded
    const data = this.cipher?.decrypt('streams', encryptedFor, encoded)
    if (!data) throw new PadesError('DAMAGED')
    return Buffer.from(data.buffer, data.byteOffset, data.length)
  }

  #filtersOf(dictionary: PdfDictionary): FilterStep[] {
    const filter = this.resolve(dictionary.get('Filter') ?? dictionary.get('F'))
    const parameters = this.resolve(dictionary.get('DecodeParms') ?? dictionary.get('DP'))
    const names = isArray(filter) ? filter : [filter]
    const sets = isArray(parameters) ? parameters : [parameters]
    return names.flatMap((item, index) => {
      const name = this.name(item)
      if (name === undefined) return []
      const set = this.dictionary(sets[index])
      return [set ? { name, parameters: this.resolvedEntries(set) } : { name }]
    })
  }

  /** A copy of a dictionary without references in its values. */
  resolvedEntries(dictionary: PdfDictionary): PdfDictionary {
    return new Map([...dictionary].map(([key, value]) => [key, this.resolve(value)]))
  }

  #load(number: number, entry: CrossReferenceEntry): PdfValue {
    if (entry.kind === 'free') return null
    if (entry.kind === 'compressed') {
      return this.#loadCompressed(number, entry.container, entry.index)
    }
    const object = this.#objectAt(entry.offset + this.offsetBase)
    if (object?.number === number) return this.#decryptedObject(object)
    if (this.repaired) return null
    throw new PadesError('DAMAGED')
  }

  #decryptedObject({ number, generation, value }: IndirectObject): PdfValue {
    const { cipher } = this
    if (!cipher || this.isEncryptionDictionary(number)) return value
    return decryptedValue(cipher, new PdfReference(number, generation), value)
  }

  #objectAt(offset: number): IndirectObject | undefined {
    if (offset >= this.bytes.length) return undefined
    return this.parseAt(offset, (parser) => parser.readIndirectObject())
  }

  /**
   * The object stream of a number, decoded; undefined when there is none.
   *
   * @throws PadesError `DAMAGED`, `LIMIT_EXCEEDED`
   */
  objectStream(container: number): ObjectStream | undefined {
    const known = this.#objectStreams.get(container)
    if (known) return known
    const entry = this.#index.find(container)
    // An object stream is never in an object stream (7.5.7): no recursion.
    const stream =
      entry?.kind === 'plain' ? this.get(new PdfReference(container, entry.generation)) : null
    if (!(stream instanceof PdfStream)) return undefined
    const objects = readObjectStream(this.resolvedEntries(stream.dictionary), this.decode(stream))
    this.#objectStreams.set(container, objects)
    return objects
  }

  #loadCompressed(number: number, container: number, index: number): PdfValue {
    const objects = this.objectStream(container)
    const position = objects?.find(number, index)
    if (objects && position !== undefined) {
      const remaining = MAX_PARSED_WEIGHT - this.#parsedWeight
      const parser = new Parser(objects.data, position, objects.data.length, remaining)
      try {
        return parser.readValue()
      } finally {
        this.#parsedWeight += parser.weight
        this.chargeBytes(parser.position - position)
      }
    }
    if (this.repaired) return null
    throw new PadesError('DAMAGED')
  }

  /**
   * Reads the chain of cross-reference sections from the end of the file.
   *
   * @throws PadesError `DAMAGED` - it cannot be found, or leads to something else; {@link catalog}
   *   checks whether it names a catalog
   * @throws PadesError `TOO_MANY_OBJECTS`, `LIMIT_EXCEEDED`
   */
  readSections(): void {
    const { bytes } = this
    const tailStart = Math.max(0, bytes.length - TAIL_WINDOW_BYTES)
    const found = bytes.subarray(tailStart).lastIndexOf('startxref', undefined, 'latin1')
    if (found === -1) throw new PadesError('DAMAGED')
    const targetAt = tailStart + found + 'startxref'.length
    const target = this.parseAt(targetAt, (parser) => parser.takeInteger())
    if (target === undefined) throw new PadesError('DAMAGED')
    const bases = this.headerOffset === 0 ? [0] : [this.headerOffset, 0]
    const base = bases.find((candidate) => this.#isSectionAt(target + candidate))
    if (base === undefined) throw new PadesError('DAMAGED')
    this.offsetBase = base
    this.useSections(this.#chainFrom(target), false)
  }

  #isSectionAt(offset: number): boolean {
    if (offset >= this.bytes.length) return false
    return this.parseAt(offset, (parser) => {
      if (parser.takeKeyword('xref')) return true
      return (
        parser.takeInteger() !== undefined &&
        parser.takeInteger() !== undefined &&
        parser.takeKeyword('obj')
      )
    })
  }

  #chainFrom(target: number): CrossReferenceSection[] {
    const sections: CrossReferenceSection[] = []
    const visited = new Set<number>()
    let next: number | undefined = target
    while (next !== undefined && !visited.has(next)) {
      if (sections.length >= MAX_SECTIONS) throw new PadesError('LIMIT_EXCEEDED')
      visited.add(next)
      const section = this.#sectionAt(next + this.offsetBase)
      const hiddenAt = section.kind === 'table' ? section.trailer.get('XRefStm') : undefined
      const hidden = isInteger(hiddenAt) ? this.#sectionAt(hiddenAt + this.offsetBase) : undefined
      if (hidden?.kind === 'table') throw new PadesError('DAMAGED')
      sections.push(hidden ? { ...section, hidden } : section)
      const previous = section.trailer.get('Prev')
      // Zero means "none" in files of some producers.
      next = isInteger(previous) && previous > 0 ? previous : undefined
    }
    return sections
  }

  #sectionAt(offset: number): CrossReferenceSection {
    if (offset < 0 || offset >= this.bytes.length) throw new PadesError('DAMAGED')
    const table = this.parseAt(offset, (parser) => {
      if (!parser.takeKeyword('xref')) return undefined
      const subsections = readTable(this.bytes, parser)
      const trailer = parser.readValue()
      if (!isDictionary(trailer)) throw new PadesError('DAMAGED')
      return { kind: 'table', offset, trailer, subsections } as const
    })
    return table ?? this.readStreamSection(offset)
  }

  /** @throws PadesError `DAMAGED` - no cross-reference stream begins at the offset */
  readStreamSection(offset: number): CrossReferenceSection {
    const object = this.#objectAt(offset)
    if (!(object?.value instanceof PdfStream)) throw new PadesError('DAMAGED')
    const stream = object.value
    const data = this.decode(stream)
    const subsections = readStreamSubsections(this.resolvedEntries(stream.dictionary), data)
    return { kind: 'stream', offset, trailer: stream.dictionary, subsections }
  }
}
