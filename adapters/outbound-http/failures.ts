/** What goes wrong on the way to an answer, inside the adapter. */
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

/** Errors of the HTTP client that tell of a request that HTTP cannot carry. */
const REQUEST_FAULTS = new Set([
  'UND_ERR_INVALID_ARG',
  'UND_ERR_NOT_SUPPORTED',
  'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
])
const ANSWER_FAULTS = new Set(['UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'])

/** Sorts an error of the HTTP client. */
export function failureOf(error: unknown): RefusedError | NoAnswerError {
  if (error instanceof RefusedError || error instanceof NoAnswerError) return error
  const { code } = error as { code?: unknown }
  if (typeof code !== 'string') return new NoAnswerError('connection-lost', { cause: error })
  if (REQUEST_FAULTS.has(code)) return new RefusedError('request-malformed')
  const isMalformed = ANSWER_FAULTS.has(code) || code.startsWith('HPE_')
  const reason = isMalformed ? 'answer-malformed' : 'connection-lost'
  return new NoAnswerError(reason, { cause: error })
}
