/** Notifies the controller that something about a case was written. */
import { CASE_CHANGED, type PubSub } from '../domain/ports/pub-sub.ts'
import type { CaseKey } from '../domain/ports/stores.ts'

/**
 * Publishes a notification. If it is lost, the next resync finds what was written.
 *
 * @throws ServiceError TIMEOUT when the ephemeral store is not reachable
 */
export async function publishCaseChange({ tenant, caseId }: CaseKey, deps: { ephemeral: PubSub }) {
  await deps.ephemeral.publish(CASE_CHANGED, JSON.stringify({ tenant, caseId }))
}
