/**
 * Judges whether every reader decrypts the strings and streams of an encrypted document alike (ISO
 * 32000-2, 7.6).
 */
import type { CipherOwner, DocumentCipher } from '../pdf/encryption/cipher.ts'
import { isEncryptedStream, isSignatureDictionary } from '../pdf/encryption/decrypted-value.ts'
import type { PdfDocument } from '../pdf/document.ts'
import {
  isArray,
  isDictionary,
  nameOf,
  type PdfDictionary,
  PdfReference,
  PdfStream,
  PdfString,
  type PdfValue,
} from '../pdf/values.ts'
import { AmbiguousSyntax } from './faults.ts'
import type { ObjectPlace, ScannedObject } from './objects.ts'

/**
 * Checks that an object of the file is encrypted as the document says.
 *
 * @param document a state that shows the object; every object is right in one that is not encrypted
 * @param place its number and generation
 * @param scanned where it is
 * @throws AmbiguousSyntax `CIPHERTEXT_ODD`
 */
export function checkCiphertext(
  document: PdfDocument,
  { number, generation }: Pick<ObjectPlace, 'number' | 'generation'>,
  { start, data }: ScannedObject,
): void {
  const { cipher } = document
  if (!cipher || document.isEncryptionDictionary(number)) return
  const owner = { number, generation }
  const value = document.parseAt(start, (parser) => parser.readIndirectObject())?.value ?? null
  const isSection = document.sections.some(({ offset }) => offset === start)
  // A cross-reference section is a trailer, whose strings are not encrypted.
  if (isSection) return
  const isRight =
    areStringsRight(cipher, owner, value) &&
    (!data || !(value instanceof PdfStream) || isDataRight(document, owner, value, data))
  if (!isRight) throw new AmbiguousSyntax('CIPHERTEXT_ODD', start)
  checkPlainStreams(document, value, start)
}

/** Readers decide by different entries which streams they decrypt: none is exempt. */
function isDataRight(
  document: PdfDocument,
  owner: CipherOwner,
  stream: PdfStream,
  { start, end }: { readonly start: number; readonly end: number },
): boolean {
  const { cipher } = document
  if (!cipher || !isEncryptedStream(stream.dictionary)) return false
  const encoded = document.encoded(stream)
  // Data that end elsewhere than Length says decrypt differently.
  const hasLength = encoded.length === end - start
  return hasLength && cipher.canDecrypt('streams', owner, encoded)
}

function areStringsRight(cipher: DocumentCipher, owner: CipherOwner, value: PdfValue): boolean {
  const isRight = (item: PdfValue): boolean => {
    if (item instanceof PdfString) return cipher.canDecrypt('strings', owner, item.bytes)
    if (isArray(item)) return item.every(isRight)
    const entries = item instanceof PdfStream ? item.dictionary : item
    if (!isDictionary(entries)) return true
    const isSignature = isSignatureDictionary(entries)
    if (isSignature && !looksLikeSignature(entries)) return false
    return [...entries].every(
      ([key, entry]) => (isSignature && key === 'Contents') || isRight(entry),
    )
  }
  return isRight(value)
}

/** Readers decide by different entries whose Contents is not encrypted (tables 168 and 255). */
const looksLikeSignature = (entries: PdfDictionary): boolean =>
  SIGNATURE_TYPES.has(nameOf(entries.get('Type')) ?? 'Sig') &&
  nameOf(entries.get('Filter')) !== undefined &&
  !entries.has('Subtype')

const SIGNATURE_TYPES: ReadonlySet<string> = new Set(['Sig', 'DocTimeStamp'])

/**
 * Checks that no reference leads to the encryption dictionary or to a stream that is not encrypted:
 * a reader that decrypts it shows something else.
 *
 * @param document a state that shows the object; every object is right in one that is not encrypted
 * @param value of the object
 * @param offset of the object
 * @throws AmbiguousSyntax `CIPHERTEXT_ODD`
 * @throws PadesError `DAMAGED` - a reference leads to a wrong place
 */
export function checkPlainStreams(document: PdfDocument, value: PdfValue, offset: number): void {
  if (!document.cipher) return
  const leadsAstray = (item: PdfValue): boolean => {
    if (item instanceof PdfReference) {
      return document.isEncryptionDictionary(item.number) || isPlainStream(document, item)
    }
    if (item instanceof PdfStream) return leadsAstray(item.dictionary)
    if (isArray(item)) return item.some(leadsAstray)
    return isDictionary(item) && [...item.values()].some(leadsAstray)
  }
  if (leadsAstray(value)) throw new AmbiguousSyntax('CIPHERTEXT_ODD', offset)
}

function isPlainStream(document: PdfDocument, reference: PdfReference): boolean {
  // An object of an object stream is not a stream (7.5.7).
  if (document.entryOf(reference.number)?.kind !== 'plain') return false
  const value = document.get(reference)
  return value instanceof PdfStream && value.encryptedFor === undefined
}
