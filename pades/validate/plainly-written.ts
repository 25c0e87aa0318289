/**
 * Whether all readers find the same signature: the field and the signature dictionary are written
 * by the letter, and the byte range is four integers (ISO 32000-2, 12.8.1, table 255).
 */

import { PadesError } from '../errors.ts'
import type { PdfDocument } from '../pdf/document.ts'
import { entryIn } from '../syntax/source.ts'
import type { ObjectVersion, ObjectVersions } from '../syntax/versions.ts'
import type { FoundSignature } from './signature-fields.ts'

const BYTE_RANGE = /^\[[\0\t\n\f\r ]*\d+(?:[\0\t\n\f\r ]+\d+){3}[\0\t\n\f\r ]*\]$/

/**
 * Looks at the objects that hold a signature and its field.
 *
 * @param document the state that the signature closes
 * @param versions of the document's objects
 */
export function isPlainlyWritten(
  { object, field, isInForm }: FoundSignature,
  document: PdfDocument,
  versions: ObjectVersions,
): boolean {
  try {
    if (!isInForm) return false
    const owner = field.reference && versions.versionIn(document, field.reference.number)
    // Not every reader looks for an inherited signature, or for a field inside another one.
    if (!owner || owner.fault || !field.dictionary.has('V')) return false
    if (object === undefined) return hasPlainRange(owner, 'V')
    const own = versions.versionIn(document, object)
    return own !== undefined && hasPlainRange(own)
  } catch (error) {
    if (error instanceof PadesError) return false
    throw error
  }
}

/** @param key of the signature dictionary in the object; absent: the object is the dictionary */
function hasPlainRange({ fault, source, scanned }: ObjectVersion, key?: string): boolean {
  // A stream is not a dictionary to every reader.
  if (fault || !source || !scanned || scanned.data) return false
  const value = source.toString('latin1', scanned.valueStart, scanned.valueEnd)
  const dictionary = key === undefined ? value : (entryIn(value, key) ?? '')
  return BYTE_RANGE.test(entryIn(dictionary, 'ByteRange') ?? '')
}
