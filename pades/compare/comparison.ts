/**
 * Compares values of two readings of one file, object by object (ISO 32000-2, 7.3).
 *
 * Both readings are of the same bytes: a reference must be the same on both sides, and each object
 * behind one is compared once.
 */
import type { PdfDocument } from '../pdf/document.ts'
import { isSignatureDictionary } from '../pdf/encryption/decrypted-value.ts'
import {
  isArray,
  isDictionary,
  type PdfDictionary,
  PdfName,
  PdfReference,
  PdfStream,
  PdfString,
  type PdfValue,
} from '../pdf/values.ts'
import { type SecondReading, SecondStream } from './second-reading.ts'

const NOTHING: ReadonlySet<string> = new Set()

/** Readers round decimal fractions in their last bits, and some drop digits that far behind. */
const RELATIVE_TOLERANCE = 1e-9
const ABSOLUTE_TOLERANCE = 1e-12

const CARRIAGE_RETURN = 0x0d
const LINE_FEED = 0x0a
/** An end-of-line marker before `endstream` belongs to the data for some readers (7.3.8.1). */
const MAX_END_OF_LINE_BYTES = 2

type Pair = readonly [ours: PdfValue, theirs: PdfValue]

/** Walks both readings in step. */
export class Comparison {
  readonly document: PdfDocument
  readonly second: SecondReading
  readonly #numbersApart: ReadonlySet<number>
  readonly #compared = new Set<number>()
  #open: Pair[] = []

  /** @param numbersApart of objects that are compared on their own: pages, drawn annotations */
  constructor(document: PdfDocument, second: SecondReading, numbersApart: ReadonlySet<number>) {
    this.document = document
    this.second = second
    this.#numbersApart = numbersApart
  }

  /** Whether two values, and all that they lead to, are alike; a missing value equals null. */
  areAlike(ours: PdfValue | undefined, theirs: PdfValue | undefined): boolean {
    this.#open = [[ours ?? null, theirs ?? null]]
    return this.#areOpenAlike()
  }

  /**
   * As {@link areAlike} for the entries of two dictionaries.
   *
   * @param apart keys that are left out
   */
  areEntriesAlike(ours: PdfDictionary, theirs: PdfDictionary, apart: ReadonlySet<string>): boolean {
    this.#open = []
    this.#pushEntries(ours, theirs, apart)
    return this.#areOpenAlike()
  }

  /** The second reader's object, or undefined when it cannot be read. */
  theirObject(reference: PdfReference): PdfValue | undefined {
    try {
      return this.second.object(reference)
    } catch {
      return undefined
    }
  }

  #areOpenAlike(): boolean {
    for (let pair = this.#open.pop(); pair; pair = this.#open.pop()) {
      if (!this.#isPairAlike(...pair)) return false
    }
    return true
  }

  /** Compares the values themselves and leaves their parts on the list of open pairs. */
  #isPairAlike(ours: PdfValue, theirs: PdfValue): boolean {
    if (ours instanceof PdfReference) return this.#isReferenceAlike(ours, theirs)
    if (ours instanceof PdfStream) return this.#isStreamAlike(ours, theirs)
    if (isArray(ours)) {
      if (!isArray(theirs) || theirs.length !== ours.length) return false
      for (const [index, item] of ours.entries()) this.#open.push([item, theirs[index] ?? null])
      return true
    }
    if (isDictionary(ours)) {
      if (!isDictionary(theirs)) return false
      this.#pushEntries(ours, theirs, NOTHING)
      return true
    }
    return isScalarAlike(ours, theirs)
  }

  #isReferenceAlike(ours: PdfReference, theirs: PdfValue): boolean {
    const { number, generation } = ours
    if (!(theirs instanceof PdfReference)) {
      // A reader may leave out an entry whose object does not exist.
      return theirs === null && this.document.resolve(ours) === null
    }
    if (theirs.number !== number || theirs.generation !== generation) return false
    if (this.#compared.has(number) || this.#numbersApart.has(number)) return true
    this.#compared.add(number)
    const object = this.theirObject(ours)
    if (object === undefined) return false
    this.#open.push([this.document.get(ours), object])
    return true
  }

  #isStreamAlike(ours: PdfStream, theirs: PdfValue): boolean {
    if (!(theirs instanceof SecondStream)) return false
    this.#pushEntries(ours.dictionary, theirs.dictionary, NOTHING)
    const { length } = this.document.encoded(ours)
    if (length === 0 && theirs.length === 0) return true
    return ours.start === theirs.start && this.#isSameEnd(ours.start + length, theirs)
  }

  #isSameEnd(end: number, theirs: SecondStream): boolean {
    const theirEnd = theirs.start + theirs.length
    const between = this.document.bytes.subarray(Math.min(end, theirEnd), Math.max(end, theirEnd))
    const isEndOfLine = (byte: number) => byte === CARRIAGE_RETURN || byte === LINE_FEED
    return between.length <= MAX_END_OF_LINE_BYTES && between.every(isEndOfLine)
  }

  #pushEntries(ours: PdfDictionary, theirs: PdfDictionary, apart: ReadonlySet<string>): void {
    // A reader may decrypt the Contents of a signature, which is not encrypted (7.6.2).
    const isSignature = this.document.cipher !== undefined && isSignatureDictionary(ours)
    for (const [key, value] of ours) {
      if (apart.has(key) || (isSignature && key === 'Contents')) continue
      this.#open.push([value, theirs.get(key) ?? null])
    }
    for (const [key, value] of theirs) {
      if (ours.has(key) || apart.has(key)) continue
      this.#open.push([null, value])
    }
  }
}

function isScalarAlike(ours: PdfValue, theirs: PdfValue): boolean {
  if (ours instanceof PdfName) return theirs instanceof PdfName && theirs.value === ours.value
  if (ours instanceof PdfString) {
    return theirs instanceof PdfString && areSameBytes(ours.bytes, theirs.bytes)
  }
  if (typeof ours === 'number' && typeof theirs === 'number') {
    return Math.abs(ours - theirs) <= RELATIVE_TOLERANCE * Math.abs(ours) + ABSOLUTE_TOLERANCE
  }
  return ours === theirs
}

function areSameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index])
}
