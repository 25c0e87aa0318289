/** Maps errors of Cloud KMS to remedies for operators, and decides which errors are temporary. */
import { ServiceError } from '../../domain/errors.ts'
import { KeyRefusedError, type KeyRefusal } from '../../domain/ports/signing.ts'

/** gRPC status codes, which the REST API also uses. */
const CODE = {
  deadlineExceeded: 4,
  notFound: 5,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  aborted: 10,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const

const PASSING: ReadonlySet<unknown> = new Set([
  CODE.deadlineExceeded,
  CODE.resourceExhausted,
  CODE.aborted,
  CODE.internal,
  CODE.unavailable,
])

const CREDENTIALS_REFUSED =
  'the credentials were not accepted; check the account, its key and the clock'

const REASONS: ReadonlyMap<unknown, readonly [KeyRefusal, string]> = new Map([
  [CODE.notFound, ['SIGNING_KEY_MISSING', 'NOT_FOUND: the key version does not exist']],
  [
    CODE.permissionDenied,
    [
      'SIGNING_KEY_DENIED',
      'PERMISSION_DENIED: the service account needs roles/cloudkms.signerVerifier on the key',
    ],
  ],
  [
    CODE.failedPrecondition,
    ['SIGNING_KEY_DISABLED', 'FAILED_PRECONDITION: the key version is disabled or destroyed'],
  ],
  [
    CODE.unauthenticated,
    ['SIGNING_CREDENTIALS_REFUSED', `UNAUTHENTICATED: ${CREDENTIALS_REFUSED}`],
  ],
] as const)

/** Cloud KMS refuses to sign with a key version. */
class KmsRefusedError extends KeyRefusedError {
  override readonly name = 'KmsRefusedError'
}

/** The received data does not match its checksum. */
export class KmsChecksumError extends Error {
  override readonly name = 'KmsChecksumError'
}

const codeOf = (error: unknown) => (error as { code?: unknown }).code

/**
 * Whether the response is not from Cloud KMS, because a proxy may respond instead. The client then
 * derives the code from the HTTP status, which says nothing about the key.
 */
function isUnreadable(error: unknown): boolean {
  const { cause, message = '' } = error as { cause?: unknown; message?: string }
  return cause instanceof SyntaxError || /could not be decoded|^\s*</.test(message)
}

/** Whether the credentials were refused; a new access token may help. */
export const isUnauthenticated = (error: unknown): boolean =>
  codeOf(error) === CODE.unauthenticated && !isUnreadable(error)

/**
 * Reads `google.rpc.RetryInfo`.
 *
 * @returns the requested delay in milliseconds
 */
export function pauseMsOf(error: unknown): number | undefined {
  const { statusDetails = [] } = error as {
    statusDetails?: readonly { retryDelay?: { seconds?: unknown; nanos?: unknown } }[]
  }
  if (!Array.isArray(statusDetails)) return undefined
  const delay = statusDetails.find((one) => one?.retryDelay)?.retryDelay
  if (!delay) return undefined
  const pauseMs = Number(delay.seconds ?? 0) * 1000 + Number(delay.nanos ?? 0) / 1_000_000
  return Number.isFinite(pauseMs) && pauseMs >= 0 ? pauseMs : undefined
}

/** Whether a retry may succeed soon. */
export function isRetryable(error: unknown): boolean {
  if (error instanceof KmsChecksumError || PASSING.has(codeOf(error))) return true
  if (isUnreadable(error)) return true
  // Without a gRPC status there was no response: a failure of the connection or of name resolution.
  return error instanceof Error && error.name !== 'GoogleError' && isNetworkFault(error)
}

const NETWORK_CODE = /^(E[A-Z]+|UND_ERR_\w+)$/
const NETWORK_MESSAGE = /fetch|request to|socket|network|connect/i

function isNetworkFault(error: Error): boolean {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } }
  const codes = [code, cause?.code].map(String)
  return codes.some((text) => NETWORK_CODE.test(text)) || NETWORK_MESSAGE.test(error.message)
}

/** Builds the error for the caller; it contains the key version, which is not a secret. */
export function refusalOf(error: unknown, keyVersion: string): Error {
  const known = REASONS.get(codeOf(error))
  if (known && !isUnreadable(error)) {
    const [code, reason] = known
    return new KmsRefusedError(code, `Cloud KMS refuses ${keyVersion}: ${reason}`, { cause: error })
  }
  if (isRetryable(error)) {
    const pauseMs = pauseMsOf(error)
    const details = pauseMs === undefined ? {} : { retryAfterSeconds: Math.ceil(pauseMs / 1000) }
    return new ServiceError('TIMEOUT', details, { cause: error })
  }
  return error instanceof Error ? error : new Error(String(error))
}
