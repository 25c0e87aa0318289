/** How a document is encrypted; refuses what readers could understand differently (7.6). */
import type { PdfDocument } from '../document.ts'
import type { ObjectLoader } from '../object-loader.ts'
import { isDictionary, PdfReference } from '../values.ts'
import { type Encryption, locked, openEncryption } from './encryption.ts'
import { isOneEncryption } from './one-encryption.ts'

/** The name `Encrypt`, whose letters can be written as numbers (7.3.5). */
const ENCRYPT_NAME = /\/(?:E|#45)(?:n|#6[eE])(?:c|#63)(?:r|#72)(?:y|#79)(?:p|#70)(?:t|#74)/

/** Whether any revision of the document is encrypted. */
export function hasEncryption({ bytes, sections, repaired }: PdfDocument): boolean {
  if (sections.some(({ trailer }) => trailer.has('Encrypt'))) return true
  // Readers of a damaged file choose different trailers, and one may name an encryption.
  return repaired && ENCRYPT_NAME.test(bytes.toString('latin1'))
}

/** How the document is encrypted; undefined when it is not. */
export function openDocumentEncryption(
  document: PdfDocument,
  loader: ObjectLoader,
): Encryption | undefined {
  const { sections, repaired, trailer } = document
  if (!hasEncryption(document)) return undefined
  if (repaired) return locked('DAMAGE')
  if (!isOneEncryption(sections)) return locked('CONTRADICTION')
  const value = trailer.get('Encrypt')
  // The common form is the only one that is judged; a dictionary in the trailer is rare.
  if (!(value instanceof PdfReference)) return locked('METHOD')
  const dictionary = loader.plainObject(value)
  if (!isDictionary(dictionary)) return locked('CONTRADICTION')
  // Some readers see no encryption where an integer is written as a real number.
  if (hasReals(document, value)) return locked('METHOD')
  return openEncryption(dictionary, trailer.get('ID'))
}

/** Whether the source of an object that is not in an object stream has numbers with a point. */
function hasReals(document: PdfDocument, { number }: PdfReference): boolean {
  const entry = document.entryOf(number)
  if (entry?.kind !== 'plain') return false
  return document.parseAt(entry.offset + document.offsetBase, (parser) => {
    parser.readIndirectObject()
    return parser.hasReals
  })
}
