/**
 * The one catalogue of the service's errors: code, HTTP status, whether a retry can help, and the
 * sentence people see.
 */

export const ERRORS = {
  CASE_NOT_CANCELLABLE: {
    status: 409,
    retryable: false,
    message: 'The case can no longer be cancelled',
  },
  ALREADY_SIGNED: { status: 409, retryable: false, message: 'The participant has signed already' },
  NOT_COMPLETED: { status: 409, retryable: false, message: 'The case is not completed yet' },
  CASE_NOT_ACTIVE: { status: 410, retryable: false, message: 'The case is no longer active' },
  LINK_EXPIRED: { status: 410, retryable: false, message: 'The signing link has expired' },
  INVALID_LIMIT: { status: 400, retryable: false, message: 'limit must be a number from 1 to 100' },
  INVALID_CURSOR: {
    status: 400,
    retryable: false,
    message: 'cursor does not belong to this listing',
  },
  SIGNING_UNAVAILABLE: {
    status: 503,
    retryable: true,
    message: 'Signing is not available at the moment; retry later',
  },
  TIMEOUT: { status: 503, retryable: true, message: 'The request ran out of time; retry' },
} as const satisfies Record<string, { status: number; retryable: boolean; message: string }>

export type ErrorCode = keyof typeof ERRORS

/** Details that may be shown to the caller beside code and message (specification 7). */
export interface ErrorDetails {
  status?: string
  senderName?: string
  retryAfterSeconds?: number
}

/** A failure that the contract names. `cause` is for the log and is never shown. */
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

/** One broken rule of the input, in the shape of specification 7. */
export interface ValidationProblem {
  instancePath: string
  keyword: string
  params: Record<string, unknown>
  message: string
}

/** The input breaks rules; every problem found is listed (specification 7). */
export class ValidationError extends Error {
  override readonly name = 'ValidationError'
  readonly problems: readonly ValidationProblem[]

  constructor(problems: readonly ValidationProblem[]) {
    super('Validation failed')
    this.problems = problems
  }
}
