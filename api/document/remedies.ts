/** What a client should do about each error, for the API reference. */
import type { ErrorCode } from '../../domain/errors.ts'

/** Errors whose response has no code. */
export const CODELESS = [
  'validation',
  'unauthorized',
  'forbidden',
  'not-found',
  'throttled',
  'unexpected',
] as const
export type Codeless = (typeof CODELESS)[number]

/** An error that an operation can answer. */
export type Refusal = Codeless | ErrorCode

/** One or two sentences for each error: the message of the error says what is wrong. */
export const REMEDIES: Readonly<Record<Refusal, string>> = {
  validation: 'Correct every entry of `validationErrors` and send the request again',
  unauthorized: 'Send a valid token for this operation in `Authorization: Bearer …`',
  forbidden: 'Use a token that names a tenant of this service',
  'not-found': 'Check the ids. A case of another tenant is not found either',
  throttled: 'Wait `Retry-After` seconds and send the request again',
  unexpected: 'Retry later; if it persists, report the time of the request to the operator',
  CASE_NOT_CANCELLABLE: 'Do not retry; `status` says how the case ended',
  UNKNOWN_DEVICE: 'Register the kiosk, or use a `deviceId` from `GET /tenant/devices`',
  OTP_INVALID: 'Ask for the code again; `attemptsLeft` says how many attempts are left',
  OTP_REQUIRED:
    'Send a code, check it, and send its `otpSession` in the header `Service-Otp-Session`',
  OTP_NOT_REQUIRED: 'Continue without a code',
  OTP_NO_DESTINATION: 'Create a case in which the participant has an address or phone number',
  OTP_NOT_REQUESTED: 'Send a new code',
  OTP_EXPIRED: 'Send a new code',
  OTP_LOCKED: 'Send a new code',
  OTP_RATE_LIMITED: 'Wait `retryAfterSeconds` before you send another code',
  OTP_DESTINATION_REFUSED: 'Check the address or number of the participant; `data` has the reply',
  OTP_SENDER_REFUSED: 'Retry later; the operator of the service must correct its account',
  INDEX_REQUIRED: 'Sort by id, or ask the operator to set up the index of cases',
  OTP_CHANNEL_UNAVAILABLE: 'Use `multiFactorType` EMAIL, or ask the operator to set up SMS',
  EMBEDDING_NOT_ALLOWED:
    'Register the origin of the page at the tenant, or open the link outside a frame',
  PIN_REQUIRED: 'Send the PIN in the header `Service-Pin`',
  PIN_LOCKED: 'Wait `retryAfterSeconds`; without it, have the tenant invite the participant again',
  NOT_QUICK_SIGN: 'Create the case with `quickSign`, or let the participant use the signing link',
  PARTICIPANT_NOT_READY: 'Upload the document and retry when the case is IN_PROGRESS',
  EVENTS_UNAVAILABLE: 'Retry',
  ALREADY_SIGNED: 'Do not retry; the signature is recorded',
  ALREADY_DECLINED: 'Do not retry; the first statement is recorded, this reason is not',
  DOCUMENT_ALREADY_UPLOADED: 'Do not upload again; read the case',
  IDEMPOTENCY_KEY_REUSED: 'Use a new key for a different body',
  INVITATION_RATE_LIMITED: 'Wait `retryAfterSeconds` before you invite the participant again',
  NOT_COMPLETED: 'Retry when the case is DONE; `status` has its status',
  CASE_NOT_ACTIVE: 'Do not retry; `status` says how the case ended',
  LINK_EXPIRED: 'Ask the sender for the document',
  INVALID_LIMIT: 'Send digits from 1 to 100, or leave `limit` out',
  INVALID_CURSOR: 'Start again without a cursor; use `nextCursor` only for the same listing',
  WEBHOOK_PENDING: 'Wait for the end of the current attempts',
  REDELIVERIES_EXHAUSTED: 'Read the state of the case with `GET /cases/{caseId}`',
  DOCUMENT_NOT_FOUND: 'Get a new upload URL, upload the PDF and use the new `key`',
  DOCUMENT_TOO_LARGE: 'Verify a PDF of at most 25 MB',
  NOT_A_PDF: 'Upload a PDF',
  UNREADABLE_DOCUMENT: 'Check that the PDF opens in a reader and needs no password',
  PATH_NOT_FOUND: 'Check the path',
  OBJECT_LINK_INVALID: 'Get a new link from the operation that gave this one',
  OBJECT_NOT_FOUND: 'Get a new link from the operation that gave this one',
  UPLOAD_TYPE_WRONG: 'Send `Content-Type: application/pdf`',
  UPLOAD_SIZE_REQUIRED: 'Send `size`, the size of the file in bytes',
  UPLOAD_PARTIAL: 'Send the whole file in one request',
  UPLOAD_INCOMPLETE: 'Upload the file again',
  UPLOAD_IN_PROGRESS: 'Wait for the other uploads and retry',
  RANGE_NOT_SATISFIABLE: 'Ask for a range within the document',
  PRECONDITION_FAILED: 'Download the whole document again',
  METHOD_NOT_ALLOWED: 'Use a method from the header `Allow`',
  BODY_TOO_LARGE: 'Send a smaller body',
  UNSUPPORTED_MEDIA_TYPE: 'Send `Content-Type: application/json` without compression',
  SIGNING_UNAVAILABLE: 'Retry after `retryAfterSeconds`; the participant stays UNSIGNED',
  SHUTTING_DOWN: 'Send the request again; another process answers it',
  TIMEOUT: 'Retry; reading and cancelling are safe to repeat',
}
