/** Reads how far the trail of a case is sealed. */
import type { TrailSealReceipt } from '../../../domain/audit/head.ts'
import { receiptKey } from '../../../domain/cases/keys.ts'
import { trailSealReceiptId } from '../../../domain/cases/due-audit-events.ts'
import type { CaseKey } from '../../../domain/ports/stores.ts'
import { readWorkerResult, type ReadResultDeps } from '../../../application/store/stored-results.ts'
import type { SealObservation } from '../observation.ts'

/**
 * Reads the newest sealed head from the worker's receipt; a receipt that no worker wrote is
 * ignored.
 */
export async function observeSealedHead(
  key: CaseKey,
  deps: ReadResultDeps,
): Promise<SealObservation> {
  const objectKey = receiptKey(key, trailSealReceiptId(key.caseId))
  const receipt = await readWorkerResult<TrailSealReceipt>(objectKey, { object: 'seal', key }, deps)
  const { sealed, brokenAt } = receipt?.value ?? {}
  return {
    ...(sealed && {
      sealedHead: { sequence: sealed.sequence, sealedAtMs: Date.parse(sealed.at) },
    }),
    ...(brokenAt !== undefined && { isSealRefused: true }),
  }
}
