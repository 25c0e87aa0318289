/** Appends revisions to a PDF whose bytes stay what they are (ISO 32000-2, 7.5.4 to 7.5.8). */
import { Buffer } from 'node:buffer'

import { PadesError } from '../errors.ts'
import { CR, LF } from './characters.ts'
import {
  FREE_HEAD,
  keptTrailerEntries,
  type Row,
  streamSection,
  tableSource,
} from './cross-reference-source.ts'
import type { PdfDocument } from './document.ts'
import type { CipherOwner, DocumentCipher } from './encryption/cipher.ts'
import { withStrings } from './encryption/source-strings.ts'
import { GrowingBytes } from './growing-bytes.ts'
import { MAX_OBJECT_NUMBER } from './limits.ts'
import { isArray, type PdfReference, PdfString } from './values.ts'

/** Where a revision lies in the file. */
export interface Revision {
  readonly start: number
  /** Offset after its `%%EOF` line. */
  readonly end: number
}

/** A state of the writing to which {@link IncrementalUpdate.rewind} returns. */
export interface Mark {
  readonly length: number
  readonly nextNumber: number
  readonly rows: readonly Row[]
  readonly previous: number | undefined
  readonly revisionStart: number
}

/** Limit for all revisions together. */
const MAX_APPENDED_BYTES = 128 * 1_048_576
/**
 * Writes revisions behind a document. Objects go into the current revision until
 * {@link endRevision} closes it with a cross-reference section of the kind of the document's last
 * one. What was written can be changed in place as long as its length stays.
 *
 * Behind a document that had to be repaired, the first revision names all objects and leads back
 * to no earlier section: its readers then need no repair.
 */
export class IncrementalUpdate {
  readonly #document: PdfDocument
  readonly #cipher: DocumentCipher | undefined
  readonly #base: number
  readonly #originalLength: number
  readonly #tail: GrowingBytes
  readonly #kind: 'table' | 'stream'
  readonly #permanentId: PdfString | undefined
  #nextNumber: number
  #rows: Row[] = []
  /** Offset of the section before, as `/Prev` gives it; undefined when there is none to trust. */
  #previous: number | undefined
  #revisionStart: number
  #madeId: string | undefined

  /** @param maxBytes of all revisions together */
  constructor(document: PdfDocument, maxBytes = MAX_APPENDED_BYTES) {
    this.#tail = new GrowingBytes(maxBytes)
    const { bytes, sections, offsetBase, repaired, trailer } = document
    this.#document = document
    this.#cipher = document.cipher
    this.#base = offsetBase
    this.#originalLength = bytes.length
    this.#kind = sections[0]?.kind ?? 'table'
    this.#nextNumber = Math.max(1, document.size)
    const id = document.array(trailer.get('ID'))
    const permanent = isArray(id) ? document.resolve(id[0]) : null
    this.#permanentId = permanent instanceof PdfString ? permanent : undefined
    this.#revisionStart = bytes.length
    const last = bytes[bytes.length - 1]
    if (last !== LF && last !== CR) this.#tail.write('\n')
    if (repaired) {
      this.#rows = [FREE_HEAD, ...document.liveObjects()]
    } else {
      this.#previous = sections[0].offset - offsetBase
    }
  }

  /** Length of the file so far. */
  get length(): number {
    return this.#originalLength + this.#tail.length
  }

  /** What was appended so far; a view that later writing may leave behind. */
  get tail(): Uint8Array {
    return this.#tail.view(0, this.#tail.length)
  }

  /** A view on appended bytes, by offsets of the file. */
  view(start: number, end: number): Uint8Array {
    return this.#tail.view(start - this.#originalLength, end - this.#originalLength)
  }

