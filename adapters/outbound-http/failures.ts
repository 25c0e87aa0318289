/** Internal failures of the adapter. */
import { errors } from 'undici'
import type { NoAnswer, Refusal } from '../../domain/ports/outbound-http.ts'

/** The request must not be sent. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly reason: Refusal

  constructor(reason: Refusal) {
    super(reason)
    this.reason = reason
  }
}

/** There is no response. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
  readonly reason: NoAnswer

  constructor(reason: NoAnswer, options?: ErrorOptions) {
    super(reason, options)
    this.reason = reason
  }
}

type ErrorClass = abstract new (...args: never[]) => Error

/** Errors of the HTTP client: the request is invalid in HTTP. */
const REQUEST_FAULTS: readonly ErrorClass[] = [
  errors.InvalidArgumentError,
  errors.NotSupportedError,
  errors.RequestContentLengthMismatchError,
]
/** Errors of the HTTP client: the response is invalid. */
const ANSWER_FAULTS: readonly ErrorClass[] = [
  errors.HTTPParserError,
  errors.HeadersOverflowError,
  errors.ResponseContentLengthMismatchError,
]

/** Classifies an error of the HTTP client; any other error is one of the connection. */
export function failureOf(error: unknown): RefusedError | NoAnswerError {
  if (error instanceof RefusedError || error instanceof NoAnswerError) return error
  const isOneOf = (classes: readonly ErrorClass[]) => classes.some((one) => error instanceof one)
  if (isOneOf(REQUEST_FAULTS)) return new RefusedError('request-malformed')
  const reason = isOneOf(ANSWER_FAULTS) ? 'answer-malformed' : 'connection-lost'
  return new NoAnswerError(reason, { cause: error })
}
