/** Opens a PDF, and opens it once more by a full scan when its cross-reference turns out wrong. */
import { PADES_ERRORS, PadesError } from '../errors.ts'
import { PdfDocument } from './document.ts'
import { repairDocument } from './repair.ts'

/**
 * Opens a PDF and does some work with it. When the cross-reference information leads astray, the
 * file is scanned for its objects and the work is done again from the start.
 *
 * @param bytes the file; it is not copied and must not change while the document is in use
 * @throws PadesError `NOT_A_PDF`, `DAMAGED`, `TOO_MANY_OBJECTS`, `LIMIT_EXCEEDED`, and what `work`
 *   throws
 */
export function readDocument<T>(bytes: Uint8Array, work: (document: PdfDocument) => T): T {
  let reason: PadesError
  try {
    const document = new PdfDocument(bytes)
    document.readSections()
    return work(document)
  } catch (error) {
    if (!isDamage(error)) throw error
    reason = error
  }
  try {
    const document = new PdfDocument(bytes)
    repairDocument(document)
    return work(document)
  } catch (error) {
    // A scan finds no objects where the first reading knows why.
    throw isDamage(error) && reason.message !== PADES_ERRORS.DAMAGED ? reason : error
  }
}

const isDamage = (error: unknown): error is PadesError =>
  error instanceof PadesError && error.code === 'DAMAGED'
