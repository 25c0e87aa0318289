/** The public verification of PDFs: where an upload lies, and what becomes of it. */
import type { ValidationReport } from './contract/validation-report.ts'
import type { ErrorCode } from './errors.ts'
import { VERIFICATION_LIFE_MS } from './limits.ts'
import type { ObjectStat } from './ports/object-store.ts'

/** One upload, and one request to verify it. */
export interface VerificationKey {
  /** UUID: the `key` of the contract. */
  verificationId: string
  /** UUID, of one `POST /verify`. */
  requestId: string
}

/** What the job carries: when `untilMs` (since 1970) has passed, nobody waits for the result. */
export interface VerificationTask extends VerificationKey {
  untilMs: number
}

export const VERIFICATIONS_FOLDER = 'verifications/'
/** What the presigned URL writes. */
export const verificationUploadKey = (verificationId: string) =>
  `${VERIFICATIONS_FOLDER}${verificationId}/upload.pdf`
/** What a worker answers to one request, as JSON. */
export const verificationResultKey = ({ verificationId, requestId }: VerificationKey) =>
  `${VERIFICATIONS_FOLDER}${verificationId}/${requestId}.json`

/**
 * Rung, with nothing, when the result of a request is there, and with {@link VERIFICATION_FAILED}
 * when there will be none.
 */
export const verificationBell = (requestId: string) => `verification/${requestId}`
/** The worker could not do it: the same request may succeed later. */
export const VERIFICATION_FAILED = 'failed'

export type VerificationRefusal = Extract<
  ErrorCode,
  'DOCUMENT_NOT_FOUND' | 'DOCUMENT_TOO_LARGE' | 'NOT_A_PDF' | 'UNREADABLE_DOCUMENT'
>

/** What a worker answers: the report, or why there is none. */
export type VerificationResult = { report: ValidationReport } | { refusal: VerificationRefusal }

/** Whether an object of a verification has outlived what it was for. */
export const isForgotten = ({ updatedAt }: Pick<ObjectStat, 'updatedAt'>, now: Date): boolean =>
  now.getTime() - updatedAt.getTime() >= VERIFICATION_LIFE_MS
