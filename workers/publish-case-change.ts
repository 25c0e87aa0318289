/** Notifies the controller that something about a case was written. */
import { CASE_CHANGED, type PubSub } from '../domain/ports/pub-sub.ts'
import type { CaseKey } from '../domain/ports/stores.ts'

/**
 * Publishes a notification. If it is lost, the next resync finds what was written.
 *
 * @param mayWait nothing follows at once from what was written, so the controller may reconcile the
 *   case a little later, once for several such notifications
 * @param isListed an object was written whose name the controller does not look for
 * @throws ServiceError TIMEOUT when the ephemeral store is not reachable
 */
export async function publishCaseChange(
  { tenant, caseId }: CaseKey,
  deps: { ephemeral: PubSub },
  { mayWait = false, isListed = false } = {},
) {
  const message = { tenant, caseId, ...(mayWait && { mayWait }), ...(isListed && { isListed }) }
  await deps.ephemeral.publish(CASE_CHANGED, JSON.stringify(message))
}
