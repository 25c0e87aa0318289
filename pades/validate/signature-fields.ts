/** Finds every signature of a document by walking its form (ISO 32000-2, 12.7.5.5 and 12.8.1). */

import { PadesError } from '../errors.ts'
import { acroFormOf, readFields } from '../pdf/acro-form.ts'
import type { FormField } from '../pdf/acro-form.ts'
import type { PdfDocument } from '../pdf/document.ts'
import { PdfReference, PdfString, textKeyOf } from '../pdf/values.ts'
import type { PdfDictionary } from '../pdf/values.ts'

/** More signatures than a document of people has. */
export const MAX_SIGNATURES = 500

/** A signature dictionary and the field that shows it; nothing of it is checked yet. */
export interface FoundSignature {
  readonly field: FormField
  /** Whether the form leads to the field. */
  readonly isInForm: boolean
  readonly dictionary: PdfDictionary
  /** Number of the object that holds the dictionary; undefined when it is none of its own. */
  readonly object: number | undefined
  readonly subFilter: string
  readonly isDocumentTimeStamp: boolean
  /** As written; not checked. */
  readonly byteRange: readonly number[]
  /** Octets of `/Contents` with their padding. */
  readonly contents: Uint8Array
  /** `/M`, as far as it is a date. */
  readonly claimedSigningTime: Date | undefined
}

/** Missing fields that are looked for in the bytes of the file. */
const MAX_MISSING_SOUGHT = 20

/**
 * Fails when the form names a field that the cross-reference does not lead to but that is in the
 * file: a full scan would find it, and so do other readers.
 */
function assertFieldsAreFound(document: PdfDocument): void {
  const fields = document.array(acroFormOf(document)?.get('Fields')) ?? []
  const missing = fields.filter(
    (field) => field instanceof PdfReference && document.resolve(field) === null,
  )
  for (const field of missing.slice(0, MAX_MISSING_SOUGHT)) {
    const { number, generation } = field as PdfReference
    const header = document.bytes.indexOf(`\n${number} ${generation} obj`, 0, 'latin1')
    if (header !== -1) throw new PadesError('DAMAGED')
  }
}

/**
 * Signatures in the order of their byte ranges.
 *
 * @throws PadesError `LIMIT_EXCEEDED`; `DAMAGED` when a field is there but not found
 */
export function findSignatures(document: PdfDocument): FoundSignature[] {
  if (!document.repaired) assertFieldsAreFound(document)
  const fields = readFields(document).filter((field) => field.type === 'Sig')
  const found = fields.flatMap((field) => {
    const dictionary = document.dictionary(field.value)
    return dictionary ? [signatureOf(document, field, dictionary, true)] : []
  })
  if (found.length > MAX_SIGNATURES) throw new PadesError('LIMIT_EXCEEDED')
  return inOrder(found)
}

/** Signatures in the order of their byte ranges. */
export const inOrder = (found: readonly FoundSignature[]): FoundSignature[] =>
  found.toSorted((a, b) => endOf(a.byteRange) - endOf(b.byteRange))

const endOf = (byteRange: readonly number[]) => (byteRange[2] ?? 0) + (byteRange[3] ?? 0)

/** A signature dictionary as it is written. */
export function signatureOf(
  document: PdfDocument,
  field: FormField,
  dictionary: PdfDictionary,
  isInForm: boolean,
): FoundSignature {
  const contents = document.resolve(dictionary.get('Contents'))
  const range = document.array(dictionary.get('ByteRange')) ?? []
  const subFilter = document.name(dictionary.get('SubFilter')) ?? ''
  return {
    field,
    isInForm,
    dictionary,
    object: field.value instanceof PdfReference ? field.value.number : undefined,
    subFilter,
    isDocumentTimeStamp: subFilter === 'ETSI.RFC3161',
    byteRange: range.slice(0, 16).map((item) => document.integer(item) ?? -1),
    contents: contents instanceof PdfString ? contents.bytes : new Uint8Array(),
    claimedSigningTime: dateOf(textKeyOf(document.resolve(dictionary.get('M')))),
  }
}

const DATE = /^D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:Z|([+-])(\d\d)'?(\d\d)?'?)?/

/** A date of a PDF (7.9.4); without a zone it is taken as UTC. */
function dateOf(text: string | undefined): Date | undefined {
  const match = DATE.exec(text ?? '')
  if (!match) return undefined
  const [year, month = 1, day = 1, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => (part === undefined ? undefined : Number(part)))
  const sign = match[7] === '-' ? -1 : 1
  const zoneMinutes = sign * (Number(match[8] ?? 0) * 60 + Number(match[9] ?? 0))
  return new Date(Date.UTC(year ?? 0, month - 1, day, hour, minute - zoneMinutes, second))
}

/** The name of a field for people; empty where it is ciphertext that cannot be decrypted. */
export const shownNameOf = ({ field }: FoundSignature, document: PdfDocument): string =>
  document.encryption?.state === 'locked' && hasEncryptedStrings(document) ? '' : field.name

/**
 * Since version 4 a crypt filter names how strings are encrypted, and they are not by default (ISO
 * 32000-2, 7.6.2, table 20, `StrF`).
 */
function hasEncryptedStrings(document: PdfDocument): boolean {
  return document.sections.some(({ trailer }) => {
    const entry = trailer.get('Encrypt')
    if (entry === undefined) return false
    const encryption = document.dictionary(entry)
    const version = document.integer(encryption?.get('V')) ?? 0
    const filter = document.name(encryption?.get('StrF')) ?? 'Identity'
    return version < 4 || filter !== 'Identity'
  })
}
