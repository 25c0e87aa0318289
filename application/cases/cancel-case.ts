/** Cancels a case on behalf of its tenant (specification 4.3). */
import { assertCancellable } from '../../domain/cases/refusals.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import type { UseCaseDeps } from '../deps.ts'
import { changeSpec, type ObservedCase } from './read-case.ts'
import type { Origin } from './participant-request.ts'

/**
 * @param reason as the tenant wrote it
 * @returns the case as it reads now
 * @throws NotFoundError, ServiceError CASE_NOT_CANCELLABLE, TIMEOUT
 */
export function cancelCase(
  key: CaseKey,
  { reason, origin }: { reason: string | undefined; origin: Origin },
  deps: Pick<UseCaseDeps, 'cases' | 'keyring' | 'now'>,
): Promise<ObservedCase> {
  return changeSpec(key, deps, ({ view, signatureCase }) => {
    assertCancellable(view)
    const at = deps.now().toISOString()
    const cancellation = { at, ...(reason === undefined ? {} : { reason }), ...origin }
    return { ...signatureCase.spec, cancellation }
  })
}
