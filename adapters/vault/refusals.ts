/** Maps the errors of Vault to remedies for operators, and decides which errors are temporary. */
import { ServiceError } from '../../domain/errors.ts'
import { KeyRefusedError, type KeyRefusal } from '../../domain/ports/signing.ts'
import type { HttpAnswer } from '../shared/exchange.ts'
import { readRetryAfterMs } from '../shared/retry-after.ts'

/**
 * Besides server errors: too many requests, a standby, a performance standby that has not seen a
 * write, and servers of a replica.
 */
const PASSING = new Set([408, 412, 429, 472, 473])
const BAD_REQUEST = 400
const FORBIDDEN = 403
const NOT_FOUND = 404
const SERVER_ERROR = 500
const LONGEST_MESSAGE_CHARACTERS = 300

/** Vault refuses a key or the credentials. */
export class VaultRefusedError extends KeyRefusedError {
  override readonly name = 'VaultRefusedError'
}

/** The response is not from Vault, or does not fit the request; a retry may help. */
export class VaultAnswerError extends Error {
  override readonly name = 'VaultAnswerError'
}

/** A response that is not a success. */
export class VaultStatusError extends Error {
  override readonly name = 'VaultStatusError'
  readonly status: number
  /** Vault's own messages; undefined when the response is not Vault's. */
  readonly errors: readonly string[] | undefined
  readonly pauseMs: number | undefined

  constructor({ status, headers, body }: HttpAnswer) {
    const errors = errorsIn(body.toString('utf8'))
    super(`${status} ${errors?.join('; ') ?? ''}`.trim().slice(0, LONGEST_MESSAGE_CHARACTERS))
    this.status = status
    this.errors = errors
    this.pauseMs = readRetryAfterMs(headers['retry-after'])
  }
}

/** @returns the messages of an error of Vault; undefined for other texts */
function errorsIn(body: string): string[] | undefined {
  try {
    const { errors } = JSON.parse(body) as { errors?: unknown }
    return Array.isArray(errors) ? errors.map(String) : undefined
  } catch {
    return undefined
  }
}

/** Whether Vault refused the token or its rights. */
export const isForbidden = (error: unknown): boolean =>
  error instanceof VaultStatusError && error.status === FORBIDDEN && error.errors !== undefined

/** Returns the delay that Vault requested, in milliseconds. */
export const pauseMsOf = (error: unknown): number | undefined =>
  error instanceof VaultStatusError ? error.pauseMs : undefined

/** Whether the same request may succeed later. */
export function isRetryable(error: unknown): boolean {
  if (error instanceof KeyRefusedError || error instanceof RangeError) return false
  if (!(error instanceof VaultStatusError)) return true
  const { status, errors } = error
  return status >= SERVER_ERROR || PASSING.has(status) || errors === undefined
}

function reasonOf({
  status,
  errors = [],
}: VaultStatusError): readonly [KeyRefusal, string] | undefined {
  const text = errors.join(' ')
  if (status === FORBIDDEN) {
    const remedy = 'the policy must allow to read the key and to update transit/sign for it'
    return ['SIGNING_KEY_DENIED', `permission denied; ${remedy}`]
  }
  if (status === NOT_FOUND || (status === BAD_REQUEST && /not found|higher than/i.test(text))) {
    return ['SIGNING_KEY_MISSING', 'the key or its version does not exist']
  }
  if (status === BAD_REQUEST && /less than|disabled|minimum/i.test(text)) {
    return ['SIGNING_KEY_DISABLED', 'the version is below min_encryption_version of the key']
  }
  return undefined
}

/** Builds the error for the caller; it contains the name of the key, which is not a secret. */
export function refusalOf(error: unknown, keyVersion: string): Error {
  if (error instanceof KeyRefusedError) return error
  if (isRetryable(error)) {
    const pauseMs = pauseMsOf(error)
    const details = pauseMs === undefined ? {} : { retryAfterSeconds: Math.ceil(pauseMs / 1000) }
    return new ServiceError('TIMEOUT', details, { cause: error })
  }
  const known = error instanceof VaultStatusError ? reasonOf(error) : undefined
  if (!known) return error instanceof Error ? error : new Error(String(error))
  const [code, reason] = known
  return new VaultRefusedError(code, `Vault refuses ${keyVersion}: ${reason}`, { cause: error })
}
