/** Maps the errors of S3-compatible stores, and decides which of them a retry can help. */
import { ServiceError } from '../../domain/errors.ts'
import { readRetryAfterMs } from '../shared/retry-after.ts'
import { elementText, type S3Answer } from './answers.ts'

const NOT_FOUND = 404
const CONFLICT = 409
const PRECONDITION_FAILED = 412
/** Statuses after which every store may be asked again. */
const RETRYABLE_STATUSES = new Set([408, CONFLICT, 429, 500, 502, 503, 504])
/** Codes of other statuses after which a retry can succeed (Amazon S3, error responses). */
const RETRYABLE_CODES = new Set([
  'BadDigest',
  'IncompleteBody',
  'RequestTimeout',
  'XAmzContentSHA256Mismatch',
])
/** Codes after which the credentials are read again. */
const CREDENTIAL_CODES = new Set([
  'ExpiredToken',
  'InvalidAccessKeyId',
  'InvalidToken',
  'SignatureDoesNotMatch',
])

const REASONS: Readonly<Record<string, string>> = {
  AccessDenied: 'the credentials lack a right on the bucket',
  AllAccessDisabled: 'the bucket is disabled',
  AuthorizationHeaderMalformed: 'S3_REGION is not the region of the bucket',
  ExpiredToken: 'the credentials were not accepted; check their file and the clock',
  InvalidAccessKeyId: 'the credentials were not accepted; check their file',
  InvalidToken: 'the credentials were not accepted; check their file',
  NoSuchBucket: 'the bucket does not exist',
  NotImplemented: 'the store lacks a function that the service needs',
  PermanentRedirect: 'S3_ENDPOINT or S3_REGION is not that of the bucket',
  QuotaExceeded: 'a quota of the bucket is used up',
  RequestTimeTooSkewed: 'the clock of this machine differs from that of the store',
  SignatureDoesNotMatch: 'the credentials were not accepted; check their file',
}

/** The owner of the bucket has to act; a retry does not help. */
export class S3RefusedError extends Error {
  override readonly name = 'S3RefusedError'
}

/** The octets do not match the digest that their writer stored with them. */
export class S3ChecksumError extends Error {
  override readonly name = 'S3ChecksumError'
}

/** A response that is not a success. */
export class S3StatusError extends Error {
  override readonly name = 'S3StatusError'
  readonly status: number
  /** The store's code of the error; undefined when the response has none, or is not the store's. */
  readonly code: string | undefined
  readonly pauseMs: number | undefined
  /** Whether a page came instead of an answer of the store. */
  readonly isPage: boolean

  constructor({ status, headers, body }: S3Answer, hasBody: boolean) {
    const text = body.toString('utf8').trim()
    const isError = /^(?:<\?xml[^>]*\?>\s*)?<Error[\s>]/.test(text)
    const code = isError ? elementText(text, 'Code') : undefined
    super(`${status} ${code ?? ''}`.trim())
    this.status = status
    this.code = code
    this.pauseMs = readRetryAfterMs(headers['retry-after'])
    // The answer to HEAD has no body, so only its type shows where it comes from.
    const isForeignType = /html/i.test(headers['content-type'] ?? '')
    this.isPage = hasBody ? code === undefined : isForeignType
  }
}

const isStatus = (error: unknown, status: number) =>
  error instanceof S3StatusError && error.status === status && !error.isPage

/** Whether the store says that the object does not exist. */
export const isNotFound = (error: unknown): boolean =>
  isStatus(error, NOT_FOUND) && (error as S3StatusError).code !== 'NoSuchBucket'

/** Whether the object is not the one that the condition of the request names. */
export const isPreconditionFailed = (error: unknown): boolean =>
  isStatus(error, PRECONDITION_FAILED) || isNotFound(error)

/** Whether the store refused the credentials. */
export const isCredentialFault = (error: unknown): boolean =>
  error instanceof S3StatusError && CREDENTIAL_CODES.has(error.code ?? '')

/** Returns the delay that the store requested, in milliseconds. */
export const pauseMsOf = (error: unknown): number | undefined =>
  error instanceof S3StatusError ? error.pauseMs : undefined

/** Whether the same request may succeed later. */
export function isRetryable(error: unknown): boolean {
  if (error instanceof RangeError || error instanceof S3RefusedError) return false
  if (!(error instanceof S3StatusError)) return true
  const { status, code, isPage } = error
  // Stores answer 403 to HEAD without a body.
  const isUnread = isPage && status !== 403
  return RETRYABLE_STATUSES.has(status) || RETRYABLE_CODES.has(code ?? '') || isUnread
}

/** Returns the error that callers of the port get. */
export function outcomeOf(error: unknown): Error {
  if (error instanceof RangeError || error instanceof S3RefusedError) return error
  if (isRetryable(error)) {
    const pauseMs = pauseMsOf(error)
    const details = pauseMs === undefined ? {} : { retryAfterSeconds: Math.ceil(pauseMs / 1000) }
    return new ServiceError('TIMEOUT', details, { cause: error })
  }
  const { status, code } = error as S3StatusError
  const reason = REASONS[code ?? ''] ?? (status === 403 ? REASONS.AccessDenied : undefined)
  const named = code === undefined ? String(status) : `${status} ${code}`
  const message = `the object store answered ${named}: ${reason ?? 'the request was refused'}`
  return new S3RefusedError(message, { cause: error })
}
