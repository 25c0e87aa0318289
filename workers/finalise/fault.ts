/** Distinguishes a document that cannot be signed from a backend that cannot sign at the moment. */
import { AuditTrailError, failureOfTrail } from '../../domain/audit/fault.ts'
import type { Failure, FailureCode } from '../../domain/cases/failure-codes.ts'
import { PadesError, type PadesErrorCode } from '../../pades/index.ts'

/** The document, or the input of a participant, cannot be signed; a retry fails the same way. */
export class DocumentFault extends Error {
  override readonly name = 'DocumentFault'
  readonly code: FailureCode

  constructor({ code, reason }: Failure, options?: ErrorOptions) {
    super(reason, options)
    this.code = code
  }
}

/** Something that the case consists of is not what it was when it was stored. */
export const changed = (reason: string) => new DocumentFault({ code: 'DATA_CHANGED', reason })

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

const GAVE_UP: Failure = {
  code: 'SIGNING_UNAVAILABLE',
  reason: `The signing keys or the time-stamp authority could not be used ${PATIENCE}`,
}
/** For codes that allow a more precise reason. */
const GAVE_UP_BY_CODE: Readonly<Record<string, Failure>> = {
  [OBJECT_MISSING]: {
    code: 'DATA_MISSING',
    reason: 'The document, or the drawing of a signature, was missing in the store ' + PATIENCE,
  },
  REVOCATION_DATA_MISSING: {
    code: 'SIGNING_UNAVAILABLE',
    reason:
      'The revocation status of the certificates of the time-stamp authority was not available ' +
      PATIENCE,
  },
  CERTIFICATE_REVOKED: {
    code: 'CERTIFICATE_REVOKED',
    reason:
      'A certificate of the service or of its time-stamp authority is revoked; create the case ' +
      'again when the service can sign again',
  },
}

/** Returns what people see when a backend failed for too long. */
export function failureOfGivingUp(error: unknown): Failure {
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
])
/** Errors caused by the place or the drawing of a signature. */
const SIGNATURE_FAULTS: ReadonlySet<PadesErrorCode> = new Set([
  'PAGE_MISSING',
  'BAD_PLACEMENT',
  'BAD_DRAWING',
])

function failureOfPades({ code, message }: PadesError): Failure | undefined {
  if (DOCUMENT_FAULTS.has(code)) return { code: 'DOCUMENT_UNSIGNABLE', reason: message }
  if (SIGNATURE_FAULTS.has(code)) return { code: 'SIGNATURE_UNUSABLE', reason: message }
  return undefined
}

/**
 * Returns why the case fails when the document or the trail is at fault, or undefined when a retry
 * can help.
 */
export function documentFaultOf(error: unknown): Failure | undefined {
  if (error instanceof AuditTrailError) return failureOfTrail(error.fault)
  if (error instanceof DocumentFault) return { code: error.code, reason: error.message }
  return error instanceof PadesError ? failureOfPades(error) : undefined
}
