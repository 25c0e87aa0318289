/** Tells a document that cannot be signed from a backend that cannot sign at the moment. */
import { PadesError, type PadesErrorCode } from '../../pades/index.ts'

/** The document, or what was put on it, cannot be signed; trying again gives the same. */
export class DocumentFault extends Error {
  override readonly name = 'DocumentFault'
}

/** What lies in the document itself; every other error of the library is ours or a backend's. */
const DOCUMENT_FAULTS: ReadonlySet<PadesErrorCode> = new Set([
  'NOT_A_PDF',
  'DAMAGED',
  'ENCRYPTED',
  'NO_PAGES',
  'TOO_MANY_OBJECTS',
  'LIMIT_EXCEEDED',
  'CERTIFIED',
  'LOCKED',
  'DYNAMIC_XFA',
  'PAGE_MISSING',
  'BAD_PLACEMENT',
  'BAD_DRAWING',
])

/**
 * The sentence for people when the document is at fault, or undefined when trying again can help.
 */
export function documentFaultOf(error: unknown): string | undefined {
  if (error instanceof DocumentFault) return error.message
  if (error instanceof PadesError && DOCUMENT_FAULTS.has(error.code)) return error.message
  return undefined
}
