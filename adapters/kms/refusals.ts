/** What errors of Cloud KMS mean to the platform team, and which of them pass. */
import { ServiceError } from '../../domain/errors.ts'
import { KeyRefusedError, type KeyRefusal } from '../../domain/ports/signing.ts'

/** Codes of gRPC, which REST answers with too. */
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

const REASONS: ReadonlyMap<unknown, readonly [KeyRefusal, string]> = new Map([
  [CODE.notFound, ['SIGNING_KEY_MISSING', 'NOT_FOUND: there is no such key version']],
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
    ['SIGNING_CREDENTIALS_REFUSED', 'UNAUTHENTICATED: the credentials were not accepted'],
  ],
] as const)

/** A key version that Cloud KMS does not sign with. */
export class KmsRefusedError extends KeyRefusedError {
  override readonly name = 'KmsRefusedError'
}

/** What came is not that of which the checksum was told. */
export class KmsChecksumError extends Error {
  override readonly name = 'KmsChecksumError'
}

const codeOf = (error: unknown) => (error as { code?: unknown }).code

/** Whether the same request may succeed a moment later. */
export function isRetryable(error: unknown): boolean {
  if (error instanceof KmsChecksumError || PASSING.has(codeOf(error))) return true
  // Without a number of gRPC there was no answer: the connection, or the name.
  return error instanceof Error && error.name !== 'GoogleError' && isNetworkFault(error)
}

const NETWORK_CODE = /^(E[A-Z]+|UND_ERR_\w+)$/
const NETWORK_MESSAGE = /fetch|request to|socket|network|connect/i

function isNetworkFault(error: Error): boolean {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } }
  const codes = [code, cause?.code].map(String)
  return codes.some((text) => NETWORK_CODE.test(text)) || NETWORK_MESSAGE.test(error.message)
}

/** The error for who asked for the signature; it names the key version, which is no secret. */
export function refusalOf(error: unknown, keyVersion: string): Error {
  const known = REASONS.get(codeOf(error))
  if (known) {
    const [code, reason] = known
    return new KmsRefusedError(code, `Cloud KMS refuses ${keyVersion}: ${reason}`, { cause: error })
  }
  if (isRetryable(error)) return new ServiceError('TIMEOUT', {}, { cause: error })
  return error instanceof Error ? error : new Error(String(error))
}
