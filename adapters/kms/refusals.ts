/** What errors of Cloud KMS mean to the platform team, and which of them pass. */
import { ServiceError } from '../../domain/errors.ts'

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

const REASONS: ReadonlyMap<unknown, string> = new Map([
  [CODE.notFound, 'NOT_FOUND: there is no such key version'],
  [
    CODE.permissionDenied,
    'PERMISSION_DENIED: the service account needs roles/cloudkms.signerVerifier on the key',
  ],
  [CODE.failedPrecondition, 'FAILED_PRECONDITION: the key version is disabled or destroyed'],
  [CODE.unauthenticated, 'UNAUTHENTICATED: the credentials were not accepted'],
])

/** Trying again cannot help before somebody has put the key or its rights in order. */
export class KmsRefusedError extends Error {
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
  const reason = REASONS.get(codeOf(error))
  if (reason !== undefined) {
    return new KmsRefusedError(`Cloud KMS refuses ${keyVersion}: ${reason}`, { cause: error })
  }
  if (isRetryable(error)) return new ServiceError('TIMEOUT', {}, { cause: error })
  return error instanceof Error ? error : new Error(String(error))
}
