/** Tells a document that cannot be signed from a backend that cannot sign at the moment. */
import { AuditTrailError, reasonOfTrailFault } from '../../domain/audit/fault.ts'
import { PadesError, type PadesErrorCode } from '../../pades/index.ts'

/** The document, or what was put on it, cannot be signed; trying again gives the same. */
export class DocumentFault extends Error {
  override readonly name = 'DocumentFault'
}

/** Keys or authorities are known to fail at the moment; trying again later can help. */
export class BackendFault extends Error {
  override readonly name = 'BackendFault'
  /** Of the error that was found. */
  readonly code: string | undefined

  constructor({ reason, code }: { reason?: string; code?: string }) {
    super(`signing is not available: ${reason}`)
    this.code = code
  }
}

const PATIENCE = 'for 24 hours after the last signature; create the case again'
/** What was accepted is not where it was put. */
export const OBJECT_MISSING = 'OBJECT_MISSING'

const GAVE_UP = `The signing keys or the time-stamp authority could not be used ${PATIENCE}`
/** Where more can be said. */
const GAVE_UP_BY_CODE: Readonly<Record<string, string>> = {
  [OBJECT_MISSING]:
    'The document, or the drawing of a signature, was missing in the store ' + PATIENCE,
  REVOCATION_DATA_MISSING:
    'Whether the certificates of the time-stamp authority are revoked could not be learnt ' +
    PATIENCE,
  CERTIFICATE_REVOKED:
    'A certificate of the service or of its time-stamp authority is revoked; create the case ' +
    'again when the service signs once more',
}

/** The sentence for people when a backend was broken for too long. */
export function reasonOfGivingUp(error: unknown): string {
  const { code } = error as { code?: unknown }
  return GAVE_UP_BY_CODE[String(code)] ?? GAVE_UP
}

/** What lies in the document itself; every other error of the library is ours or a backend's. */
const DOCUMENT_FAULTS: ReadonlySet<PadesErrorCode> = new Set([
  'NOT_A_PDF',
  'DAMAGED',
  'DAMAGED_AND_SIGNED',
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
 * Gives the `failureReason` when the document or the trail is at fault, or undefined when a retry
 * can help.
 */
export function documentFaultOf(error: unknown): string | undefined {
  if (error instanceof AuditTrailError) return reasonOfTrailFault(error.fault)
  if (error instanceof DocumentFault) return error.message
  if (error instanceof PadesError && DOCUMENT_FAULTS.has(error.code)) return error.message
  return undefined
}
