/** Reads the outcome of finalising a case: the result, the failure, or neither. */
import { outcomeKey, resultKey } from '../../../domain/cases/keys.ts'
import {
  outcomeKindOf,
  type FinaliseFailure,
  type FinaliseResult,
} from '../../../domain/cases/results.ts'
import type { CaseKey } from '../../../domain/ports/stores.ts'
import type { ObjectStore } from '../../../domain/ports/object-store.ts'
import { readWorkerResult, type ReadResultDeps } from '../../../application/store/stored-results.ts'
import type { OutcomeObservation } from '../observation.ts'

/**
 * A PDF at the outcome key counts once its result exists. An object that no worker wrote does not
 * count; the pending job replaces it.
 */
export async function observeOutcome(
  key: CaseKey,
  deps: ReadResultDeps & { objects: Pick<ObjectStore, 'stat'> },
): Promise<OutcomeObservation> {
  const outcome = await deps.objects.stat(outcomeKey(key))
  if (!outcome) return {}
  if (outcomeKindOf(outcome) === 'failed') {
    const failure = await readWorkerResult<FinaliseFailure>(
      outcomeKey(key),
      { object: 'outcome', key },
      deps,
    )
    return failure?.value ? { failure: failure.value } : {}
  }
  const result = await readWorkerResult<FinaliseResult>(
    resultKey(key),
    { object: 'result', key },
    deps,
  )
  return result?.value ? { result: result.value } : {}
}
