/** Decrypts the strings of an object, and marks its stream for decryption (ISO 32000-2, 7.6.2). */
import {
  isArray,
  isDictionary,
  nameOf,
  type PdfDictionary,
  type PdfReference,
  PdfStream,
  PdfString,
  type PdfValue,
} from '../values.ts'
import type { DocumentCipher } from './cipher.ts'

/** What cannot be decrypted: no reader shows it, and its ciphertext is not text. */
const UNREADABLE = new PdfString(new Uint8Array())

/**
 * The value of an object of the file. Objects of object streams are encrypted with their stream.
 *
 * @param owner the object
 * @param value as the file has it
 */
export function decryptedValue(
  cipher: DocumentCipher,
  owner: PdfReference,
  value: PdfValue,
): PdfValue {
  const decrypted = (item: PdfValue): PdfValue => {
    if (item instanceof PdfString) {
      const bytes = cipher.decrypt('strings', owner, item.bytes)
      return bytes ? new PdfString(bytes) : UNREADABLE
    }
    if (isArray(item)) return item.map(decrypted)
    return isDictionary(item) ? decryptedEntries(item) : item
  }
  const decryptedEntries = (dictionary: PdfDictionary): PdfDictionary => {
    const isSignature = isSignatureDictionary(dictionary)
    return new Map(
      [...dictionary].map(([key, item]) => {
        const isPlain = isSignature && key === 'Contents'
        return [key, isPlain ? item : decrypted(item)]
      }),
    )
  }
  if (!(value instanceof PdfStream)) return decrypted(value)
  const isPlain = !isEncryptedStream(value.dictionary)
  // The dictionary of a cross-reference stream is a trailer: it holds the file identifier.
  if (isPlain && nameOf(value.dictionary.get('Type')) === 'XRef') return value
  return new PdfStream(decryptedEntries(value.dictionary), value.start, isPlain ? undefined : owner)
}

/** The value of the Contents of a signature dictionary is never encrypted. */
export const isSignatureDictionary = (dictionary: PdfDictionary): boolean =>
  dictionary.has('ByteRange') && dictionary.get('Contents') instanceof PdfString

/**
 * Whether the document encrypts the data of a stream: not those of cross-reference streams, or
 * behind a crypt filter that is not the default one (7.6.6).
 */
export function isEncryptedStream(dictionary: PdfDictionary): boolean {
  const type = nameOf(dictionary.get('Type'))
  return type !== 'XRef' && !hasCryptFilter(dictionary)
}

/** Whether the stream chooses a crypt filter of its own. */
function hasCryptFilter(dictionary: PdfDictionary): boolean {
  const filter = dictionary.get('Filter')
  const names = isArray(filter) ? filter : [filter ?? null]
  return names.some((name) => nameOf(name) === 'Crypt')
}
