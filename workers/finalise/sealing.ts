/** The service's seal, and the long-term validation data for it and the signatures before it. */
import type { SigningRequest } from '../../pades/index.ts'
import { longTermRequest, type LongTermDeps } from '../pki/long-term.ts'
import { sealCredential } from './credentials.ts'
import { SEAL_FIELD_NAME, SEAL_NAME } from './signers.ts'

/**
 * Builds the part of a signing request that is the same for every document that the service seals.
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
