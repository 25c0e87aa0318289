/**
 * The objects of a file as its revisions wrote them, each scanned once however many revisions show
 * it.
 */
import type { Buffer } from 'node:buffer'
import { PadesError } from '../errors.ts'
import type { CrossReferenceEntry } from '../pdf/cross-reference.ts'
import type { PdfDocument } from '../pdf/document.ts'
import { MAX_INFLATED_BYTES, MAX_PARSED_LENGTHS, MIN_PARSED_BYTES } from '../pdf/limits.ts'
import { PdfReference } from '../pdf/values.ts'
import { checkCiphertext, checkPlainStreams } from './ciphertext.ts'
import { AmbiguousSyntax, type Fault, type FaultCode } from './faults.ts'
import {
  type ObjectPlace,
  type ResolveLength,
  scanCompressed,
  type ScannedObject,
  type ScannedObjectStream,
  scanObject,
  scanObjectStreamIndex,
} from './objects.ts'
import { type ScanListener, SILENT } from './listener.ts'

/** An entry that leads to an object. */
export type LiveEntry = Exclude<CrossReferenceEntry, { kind: 'free' }>

/** An object as one revision wrote it. */
export interface ObjectVersion {
  readonly number: number
  /** The first ambiguous fault; the version then has no other content. */
  readonly fault?: Fault
  /** Faults that every reader takes alike. */
  readonly tolerated: ReadonlySet<FaultCode>
  /** Where its source lies: in the file, or in the data of an object stream. */
  readonly source?: Buffer
  readonly start: number
  readonly end: number
  /** For an object of the file. */
  readonly scanned?: ScannedObject
  /** Numbers and generations of the objects to which it refers, in turn. */
  readonly references: readonly number[]
  /** Keys whose values are whole numbers with a decimal point, in the order of the source. */
  readonly wholeReals: readonly string[]
}

/** More than generations of an object, and than objects of one object stream. */
const PLACES_AT_OFFSET = 1_048_576

const NONE: ReadonlySet<FaultCode> = new Set()

/** References kept for one document; as many as the tolerant reader would weigh. */
const MAX_REFERENCES = 2_000_000

/** Scans the versions of a document's objects, and keeps what it learnt. */
export class ObjectVersions {
  /** By {@link #placeOf}. */
  readonly #versions = new Map<number, ObjectVersion>()
  readonly #containers = new Map<number, ScannedObjectStream | Fault>()
  #references = 0
  #scannedBytes = 0
  #inflatedBytes = 0
  #readableBytes: number

  /** @param document the newest state of the file */
  constructor(document: PdfDocument) {
    this.#readableBytes = document.bytes.length
  }

  /** Objects may not overlap without end. */
  #charge(bytes: number): void {
    this.#scannedBytes += bytes
    const limit = Math.max(MIN_PARSED_BYTES, this.#readableBytes * MAX_PARSED_LENGTHS)
    if (this.#scannedBytes > limit) throw new PadesError('LIMIT_EXCEEDED')
  }

  #chargeInflated(bytes: number): void {
    this.#inflatedBytes += bytes
    if (this.#inflatedBytes > MAX_INFLATED_BYTES) throw new PadesError('LIMIT_EXCEEDED')
  }

  /**
   * The version of an object that a state of the document shows; undefined when it shows none.
   *
   * @param state a state of the same file
   * @throws PadesError `LIMIT_EXCEEDED`, `TOO_MANY_OBJECTS`
   */
  versionIn(state: PdfDocument, number: number): ObjectVersion | undefined {
    const entry = state.entryOf(number)
    if (!entry || entry.kind === 'free') return undefined
    const place = this.#placeOf(state, entry)
    const known = this.#versions.get(place)
    if (known?.number === number) return known
    const version = this.#scan(state, number, entry)
    this.#references += version.references.length
    if (this.#references > MAX_REFERENCES) throw new PadesError('LIMIT_EXCEEDED')
    this.#versions.set(place, version)
    return version
  }

  /** The same offset and generation, or the same index of the same object stream. */
  #placeOf(state: PdfDocument, entry: LiveEntry): number {
    if (entry.kind === 'plain') return entry.offset * PLACES_AT_OFFSET + entry.generation
    const holder = state.entryOf(entry.container)
    const offset = holder?.kind === 'plain' ? holder.offset : 0
    return -(offset * PLACES_AT_OFFSET + entry.index)
  }

  #scan(state: PdfDocument, number: number, entry: LiveEntry): ObjectVersion {
    const references: number[] = []
    const wholeReals: string[] = []
    let tolerated = NONE
    const listener: ScanListener = {
      tolerated(code) {
        if (!tolerated.has(code)) tolerated = new Set([...tolerated, code])
      },
      reference(target, generation) {
        references.push(target, generation)
      },
      wholeReal(key) {
        wholeReals.push(key)
      },
      inflated: (bytes) => this.#chargeInflated(bytes),
    }
    try {
      const found =
        entry.kind === 'plain'
          ? this.#scanPlain(state, number, entry, listener)
          : this.#scanPacked(state, number, entry, listener)
      return { number, ...found, references, tolerated, wholeReals }
    } catch (error) {
      const fault = faultOf(error, number)
      return { number, fault, start: 0, end: 0, references: [], tolerated: NONE, wholeReals: [] }
    }
  }

