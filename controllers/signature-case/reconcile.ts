/** Brings one case from what is known of it to what it should be: gather, decide, apply. */
import { ConflictError, type CaseKey } from '../../domain/ports/stores.ts'
import { apply, type ApplyDeps } from './apply.ts'
import { decide } from './decide.ts'
import { gather, type GatherDeps } from './gather.ts'

export type ReconcileDeps = GatherDeps & ApplyDeps

/** More writers than this on one case at one time: leave it to a later run. */
const MAXIMUM_LOST_RACES = 10

/**
 * @returns when to look again though nothing was heard, in milliseconds since 1970
 * @throws ConflictError when other writers were first again and again
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
