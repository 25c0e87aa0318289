/**
 * The catalogue of the service's errors: code, HTTP status, whether a retry can help, and message.
 */

import type { MultiFactorType } from './cases/definition.ts'
import type { RefusedParty } from './ports/delivery-refused.ts'

export const ERRORS = {
  CASE_NOT_CANCELLABLE: {
    status: 409,
    retryable: false,
    message: 'The case can no longer be cancelled',
  },
  UNKNOWN_DEVICE: {
    status: 400,
    retryable: false,
    message: 'deviceId is not a registered device of the tenant',
  },
  OTP_INVALID: { status: 400, retryable: false, message: 'The code is wrong' },
  OTP_REQUIRED: { status: 401, retryable: false, message: 'The case needs a one-time code' },
  OTP_NOT_REQUIRED: {
    status: 409,
    retryable: false,
    message: 'The case does not use one-time codes',
  },
  OTP_NO_DESTINATION: {
    status: 409,
    retryable: false,
    message: 'The participant has no address or number for the code',
  },
  OTP_NOT_REQUESTED: {
    status: 409,
    retryable: false,
    message: 'No code was sent, or the last one was used',
  },
  OTP_EXPIRED: { status: 409, retryable: false, message: 'The code is no longer valid' },
  OTP_LOCKED: { status: 423, retryable: false, message: 'Too many wrong codes; request a new one' },
  OTP_RATE_LIMITED: { status: 429, retryable: true, message: 'Too many codes; wait and retry' },
  OTP_DESTINATION_REFUSED: {
    status: 409,
    retryable: false,
    message: 'The address or number of the participant does not accept the code',
  },
  OTP_SENDER_REFUSED: {
    status: 503,
    retryable: true,
    message: 'The mail server or SMS gateway does not accept codes from the service; retry later',
  },
  OTP_CHANNEL_UNAVAILABLE: {
    status: 501,
    retryable: false,
    message: 'Codes cannot be sent over this channel yet',
  },
  PIN_REQUIRED: { status: 401, retryable: false, message: 'The case needs its PIN' },
  PIN_LOCKED: {
    status: 423,
    retryable: true,
    message:
      'Too many wrong PINs; wait retryAfterSeconds; without it, ask the sender to invite you again',
  },
  NOT_QUICK_SIGN: {
    status: 409,
    retryable: false,
    message: 'The case was not created for signing in person',
  },
  PARTICIPANT_NOT_READY: {
    status: 409,
    retryable: true,
    message: 'The document of the case is not uploaded yet',
  },
  EVENTS_UNAVAILABLE: {
    status: 503,
    retryable: true,
    message: 'The kiosk could not be notified; retry',
  },
  ALREADY_SIGNED: { status: 409, retryable: false, message: 'The participant has signed already' },
  ALREADY_DECLINED: {
    status: 409,
    retryable: false,
    message: 'The participant has declined already; this reason is not recorded',
  },
  DOCUMENT_ALREADY_UPLOADED: {
    status: 409,
    retryable: false,
    message: 'The document of the case was uploaded and accepted already',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 409,
    retryable: false,
    message: 'The Idempotency-Key was used before with another body',
  },
  INVITATION_RATE_LIMITED: {
    status: 429,
    retryable: true,
    message: 'Too many invitations; wait and retry',
  },
  NOT_COMPLETED: { status: 409, retryable: false, message: 'The case is not completed yet' },
  CASE_NOT_ACTIVE: { status: 410, retryable: false, message: 'The case is no longer active' },
  LINK_EXPIRED: { status: 410, retryable: false, message: 'The signing link has expired' },
  INVALID_LIMIT: { status: 400, retryable: false, message: 'limit must be a number from 1 to 100' },
  INVALID_CURSOR: {
    status: 400,
    retryable: false,
    message: 'cursor does not belong to this listing',
  },
  INDEX_REQUIRED: {
    status: 501,
    retryable: false,
    message: 'The service has no index of cases, which this order needs',
  },
  WEBHOOK_PENDING: {
    status: 409,
    retryable: true,
    message: 'The event is still being delivered',
  },
  REDELIVERIES_EXHAUSTED: {
    status: 409,
    retryable: false,
    message: 'The event has reached its limit of redeliveries',
  },
  DOCUMENT_NOT_FOUND: {
    status: 404,
    retryable: false,
    message: 'Nothing is uploaded under the key, or it was verified already',
  },
  DOCUMENT_TOO_LARGE: { status: 413, retryable: false, message: 'The PDF is larger than 25 MB' },
  NOT_A_PDF: { status: 422, retryable: false, message: 'The upload is not a PDF' },
  UNREADABLE_DOCUMENT: {
    status: 422,
    retryable: false,
    message: 'The PDF or its signatures cannot be read',
  },
  EMBEDDING_NOT_ALLOWED: {
    status: 403,
    retryable: false,
    message: 'The tenant of the case did not register this site for embedding',
  },
  PATH_NOT_FOUND: { status: 404, retryable: false, message: 'There is nothing at this path' },
  OBJECT_LINK_INVALID: {
    status: 403,
    retryable: false,
    message: 'The link is not valid or has expired',
  },
  OBJECT_NOT_FOUND: { status: 404, retryable: false, message: 'There is no document at this link' },
  UPLOAD_TYPE_WRONG: {
    status: 403,
    retryable: false,
    message: 'The upload must be sent with the Content-Type of its link',
  },
  UPLOAD_SIZE_REQUIRED: {
    status: 400,
    retryable: false,
    message: 'Announce the size of the file: the object store of this service requires it',
  },
  UPLOAD_PARTIAL: {
    status: 400,
    retryable: false,
    message: 'The upload has a Content-Range; upload the whole file',
  },
  UPLOAD_INCOMPLETE: { status: 400, retryable: true, message: 'The upload broke off' },
  UPLOAD_IN_PROGRESS: {
    status: 429,
    retryable: true,
    message: 'Other uploads to this link have not ended yet',
  },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    retryable: false,
    message: 'The document has no bytes in this range',
  },
  PRECONDITION_FAILED: {
    status: 412,
    retryable: false,
    message: 'The document is not the one that If-Match names',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    retryable: false,
    message: 'The path does not support this method',
  },
  BODY_TOO_LARGE: { status: 413, retryable: false, message: 'The body is too large' },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    retryable: false,
    message: 'The body is not application/json, or was compressed',
  },
  SIGNING_UNAVAILABLE: {
    status: 503,
    retryable: true,
    message: 'Signing is not available at the moment; retry later',
  },
  SHUTTING_DOWN: {
    status: 503,
    retryable: true,
    message: 'The process is shutting down; send the request again',
  },
  TIMEOUT: { status: 503, retryable: true, message: 'The request ran out of time; retry' },
} as const satisfies Record<string, { status: number; retryable: boolean; message: string }>

