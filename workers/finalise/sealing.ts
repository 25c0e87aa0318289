/** The service's seal, with all that makes it and the signatures before it last. */
import type { SigningRequest } from '../../pades/index.ts'
import { longTermRequest, type LongTermDeps } from '../pki/long-term.ts'
import { sealCredential } from './credentials.ts'
import { SEAL_FIELD_NAME, SEAL_NAME } from './signers.ts'

/**
 * What is alike in every document that the service seals.
 *
 * @throws Error when the device or the time-stamp authorities cannot be reached
 */
export async function sealingRequest(
  deps: LongTermDeps,
): Promise<Pick<SigningRequest, 'seal' | 'sealedAt' | 'timeStamp' | 'longTerm'>> {
  const { signingDevice, timeStamps, now } = deps
  const sealedAt = now()
  const [credential, longTerm] = await Promise.all([
    sealCredential(signingDevice),
    longTermRequest(deps),
  ])
  return {
    seal: { fieldName: SEAL_FIELD_NAME, name: SEAL_NAME, credential },
    sealedAt,
    timeStamp: (digest) => timeStamps.stamp(digest),
    longTerm,
  }
}
