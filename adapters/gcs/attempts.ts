/** Repeats requests to Cloud Storage within limits, and maps its refusals to errors. */
import { ServiceError } from '../../domain/errors.ts'
import { within } from '../in-time.ts'
import { repeated } from '../repeated.ts'
import { readRetryAfterMs } from '../retry-after.ts'

/**
 * Of one attempt, 25 MB at most: longer than the client waits by itself where it notices that a
 * connection was cut. On Deno it does not, for a minute and a half.
 */
const ATTEMPT_LIMIT_MS = 12_000
const PRECONDITION_FAILED = 412
const NOT_FOUND = 404
const UNAUTHENTICATED = 401
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

interface ClientError {
  /** What Google's JSON says: a domain and a reason each. */
  errors?: readonly { reason?: unknown }[]
  message?: string
  response?: { headers?: Record<string, unknown>; body?: unknown }
}

/** Reasons of status 403 after which a retry can succeed (Cloud Storage JSON API, usage limits). */
const THROTTLED = new Set<unknown>(['rateLimitExceeded', 'userRateLimitExceeded'])
/** Reasons of status 403 that only the owner of the project can change. */
const QUOTA = new Set<unknown>(['quotaExceeded', 'dailyLimitExceeded'])

const hasReason = (error: unknown, reasons: ReadonlySet<unknown>) =>
  ((error as ClientError).errors ?? []).some(({ reason }) => reasons.has(reason))

const pauseMsOf = (error: unknown) =>
  readRetryAfterMs((error as ClientError).response?.headers?.['retry-after'])

/** Whether a page of a proxy came in place of an answer of Google, which are JSON or plain text. */
function isPage(error: unknown): boolean {
  const { response, message = '' } = error as ClientError
  const text = typeof response?.body === 'string' && response.body !== '' ? response.body : message
  return text.trimStart().startsWith('<')
}

/** Whether Cloud Storage itself says that there is no such object. */
export const isNotFound = (error: unknown): boolean =>
  statusOf(error) === NOT_FOUND && !isPage(error)

/** The HTTP status of a failed request; undefined when there was no answer. */
function statusOf(error: unknown): number | undefined {
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
  if (status === undefined || RETRYABLE.has(status)) return true
  // The body of a success could not be read, or a proxy answered.
  const isUnreadable = status < 300 || isPage(error)
  return isUnreadable || hasReason(error, THROTTLED)
}

const CAUSES: Readonly<Record<number, string>> = {
  401: 'the credentials were not accepted; check the account, its key and the clock',
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
  if (isRetryable(error) || isSigning(error)) {
    const pauseMs = pauseMsOf(error)
    const details = pauseMs === undefined ? {} : { retryAfterSeconds: Math.ceil(pauseMs / 1000) }
    return new ServiceError('TIMEOUT', details, { cause: error })
  }
  const isQuota = hasReason(error, QUOTA)
  const reason = isQuota
    ? 'a quota of the project is used up'
    : (CAUSES[status as number] ?? 'the request was refused')
  return new GcsRefusedError(`Cloud Storage answered ${status}: ${reason}`, { cause: error })
}

/**
 * Does the work until it succeeds, with pauses between.
 *
 * @param work is told whether it was begun before, so that the effect may be there already; it
 * throws the client's errors
 * @param isExpected whether the caller understands this error, which is then thrown as it is
 * @param renew gets new credentials for the next attempt; false: there are none. It is called once,
 *   after a refusal of the credentials
 * @throws ServiceError TIMEOUT when the store is away, slow or throttling; GcsRefusedError; a
 *   RangeError of `work` as it is
 */
export async function attempt<T>(
  work: (isRepeated: boolean) => Promise<T>,
  isExpected: (error: unknown) => boolean = () => false,
  renew: () => boolean = () => false,
): Promise<T> {
  let isRenewed = false
  const renewOnce = () => {
    const mayRenew = !isRenewed
    isRenewed = true
    return mayRenew && renew()
  }
  const mayRepeat = (error: unknown) =>
    !isExpected(error) &&
    !(error instanceof RangeError) &&
    (isRetryable(error) || (statusOf(error) === UNAUTHENTICATED && renewOnce()))
  try {
    const limited = (isRepeated: boolean) => within(work(isRepeated), ATTEMPT_LIMIT_MS)
    return await repeated(limited, mayRepeat, pauseMsOf)
  } catch (error) {
    throw isExpected(error) ? error : outcomeOf(error)
  }
}

/** Whether another generation of the object is there than the request named. */
export const isPreconditionFailed = (error: unknown): boolean =>
  statusOf(error) === PRECONDITION_FAILED && !isPage(error)

/**
 * Does the work as {@link attempt} does.
 *
 * @returns the answer in case of an expected error, the result otherwise
 */
export async function attemptUnless<T, U>(
  isExpected: (error: unknown) => boolean,
  answer: U,
  work: (isRepeated: boolean) => Promise<T>,
  renew?: () => boolean,
): Promise<T | U> {
  try {
    return await attempt(work, isExpected, renew)
  } catch (error) {
    if (isExpected(error)) return answer
    throw error
  }
}
