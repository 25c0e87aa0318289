/** Appends revisions to a PDF whose bytes stay what they are (ISO 32000-2, 7.5.4 to 7.5.8). */
import { Buffer } from 'node:buffer'

import { PadesError } from '../errors.ts'
import { CR, LF } from './characters.ts'
import type { CrossReferenceEntry } from './cross-reference.ts'
import type { PdfDocument } from './document.ts'
import type { CipherOwner, DocumentCipher } from './encryption/cipher.ts'
import { withStrings } from './encryption/source-strings.ts'
import { MAX_OBJECT_NUMBER } from './limits.ts'
import { nameSource, serialise } from './serialise.ts'
import { isArray, type PdfReference, PdfString } from './values.ts'

/** Where a revision lies in the file. */
export interface Revision {
  readonly start: number
  /** Offset after its `%%EOF` line. */
  readonly end: number
}

/** What a cross-reference section says of one object. */
export interface Row {
  readonly number: number
  readonly entry: CrossReferenceEntry
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
const INITIAL_TAIL_BYTES = 65_536
/** Entries of a trailer or cross-reference stream that are about one section alone. */
const OWN_TRAILER_KEYS: ReadonlySet<string> = new Set([
  'Size',
  'Prev',
  'XRefStm',
  'ID',
  'Type',
  'W',
  'Index',
  'Length',
  'Filter',
  'DecodeParms',
  'DL',
  'F',
  'FFilter',
  'FDecodeParms',
])
/** The head of the list of free objects, in every section that starts at object 0. */
const FREE_HEAD: Row = { number: 0, entry: { kind: 'free' } }

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
  readonly #maxBytes: number
  readonly #kind: 'table' | 'stream'
  readonly #permanentId: PdfString | undefined
  #tail: Buffer
  #length = 0
  #nextNumber: number
  #rows: Row[] = []
  /** Offset of the section before, as `/Prev` gives it; undefined when there is none to trust. */
  #previous: number | undefined
  #revisionStart: number
  #madeId: string | undefined

  /** @param maxBytes of all revisions together */
  constructor(document: PdfDocument, maxBytes = MAX_APPENDED_BYTES) {
    this.#maxBytes = maxBytes
    const { bytes, sections, offsetBase, repaired, trailer } = document
    this.#document = document
    this.#cipher = document.cipher
    this.#base = offsetBase
    this.#originalLength = bytes.length
    this.#kind = sections[0]?.kind ?? 'table'
    this.#nextNumber = Math.max(1, document.size)
    this.#tail = Buffer.alloc(INITIAL_TAIL_BYTES)
    const id = document.array(trailer.get('ID'))
    const permanent = isArray(id) ? document.resolve(id[0]) : null
    this.#permanentId = permanent instanceof PdfString ? permanent : undefined
    this.#revisionStart = bytes.length
    const last = bytes[bytes.length - 1]
    if (last !== LF && last !== CR) this.#write('\n')
    if (repaired) {
      this.#rows = [FREE_HEAD, ...document.liveObjects()]
    } else {
      this.#previous = sections[0].offset - offsetBase
    }
  }

  /** Length of the file so far. */
  get length(): number {
    return this.#originalLength + this.#length
  }

  /** What was appended so far; a view that later writing may leave behind. */
  get tail(): Uint8Array {
    return this.#tail.subarray(0, this.#length)
  }

  /** A view on appended bytes, by offsets of the file. */
  view(start: number, end: number): Uint8Array {
    return this.#tail.subarray(start - this.#originalLength, end - this.#originalLength)
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
    this.#write(`${number} ${generation} obj\n`)
    const sourceStart = this.length
    if (stream === undefined) {
      this.#write(`${source}\nendobj\n`)
      return sourceStart
    }
    const close = source.lastIndexOf('>>')
    this.#write(`${source.slice(0, close)}/Length ${stream.length} >>\nstream\n`)
    this.#writeBytes(stream)
    this.#write('\nendstream\nendobj\n')
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
      length: this.#length,
      nextNumber: this.#nextNumber,
      rows: [...this.#rows],
      previous: this.#previous,
      revisionStart: this.#revisionStart,
    }
  }

  /** Takes back all that was written since the mark, also the end of the revision. */
  rewind(mark: Mark): void {
    this.#length = mark.length
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
    this.#write(`startxref\n${offset}\n%%EOF\n`)
    this.#rows = []
    this.#previous = offset
    this.#revisionStart = this.length
    return { start, end: this.length }
  }