  #scanPlain(
    state: PdfDocument,
    number: number,
    { offset, generation }: Extract<LiveEntry, { kind: 'plain' }>,
    listener: ScanListener,
  ): Pick<ObjectVersion, 'source' | 'start' | 'end' | 'scanned'> {
    const place: ObjectPlace = {
      number,
      generation,
      offset: offset + state.offsetBase,
      end: state.bytes.length,
    }
    const scanned = scanObject(state.bytes, place, resolveLengthIn(state), listener)
    this.#charge(scanned.valueEnd - scanned.start)
    checkCiphertext(state, place, scanned)
    return { source: state.bytes, start: scanned.start, end: scanned.end, scanned }
  }

  #scanPacked(
    state: PdfDocument,
    number: number,
    { container, index }: Extract<LiveEntry, { kind: 'compressed' }>,
    listener: ScanListener,
  ): Pick<ObjectVersion, 'source' | 'start' | 'end'> {
    // ISO 32000-2, 7.5.7: a stream is never in an object stream, so that none contains itself.
    if (state.entryOf(container)?.kind === 'compressed') {
      throw new AmbiguousSyntax('OBJECT_STREAM_ODD', 0)
    }
    const holder = this.versionIn(state, container)
    if (holder?.fault) throw new AmbiguousSyntax(holder.fault.code, holder.fault.offset)
    const stream = holder?.scanned?.data && state.objectStream(container)
    if (!holder || !stream) throw new AmbiguousSyntax('OBJECT_STREAM_ODD', 0)
    let contents = this.#containers.get(holder.start)
    if (!contents) {
      contents = scannedContents(container, stream)
      this.#containers.set(holder.start, contents)
      this.#readableBytes += stream.data.length
    }
    if ('code' in contents) throw new AmbiguousSyntax(contents.code, contents.offset)
    const range = contents.ranges[index]
    if (contents.numbers[index] !== number) throw new AmbiguousSyntax('OBJECT_STREAM_ODD', 0)
    const value = scanCompressed(stream.data, range, listener)
    if (state.cipher) checkPlainStreams(state, state.get(new PdfReference(number, 0)), range.start)
    this.#charge(range.end - range.start)
    return { source: stream.data, ...value }
  }
}

type Contents = NonNullable<ReturnType<PdfDocument['objectStream']>>

function scannedContents(container: number, stream: Contents): ScannedObjectStream | Fault {
  try {
    return scanObjectStreamIndex(stream.data, stream.count, stream.first, SILENT)
  } catch (error) {
    return faultOf(error, container)
  }
}

/** The integer at which an indirect Length leads in a state of the document. */
export function resolveLengthIn(state: PdfDocument): ResolveLength {
  return (number, generation) => {
    const length = state.integer(new PdfReference(number, generation))
    return length !== undefined && length >= 0 ? length : undefined
  }
}

/** What cannot be read at all is as bad as what can be read in two ways. */
export function faultOf(error: unknown, object?: number): Fault {
  const place = object === undefined ? {} : { object }
  if (error instanceof AmbiguousSyntax) {
    return { code: error.code, ...place, offset: error.offset }
  }
  if (error instanceof PadesError && error.code === 'DAMAGED') {
    return { code: 'NOT_READABLE', ...place, offset: 0 }
  }
  throw error
}