export type ErrorCode = keyof typeof ERRORS

/** Details that may be shown to the caller in addition to code and message (specification 7). */
export interface ErrorDetails {
  status?: string
  senderName?: string
  attemptsLeft?: number
  retryAfterSeconds?: number
  data?: DeliveryRefusal
}

/** Why a mail server or SMS gateway did not take a message. */
export interface DeliveryRefusal {
  channel: MultiFactorType
  /** Whom the server or gateway refused. */
  refused: RefusedParty
  /** Reply code of SMTP or status of HTTP, where there was one. */
  answer?: number
}

/** A failure that the contract names. `cause` is only logged, never shown. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ErrorCode
  readonly details: ErrorDetails

  constructor(code: ErrorCode, details: ErrorDetails = {}, options?: ErrorOptions) {
    super(ERRORS[code].message, options)
    this.code = code
    this.details = details
  }
}

/** One violated rule of the input, in the shape of specification 7. */
export interface ValidationProblem {
  instancePath: string
  keyword: string
  params: Record<string, unknown>
  message: string
}

/** The input violates rules; all problems are listed (specification 7). */
export class ValidationError extends Error {
  override readonly name = 'ValidationError'
  readonly problems: readonly ValidationProblem[]

  constructor(problems: readonly ValidationProblem[]) {
    super('Validation failed')
    this.problems = problems
  }
}
