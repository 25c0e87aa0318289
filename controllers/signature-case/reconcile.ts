/** Reconciles one case: gather, decide, apply. */
import { ConflictError, type CaseKey } from '../../domain/ports/stores.ts'
import { apply, type ApplyDeps } from './apply.ts'
import { decide } from './decide.ts'
import { gather, type GatherDeps } from './gather.ts'

export type ReconcileDeps = GatherDeps & ApplyDeps

/** After this many lost races, a later run reconciles the case. */
const MAXIMUM_LOST_RACES = 10

/**
 * @returns when to reconcile again without a notification, in milliseconds since 1970
 * @throws ConflictError when other writers won too many times in a row
 */
export async function reconcile(key: CaseKey, deps: ReconcileDeps): Promise<number | undefined> {
  for (let lost = 0; ; lost++) {
    const observation = await gather(key, deps)
    if (!observation) return undefined
    const plan = decide(observation)
    try {
      await apply(plan, deps)
      return plan.wakeAtMs
    } catch (error) {
      if (!(error instanceof ConflictError) || lost >= MAXIMUM_LOST_RACES) throw error
    }
  }
}
