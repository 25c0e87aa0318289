/** What goes wrong on the way to an answer, inside the adapter. */
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

/** There is no answer. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
  readonly reason: NoAnswer

  constructor(reason: NoAnswer, options?: ErrorOptions) {
    super(reason, options)
    this.reason = reason
  }
}

type ErrorClass = abstract new (...args: never[]) => Error

/** Of the HTTP client: the request is one that HTTP cannot carry. */
const REQUEST_FAULTS: readonly ErrorClass[] = [
  errors.InvalidArgumentError,
  errors.NotSupportedError,
  errors.RequestContentLengthMismatchError,
]
/** Of the HTTP client: the answer is none. */
const ANSWER_FAULTS: readonly ErrorClass[] = [
  errors.HTTPParserError,
  errors.HeadersOverflowError,
  errors.ResponseContentLengthMismatchError,
]

/** Sorts an error of the HTTP client; what has no place of its own happened to the connection. */
export function failureOf(error: unknown): RefusedError | NoAnswerError {
  if (error instanceof RefusedError || error instanceof NoAnswerError) return error
  const isOneOf = (classes: readonly ErrorClass[]) => classes.some((one) => error instanceof one)
  if (isOneOf(REQUEST_FAULTS)) return new RefusedError('request-malformed')
  const reason = isOneOf(ANSWER_FAULTS) ? 'answer-malformed' : 'connection-lost'
  return new NoAnswerError(reason, { cause: error })
}