  #trailerEntries(id: Uint8Array): string {
    const { trailer } = this.#document
    const changing = Buffer.from(id).toString('hex')
    this.#madeId ??= changing
    const permanent = this.#permanentId
      ? Buffer.from(this.#permanentId.bytes).toString('hex')
      : this.#madeId
    const kept = Array.from(trailer)
      .filter(([key]) => !OWN_TRAILER_KEYS.has(key))
      .map(([key, value]) => `${nameSource(key)} ${serialise(value)} `)
    const previous = this.#previous === undefined ? '' : `/Prev ${this.#previous} `
    return `/Size ${this.#nextNumber} ${kept.join('')}${previous}/ID [<${permanent}> <${changing}>]`
  }

  #writeTable(id: Uint8Array): void {
    let source = 'xref\n'
    for (const run of runsOf(this.#rows)) {
      source += `${run[0].number} ${run.length}\n`
      for (const { number, entry } of run) source += tableEntry(number, entry)
    }
    this.#write(`${source}trailer\n<< ${this.#trailerEntries(id)} >>\n`)
  }

  #writeStream(id: Uint8Array, offset: number): void {
    const number = this.reserve()
    this.#rows.push({ number, entry: { kind: 'plain', offset, generation: 0 } })
    const runs = runsOf(this.#rows)
    const fields = runs.flat().map(({ entry }) => streamFields(entry))
    const secondBytes = bytesFor(fields.reduce((most, [, second]) => Math.max(most, second), 0))
    const thirdBytes = bytesFor(fields.reduce((most, [, , third]) => Math.max(most, third), 0))
    const width = 1 + secondBytes + thirdBytes
    const data = Buffer.alloc(fields.length * width)
    for (const [row, [type, second, third]] of fields.entries()) {
      data[row * width] = type
      data.writeUIntBE(second, row * width + 1, secondBytes)
      data.writeUIntBE(third, row * width + 1 + secondBytes, thirdBytes)
    }
    const index = runs.map((run) => `${run[0].number} ${run.length}`).join(' ')
    this.#write(
      `${number} 0 obj\n<< /Type /XRef /W [1 ${secondBytes} ${thirdBytes}]` +
        ` /Index [${index}] ${this.#trailerEntries(id)} /Length ${data.length} >>\nstream\n`,
    )
    this.#writeBytes(data)
    this.#write('\nendstream\nendobj\n')
  }

  #write(source: string): void {
    const length = source.length
    this.#reserveBytes(length)
    this.#length += this.#tail.write(source, this.#length, length, 'latin1')
  }

  #writeBytes(bytes: Uint8Array): void {
    this.#reserveBytes(bytes.length)
    this.#tail.set(bytes, this.#length)
    this.#length += bytes.length
  }

  /** @throws PadesError `LIMIT_EXCEEDED` */
  #reserveBytes(count: number): void {
    const needed = this.#length + count
    if (needed > this.#maxBytes) throw new PadesError('LIMIT_EXCEEDED')
    if (needed <= this.#tail.length) return
    const grown = Buffer.alloc(Math.max(needed, this.#tail.length * 2))
    grown.set(this.#tail.subarray(0, this.#length))
    this.#tail = grown
  }
}

/** Rows by number, the last of each, cut where numbers are not consecutive. */
function runsOf(rows: readonly Row[]): Row[][] {
  const byNumber = new Map(rows.map((row) => [row.number, row]))
  const sorted = [...byNumber.values()].sort((a, b) => a.number - b.number)
  const runs: Row[][] = []
  let next = -1
  for (const row of sorted) {
    if (row.number === next) runs[runs.length - 1].push(row)
    else runs.push([row])
    next = row.number + 1
  }
  return runs
}

const padded = (value: number, digits: number): string => String(value).padStart(digits, '0')

function tableEntry(number: number, entry: CrossReferenceEntry): string {
  if (entry.kind === 'plain') {
    return `${padded(entry.offset, 10)} ${padded(entry.generation, 5)} n \n`
  }
  return number === 0 ? '0000000000 65535 f \n' : '0000000000 00000 f \n'
}

function streamFields(entry: CrossReferenceEntry): [type: number, second: number, third: number] {
  switch (entry.kind) {
    case 'free':
      return [0, 0, 65_535]
    case 'plain':
      return [1, entry.offset, entry.generation]
    case 'compressed':
      return [2, entry.container, entry.index]
  }
}

/** Octets of an unsigned number; six hold every offset that a number can be exact about. */
function bytesFor(value: number): number {
  let count = 1
  while (count < 6 && value >= 256 ** count) count += 1
  return count
}
