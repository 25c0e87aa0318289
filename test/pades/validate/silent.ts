/** Whether a changed file passes unnoticed. */
import type { Buffer } from 'node:buffer'
import { PadesError } from '../../../pades/errors.ts'
import { validateSignatures } from '../../../pades/validate/validate-signatures.ts'
import { mutated, randomFrom } from '../../fixtures/mutations.ts'
import { LATER, OPTIONS } from './sample.ts'

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
    if (isSilent) silent.push(`round ${round}: ${kind} at ${at}`)
  }
  return silent
}
