/** Loads the objects of a document where its cross-reference says that they are (7.5.4, 7.5.7). */
import { PadesError } from '../errors.ts'
import {
  type CrossReferenceEntry,
  CrossReferenceIndex,
  type CrossReferenceSection,
} from './cross-reference.ts'
import type { PdfDocument } from './document.ts'
import { decryptedValue } from './encryption/decrypted-value.ts'
import { type ObjectStream, readObjectStream } from './object-stream.ts'
import type { IndirectObject } from './parser.ts'
import type { ReadingBudget } from './reading-budget.ts'
import { PdfReference, PdfStream, type PdfValue } from './values.ts'

/** Keeps what it loaded until it is given other sections. */
export class ObjectLoader {
  readonly #document: PdfDocument
  readonly #budget: ReadingBudget
  #index = new CrossReferenceIndex([])
  readonly #objects = new Map<number, PdfValue>()
  readonly #objectStreams = new Map<number, ObjectStream>()
  readonly #loading = new Set<number>()

  constructor(document: PdfDocument, budget: ReadingBudget) {
    this.#document = document
    this.#budget = budget
  }

  /** Where the objects of the sections are. */
  get index(): CrossReferenceIndex {
    return this.#index
  }

  /** Takes the sections from which objects are looked up. */
  useSections(sections: readonly CrossReferenceSection[]): void {
    this.#index = new CrossReferenceIndex(sections)
    this.#objects.clear()
    this.#objectStreams.clear()
  }

  /** Forgets all loaded objects. */
  forget(): void {
    this.#index.forget()
    this.#objects.clear()
    this.#objectStreams.clear()
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

  /** The object that begins at an offset of the file, as the file has it. */
  objectAt(offset: number): IndirectObject | undefined {
    const { bytes } = this.#document
    if (offset >= bytes.length) return undefined
    return this.#budget.parse(bytes, offset, (parser) => parser.readIndirectObject())
  }

  /** The value of an object that is not in an object stream, as the file has it. */
  plainObject({ number, generation }: PdfReference): PdfValue {
    const entry = this.#index.find(number)
    if (entry?.kind !== 'plain' || entry.generation !== generation) return null
    const object = this.objectAt(entry.offset + this.#document.offsetBase)
    return object?.number === number ? object.value : null
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
    const entries = this.#document.resolvedEntries(stream.dictionary)
    const objects = readObjectStream(entries, this.#document.decode(stream))
    this.#objectStreams.set(container, objects)
    return objects
  }

  #load(number: number, entry: CrossReferenceEntry): PdfValue {
    if (entry.kind === 'free') return null
    if (entry.kind === 'compressed') {
      return this.#loadCompressed(number, entry.container, entry.index)
    }
    const object = this.objectAt(entry.offset + this.#document.offsetBase)
    if (object?.number === number) return this.#decryptedObject(object)
    return this.#missing()
  }

  #loadCompressed(number: number, container: number, index: number): PdfValue {
    const objects = this.objectStream(container)
    const position = objects?.find(number, index)
    if (!objects || position === undefined) return this.#missing()
    return this.#budget.parse(objects.data, position, (parser) => parser.readValue())
  }

  #decryptedObject({ number, generation, value }: IndirectObject): PdfValue {
    const { cipher } = this.#document
    if (!cipher || this.#document.isEncryptionDictionary(number)) return value
    return decryptedValue(cipher, new PdfReference(number, generation), value)
  }

  /** The value of an object that is not at its offset. */
  #missing(): null {
    if (this.#document.repaired) return null
    throw new PadesError('DAMAGED')
  }
}
