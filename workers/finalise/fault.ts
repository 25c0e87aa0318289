/** Distinguishes a document that cannot be signed from a backend that cannot sign at the moment. */
import { AuditTrailError, reasonOfTrailFault } from '../../domain/audit/fault.ts'
import { PadesError, type PadesErrorCode } from '../../pades/index.ts'

/** The document, or the input of a participant, cannot be signed; a retry fails the same way. */
export class DocumentFault extends Error {
  override readonly name = 'DocumentFault'
}

/** Keys or authorities fail at the moment; a retry can succeed. */
export class BackendFault extends Error {
  override readonly name = 'BackendFault'
  /** Code of the underlying error. */
  readonly code: string | undefined

  constructor({ reason, code }: { reason?: string; code?: string }) {
    super(`signing is not available: ${reason}`)
    this.code = code
  }
}

const PATIENCE = 'for 24 hours after the last signature; create the case again'
/** Code for an object that is missing at its key. */
export const OBJECT_MISSING = 'OBJECT_MISSING'

const GAVE_UP = `The signing keys or the time-stamp authority could not be used ${PATIENCE}`
/** Sentences for codes that allow a more precise reason. */
const GAVE_UP_BY_CODE: Readonly<Record<string, string>> = {
  [OBJECT_MISSING]:
    'The document, or the drawing of a signature, was missing in the store ' + PATIENCE,
  REVOCATION_DATA_MISSING:
    'The revocation status of the certificates of the time-stamp authority was not available ' +
    PATIENCE,
  CERTIFICATE_REVOKED:
    'A certificate of the service or of its time-stamp authority is revoked; create the case ' +
    'again when the service can sign again',
}

/** Returns the reason shown to people when a backend failed for too long. */
export function reasonOfGivingUp(error: unknown): string {
  const { code } = error as { code?: unknown }
  return GAVE_UP_BY_CODE[String(code)] ?? GAVE_UP
}

/**
 * Errors caused by the document itself. All other library errors are caused by the service or a
 * backend.
 */
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
 * Returns the `failureReason` when the document or the trail is at fault, or undefined when a retry
 * can help.
 */
export function documentFaultOf(error: unknown): string | undefined {
  if (error instanceof AuditTrailError) return reasonOfTrailFault(error.fault)
  if (error instanceof DocumentFault) return error.message
  if (error instanceof PadesError && DOCUMENT_FAULTS.has(error.code)) return error.message
  return undefined
}