  /**
   * Takes a number for an object that others name before it is written.
   *
   * @throws PadesError `TOO_MANY_OBJECTS` - the numbers of the file are used up
   */
  reserve(): number {
    if (this.#nextNumber > MAX_OBJECT_NUMBER) throw new PadesError('TOO_MANY_OBJECTS')
    this.#nextNumber += 1
    return this.#nextNumber - 1
  }

  /**
   * Adds an object of generation 0.
   *
   * @param source PDF source; of a stream its dictionary, to which `/Length` is added
   * @param stream encoded as the source's `/Filter` says
   * @returns its number
   */
  add(source: string, stream?: Uint8Array): number {
    const number = this.reserve()
    this.put(number, 0, source, stream)
    return number
  }

  /**
   * Writes an object whose number is known: a reserved one or one that the document has already.
   *
   * @param source strings and data are not encrypted; they are written as the document demands
   */
  put(number: number, generation: number, source: string, stream?: Uint8Array): void {
    const owner = { number, generation }
    const data = stream && (this.#cipher?.encrypt('streams', owner, stream) ?? stream)
    this.putAsIs(number, generation, this.withEncryptedStrings(owner, source), data)
  }

  /**
   * Source whose strings are encrypted for an object; the source itself in a document that is not
   * encrypted.
   */
  withEncryptedStrings(owner: CipherOwner, source: string): string {
    const cipher = this.#cipher
    if (!cipher) return source
    return withStrings(source, (bytes) => cipher.encrypt('strings', owner, bytes))
  }

  /**
   * As {@link put}, for source and data that are as the file must have them.
   *
   * @returns offset in the file at which `source` begins
   */
  putAsIs(number: number, generation: number, source: string, stream?: Uint8Array): number {
    const offset = this.length - this.#base
    this.#rows.push({ number, entry: { kind: 'plain', offset, generation } })
    this.#tail.write(`${number} ${generation} obj\n`)
    const sourceStart = this.length
    if (stream === undefined) {
      this.#tail.write(`${source}\nendobj\n`)
      return sourceStart
    }
    const close = source.lastIndexOf('>>')
    this.#tail.write(`${source.slice(0, close)}/Length ${stream.length} >>\nstream\n`)
    this.#tail.writeBytes(stream)
    this.#tail.write('\nendstream\nendobj\n')
    return sourceStart
  }

  /**
   * Writes an existing object with another source; one that lay in an object stream becomes a plain
   * one.
   */
  replace(reference: PdfReference, source: string): void {
    const isPlain = this.#document.entryOf(reference.number)?.kind === 'plain'
    this.put(reference.number, isPlain ? reference.generation : 0, source)
  }

  /** Remembers the state of the current revision. */
  mark(): Mark {
    return {
      length: this.#tail.length,
      nextNumber: this.#nextNumber,
      rows: [...this.#rows],
      previous: this.#previous,
      revisionStart: this.#revisionStart,
    }
  }

  /** Takes back all that was written since the mark, also the end of the revision. */
  rewind(mark: Mark): void {
    this.#tail.truncate(mark.length)
    this.#nextNumber = mark.nextNumber
    this.#rows = [...mark.rows]
    this.#previous = mark.previous
    this.#revisionStart = mark.revisionStart
  }

  /**
   * Closes the current revision with its cross-reference section, trailer and end mark.
   *
   * @param id 16 bytes that no other revision has; the first part of the document's `/ID` stays
   */
  endRevision(id: Uint8Array): Revision {
    const start = this.#revisionStart
    const offset = this.length - this.#base
    if (this.#kind === 'table') this.#writeTable(id)
    else this.#writeStream(id, offset)
    this.#tail.write(`startxref\n${offset}\n%%EOF\n`)
    this.#rows = []
    this.#previous = offset
    this.#revisionStart = this.length
    return { start, end: this.length }
  }

  #trailerEntries(id: Uint8Array): string {
    const changing = Buffer.from(id).toString('hex')
    this.#madeId ??= changing
    const permanent = this.#permanentId
      ? Buffer.from(this.#permanentId.bytes).toString('hex')
      : this.#madeId
    const kept = keptTrailerEntries(this.#document.trailer)
    const previous = this.#previous === undefined ? '' : `/Prev ${this.#previous} `
    return `/Size ${this.#nextNumber} ${kept}${previous}/ID [<${permanent}> <${changing}>]`
  }

  #writeTable(id: Uint8Array): void {
    this.#tail.write(`${tableSource(this.#rows)}trailer\n<< ${this.#trailerEntries(id)} >>\n`)
  }

  #writeStream(id: Uint8Array, offset: number): void {
    const number = this.reserve()
    this.#rows.push({ number, entry: { kind: 'plain', offset, generation: 0 } })
    const { entries, data } = streamSection(this.#rows)
    this.#tail.write(
      `${number} 0 obj\n<< /Type /XRef ${entries}` +
        ` ${this.#trailerEntries(id)} /Length ${data.length} >>\nstream\n`,
    )
    this.#tail.writeBytes(data)
    this.#tail.write('\nendstream\nendobj\n')
  }
}
