/** Keys, tasks and results of the public verification of PDFs. */
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

/** A file that the worker makes from a report: XML of ETSI TS 119 102-2, or a printable PDF. */
export type ReportFileFormat = 'etsi' | 'pdf'
export type ReportFormat = 'json' | ReportFileFormat

/**
 * The job payload; after `untilMs` (since 1970) the caller does not wait for the result any more.
 */
export interface VerificationTask extends VerificationKey {
  untilMs: number
  /** Absent: the report itself. */
  format?: ReportFileFormat
}

export const VERIFICATIONS_FOLDER = 'verifications/'
/** The upload, written with the presigned URL. */
export const verificationUploadKey = (verificationId: string) =>
  `${VERIFICATIONS_FOLDER}${verificationId}/upload.pdf`
/** The worker's result for one request, as JSON. */
export const verificationResultKey = ({ verificationId, requestId }: VerificationKey) =>
  `${VERIFICATIONS_FOLDER}${verificationId}/${requestId}.json`

/**
 * Channel of a request: an empty message when the result is stored, {@link VERIFICATION_FAILED}
 * when there will be none.
 */
export const verificationBell = (requestId: string) => `verification/${requestId}`
/** The worker failed; the same request may succeed later. */
export const VERIFICATION_FAILED = 'failed'

export type VerificationRefusal = Extract<
  ErrorCode,
  'DOCUMENT_NOT_FOUND' | 'DOCUMENT_TOO_LARGE' | 'NOT_A_PDF' | 'UNREADABLE_DOCUMENT'
>

/** The worker's result: the report, a file made from it (Base64), or the refusal. */
export type VerificationResult =
  { report: ValidationReport } | { file: string } | { refusal: VerificationRefusal }

/** Whether an object of a verification has exceeded its life. */
export const isForgotten = ({ updatedAt }: Pick<ObjectStat, 'updatedAt'>, now: Date): boolean =>
  now.getTime() - updatedAt.getTime() >= VERIFICATION_LIFE_MS
