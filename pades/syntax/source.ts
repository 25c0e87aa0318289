/**
 * Changes entries of objects in their source, byte for byte, so that everything else is what the
 * author wrote and what readers showed (ISO 32000-2, 7.3).
 *
 * Sources are strings of one character for each byte.
 */
import { Buffer } from 'node:buffer'
import { PadesError, PRINT_ANEW } from '../errors.ts'
import type { PdfDocument } from '../pdf/document.ts'
import { withStrings } from '../pdf/encryption/source-strings.ts'
import { MAX_REFERENCE_HOPS } from '../pdf/limits.ts'
import type { PdfReference } from '../pdf/values.ts'
import { AmbiguousSyntax, type FaultCode, FAULTS } from './faults.ts'
import { SILENT } from './listener.ts'
import { type ScannedEntry, StrictScanner } from './scanner.ts'
import { ObjectVersions } from './versions.ts'

const REFERENCE = /^(\d{1,7})\s+(\d{1,5})\s+R$/

/** Reads the sources of a document's objects. */
export class ObjectSources {
  readonly #document: PdfDocument
  readonly #versions: ObjectVersions

  constructor(document: PdfDocument) {
    this.#document = document
    this.#versions = new ObjectVersions(document)
  }

  /**
   * The source of the value of an indirect object that is not a stream; strings are not encrypted.
   *
   * @throws PadesError `AMBIGUOUS` when readers may understand it differently, `DAMAGED` when there
   *   is no such object
   */
  sourceOf({ number }: PdfReference): string {
    const version = this.#versions.versionIn(this.#document, number)
    if (version?.fault) throw ambiguous(version.fault.code, number)
    if (!version?.source || version.scanned?.data) throw new PadesError('DAMAGED')
    const start = version.scanned?.valueStart ?? version.start
    const end = version.scanned?.valueEnd ?? version.end
    const source = version.source.toString('latin1', start, end).trim()
    return version.scanned ? this.#decrypted(number, source) : source
  }

  /**
   * The source of an object of the file with its strings decrypted: the writer encrypts them again.
   */
  #decrypted(number: number, source: string): string {
    const { cipher } = this.#document
    if (!cipher) return source
    // The Contents of a signature is not encrypted, and must not change its bytes.
    if (source.includes('/ByteRange')) throw new PadesError('DEFIES_SIGNING')
    const owner = this.#document.referenceTo(number)
    return withStrings(source, (bytes) => {
      const decrypted = cipher.decrypt('strings', owner, bytes)
      if (!decrypted) throw ambiguous('CIPHERTEXT_ODD', number)
      return decrypted
    })
  }

  /** As {@link sourceOf} for a value, whose references are followed. */
  resolve(source: string): string {
    let current = source
    for (let hops = 0; hops < MAX_REFERENCE_HOPS; hops += 1) {
      const reference = REFERENCE.exec(current)
      if (!reference) return current
      current = this.sourceOf({ number: Number(reference[1]), generation: Number(reference[2]) })
    }
    throw new PadesError('DAMAGED')
  }
}

/**
 * What a person can do about syntax that readers may understand differently, and then, for those
 * who make PDFs, what it is and where.
 */
export function describeAmbiguity(
  code: FaultCode,
  { object, page }: { object?: number | undefined; page?: number | undefined } = {},
): string {
  const shown = page === undefined ? 'the document' : `page ${page}`
  const where = object === undefined ? '' : `, object ${object}`
  return (
    `PDF programs may show ${shown} differently; ${PRINT_ANEW}` +
    ` (${code}${where}: ${FAULTS[code].text})`
  )
}

const ambiguous = (code: FaultCode, object?: number): PadesError =>
  new PadesError('AMBIGUOUS', describeAmbiguity(code, { object }))

function entriesOf(dictionary: string): ScannedEntry[] {
  const entries: ScannedEntry[] = []
  const bytes = Buffer.from(dictionary, 'latin1')
  try {
    new StrictScanner(bytes, 0, bytes.length, SILENT).scanDictionary(
      (key, keyStart, valueStart, valueEnd) =>
        entries.push({ key, keyStart, valueStart, valueEnd }),
    )
  } catch (error) {
    if (error instanceof AmbiguousSyntax) throw ambiguous(error.code)
    throw error
  }
  return entries
}

/** The source of an entry's value; undefined when the dictionary lacks the entry. */
export function entryIn(dictionary: string, key: string): string | undefined {
  const entry = entriesOf(dictionary).find((candidate) => candidate.key === key)
  return entry && dictionary.slice(entry.valueStart, entry.valueEnd)
}

/**
 * The source of a dictionary with one entry replaced, added or, without a value, removed.
 *
 * @param key plain letters
 */
export function withEntry(dictionary: string, key: string, value: string | undefined): string {
  const entry = entriesOf(dictionary).find((candidate) => candidate.key === key)
  if (entry) {
    const before = dictionary.slice(0, value === undefined ? entry.keyStart : entry.valueStart)
    const after = dictionary.slice(entry.valueEnd)
    if (value === undefined) return `${before}${after}`
    // A value that begins with a letter or digit needs room before it.
    return `${before}${before.endsWith(`/${key}`) ? ' ' : ''}${value}${separated(after)}`
  }
  if (value === undefined) return dictionary
  return `${dictionary.slice(0, dictionary.lastIndexOf('>>'))} /${key} ${value} >>`
}

/** With a space before what is not separated by itself. */
const separated = (source: string): string => (/^[\s/>]/.test(source) ? source : ` ${source}`)

/** The source of an array with more items at its end. */
export function withItems(array: string, items: readonly string[]): string {
  return `${array.slice(0, array.lastIndexOf(']'))} ${items.join(' ')} ]`
}
