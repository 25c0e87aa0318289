/** Restores a case for an operator, who may race with the controller. */
import {
  restoreCase,
  type RestoreDeps,
  type RestoreOutcome,
} from '../../application/archive/restore-case.ts'
import { ConflictError, type CaseKey } from '../../domain/ports/stores.ts'

/** The controller completes a restoring at most once. */
const MAXIMUM_LOST_RACES = 5

/**
 * Restores a case and keeps it from being archived again at once.
 *
 * @throws ConflictError when other writers won too many times
 */
export async function restoreByOperator(key: CaseKey, deps: RestoreDeps): Promise<RestoreOutcome> {
  const restoredAt = new Date().toISOString()
  let isBegun = false
  for (let lost = 0; ; lost++) {
    try {
      const outcome = await restoreCase(key, deps, restoredAt)
      // After a lost race, the other writer may have completed what this call began.
      return outcome === 'living' && isBegun ? 'restored' : outcome
    } catch (error) {
      if (!(error instanceof ConflictError) || lost >= MAXIMUM_LOST_RACES) throw error
      isBegun = true
    }
  }
}
