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
  { object, field }: FoundSignature,
  document: PdfDocument,
  versions: ObjectVersions,
): boolean {
  try {
    const owner = field.reference && versions.versionIn(document, field.reference.number)
    if (owner?.fault) return false
    const own = object === undefined ? undefined : versions.versionIn(document, object)
    return !own || hasPlainRange(own)
  } catch (error) {
    if (error instanceof PadesError) return false
    throw error
  }
}

function hasPlainRange({ fault, source, scanned }: ObjectVersion): boolean {
  // A stream is not a dictionary to every reader.
  if (fault || !source || !scanned || scanned.data) return false
  const dictionary = source.toString('latin1', scanned.valueStart, scanned.valueEnd)
  return BYTE_RANGE.test(entryIn(dictionary, 'ByteRange') ?? '')
}
