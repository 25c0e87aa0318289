/** Repeats requests to Cloud Storage within limits, and maps its refusals to errors. */
import { ServiceError } from '../../domain/errors.ts'
import { within } from '../shared/in-time.ts'
import { repeated } from '../shared/repeated.ts'
import { readRetryAfterMs } from '../shared/retry-after.ts'

/**
 * Limit of one attempt, with at most 25 MB. On Node the client notices a broken connection earlier;
 * on Deno it would take a minute and a half.
 */
const ATTEMPT_LIMIT_MS = 12_000
const PRECONDITION_FAILED = 412
const NOT_FOUND = 404
const UNAUTHENTICATED = 401
/** Statuses that Google allows to retry (Cloud Storage, retry strategy). */
const RETRYABLE = new Set([408, 429, 500, 502, 503, 504])

const LONGEST_MESSAGE_CHARACTERS = 500

/** The bucket's owner has to act; a retry does not help. */
export class GcsRefusedError extends Error {
  override readonly name = 'GcsRefusedError'
}

/** The received octets do not match the checksum from Google. */
export class GcsChecksumError extends Error {
  override readonly name = 'GcsChecksumError'
}

interface ClientError {
  /** Google's JSON errors: a domain and a reason each. */
  errors?: readonly { reason?: unknown }[]
  message?: string
  response?: { headers?: Record<string, unknown>; body?: unknown }
}

/**
 * Builds the error of a response that is not a success, in the form of the errors of Google's
 * storage client.
 */
export function readRefusal(status: number, headers: Headers, body: string): Error {
  const found = { headers: Object.fromEntries(headers), body }
  return Object.assign(new Error(body.slice(0, LONGEST_MESSAGE_CHARACTERS)), {
    code: status,
    errors: reasonsIn(body),
    response: found,
  })
}

/** @returns the list of a JSON error (Cloud Storage JSON API); an empty one for other texts */
function reasonsIn(body: string): { reason?: unknown }[] {
  try {
    const { error } = JSON.parse(body) as { error?: { errors?: unknown } }
    return Array.isArray(error?.errors) ? (error.errors as { reason?: unknown }[]) : []
  } catch {
    return []
  }
}

/** Reasons of status 403 after which a retry can succeed (Cloud Storage JSON API, usage limits). */
const THROTTLED = new Set<unknown>(['rateLimitExceeded', 'userRateLimitExceeded'])
/** Reasons of status 403 that only the owner of the project can change. */
const QUOTA = new Set<unknown>(['quotaExceeded', 'dailyLimitExceeded'])

const hasReason = (error: unknown, reasons: ReadonlySet<unknown>) =>
  ((error as ClientError).errors ?? []).some(({ reason }) => reasons.has(reason))

const pauseMsOf = (error: unknown) =>
  readRetryAfterMs((error as ClientError).response?.headers?.['retry-after'])

/** Whether a proxy's page came instead of a response of Google, which is JSON or plain text. */
function isPage(error: unknown): boolean {
  const { response, message = '' } = error as ClientError
  const text = typeof response?.body === 'string' && response.body !== '' ? response.body : message
  return text.trimStart().startsWith('<')
}

/** Whether Cloud Storage itself says that the object does not exist. */
export const isNotFound = (error: unknown): boolean =>
  statusOf(error) === NOT_FOUND && !isPage(error)

/** The HTTP status of a failed request; undefined when there was no response. */
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

/**
 * A refused signature; the client keeps only the message of the refusal, and has already retried.
 */
const isSigning = (error: unknown) => (error as Error).name === 'SigningError'
const isDenied = (error: unknown) => isSigning(error) && /permission|denied/i.test(String(error))

function isRetryable(error: unknown): boolean {
  if (isSigning(error)) return false
  const status = statusOf(error)
  if (status === undefined || RETRYABLE.has(status)) return true
  // The body of a success could not be parsed, or a proxy responded.
  const isUnreadable = status < 300 || isPage(error)
  return isUnreadable || hasReason(error, THROTTLED)
}

const CAUSES: Readonly<Record<number, string>> = {
  401: 'the credentials were not accepted; check the account, its key and the clock',
  403: 'the service account lacks a right on the bucket',
  404: 'the bucket does not exist',
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
 * Runs the work until it succeeds, with pauses between the attempts.
 *
 * @param work receives whether it ran before, because its effect may already exist; it throws the
 *   client's errors
 * @param isExpected whether the caller handles this error; it is rethrown unchanged
 * @param renew renews the credentials for the next attempt, or returns false when it cannot. It is
 *   called once, after the credentials were refused
 * @throws ServiceError TIMEOUT when the store is not reachable, too slow or throttling;
 *   GcsRefusedError; a RangeError of `work` unchanged
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

/** Whether the object has another generation than the request named. */
export const isPreconditionFailed = (error: unknown): boolean =>
  statusOf(error) === PRECONDITION_FAILED && !isPage(error)

/**
 * Like {@link attempt}.
 *
 * @returns `answer` for an expected error, otherwise the result
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
