/** Whether a changed file passes unnoticed. */
import type { Buffer } from 'node:buffer'
import { PadesError } from '../../../pades/errors.ts'
import { validateSignatures } from '../../../pades/validate/validate-signatures.ts'
import { mutated, randomFrom } from '../../fixtures/mutations.ts'
import { LATER, OPTIONS } from './sample.ts'

/** A BIT STRING of whole octets with an ECDSA signature, from its tag, in hexadecimal digits. */
const SIGNATURE_BITS = /^03[\da-f]{2}0030$/i

/**
 * Whether a digit counts the unused bits of a signature. Where those bits are zero, another count
 * means the same signature, and the certificate of a signer of Italy's trusted list has one.
 */
const countsUnusedBits = (sample: Buffer, at: number): boolean =>
  SIGNATURE_BITS.test(sample.toString('latin1', Math.max(0, at - 5), at + 3))

/**
 * Changes a signed file at random places, and validates it at the time of signing and years later.
 *
 * @param seed of the places
 * @returns what passed in silence: every signature good, no warning, no unsigned octet
 */
export async function silentChanges(
  sample: Buffer,
  count: number,
  seed: number,
): Promise<string[]> {
  const random = randomFrom(seed)
  const silent: string[] = []
  for (let round = 0; round < count; round++) {
    const { kind, at, bytes } = mutated(sample, round, random)
    if (bytes.equals(sample)) continue
    const report = await validateSignatures(bytes, round % 8 < 4 ? OPTIONS : LATER).catch(
      (error: unknown) => {
        if (error instanceof PadesError) return undefined
        throw error
      },
    )
    const { signatures = [], document } = report ?? {}
    const isSilent =
      signatures.length === 3 &&
      document?.unsignedTailBytes === 0 &&
      signatures.every(
        ({ indication, warnings }) => indication === 'TOTAL_PASSED' && warnings.length === 0,
      )
    if (isSilent && !countsUnusedBits(sample, at)) silent.push(`round ${round}: ${kind} at ${at}`)
  }
  return silent
}
