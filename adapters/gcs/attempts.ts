/** How often Cloud Storage is asked, for how long, and what its refusals mean. */
import { ServiceError } from '../../domain/errors.ts'
import { within } from '../in-time.ts'
import { repeated } from '../repeated.ts'

/**
 * Of one attempt, 25 MB at most: longer than the client waits by itself where it notices that a
 * connection was cut. On Deno it does not, for a minute and a half.
 */
const ATTEMPT_LIMIT_MS = 12_000
export const PRECONDITION_FAILED = 412
export const NOT_FOUND = 404
/** What Google says may be asked again (Cloud Storage, retry strategy). */
const RETRYABLE = new Set([408, 429, 500, 502, 503, 504])

/** The bucket's owner has to do something: no retry helps. */
export class GcsRefusedError extends Error {
  override readonly name = 'GcsRefusedError'
}

/** The octets that came are not those of which Google told the checksum. */
export class GcsChecksumError extends Error {
  override readonly name = 'GcsChecksumError'
}

/** The HTTP status of a failed request; undefined when there was no answer. */
export function statusOf(error: unknown): number | undefined {
  const { code, status, response } = error as {
    code?: unknown
    status?: unknown
    response?: { status?: unknown; statusCode?: unknown }
  }
  return [code, status, response?.status, response?.statusCode]
    .map((value) => (typeof value === 'string' ? Number(value) : value))
    .find((value): value is number => Number.isInteger(value) && Number(value) >= 100)
}

/** The client keeps nothing but the message of a refusal to sign, which it has repeated itself. */
const isSigning = (error: unknown) => (error as Error).name === 'SigningError'
const isDenied = (error: unknown) => isSigning(error) && /permission|denied/i.test(String(error))

function isRetryable(error: unknown): boolean {
  if (isSigning(error)) return false
  const status = statusOf(error)
  return status === undefined || RETRYABLE.has(status)
}

const CAUSES: Readonly<Record<number, string>> = {
  401: 'the credentials were not accepted',
  403: 'the service account lacks a right on the bucket',
  404: 'there is no such bucket',
}

function outcomeOf(error: unknown): Error {
  if (error instanceof RangeError) return error
  if (isDenied(error)) {
    const message = 'the service account may not sign URLs in its own name'
    return new GcsRefusedError(message, { cause: error })
  }
  const status = statusOf(error)
  if (isRetryable(error) || isSigning(error))
    return new ServiceError('TIMEOUT', {}, { cause: error })
  const reason = CAUSES[status as number] ?? 'the request was refused'
  return new GcsRefusedError(`Cloud Storage answered ${status}: ${reason}`, { cause: error })
}

/**
 * Does the work until it succeeds, with pauses between.
 *
 * @param work is told whether it was begun before, so that the effect may be there already; it
 * throws the client's errors
 * @param expected statuses that the caller understands: such an error is thrown as it is
 * @throws ServiceError TIMEOUT when the store is away, slow or throttling; GcsRefusedError; a
 *   RangeError of `work` as it is
 */
export async function attempt<T>(
  work: (isRepeated: boolean) => Promise<T>,
  expected: readonly number[] = [],
): Promise<T> {
  const isExpected = (error: unknown) => expected.includes(statusOf(error) ?? 0)
  const mayRepeat = (error: unknown) =>
    !isExpected(error) && !(error instanceof RangeError) && isRetryable(error)
  try {
    return await repeated((isRepeated) => within(work(isRepeated), ATTEMPT_LIMIT_MS), mayRepeat)
  } catch (error) {
    throw isExpected(error) ? error : outcomeOf(error)
  }
}

/** The answer in case of an expected status, the result otherwise. @throws every other error */
export async function unless<T, U>(status: number, answer: U, work: Promise<T>): Promise<T | U> {
  try {
    return await work
  } catch (error) {
    if (statusOf(error) === status) return answer
    throw error
  }
}
