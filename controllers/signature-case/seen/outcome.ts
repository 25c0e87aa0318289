/** Reads the outcome of finalising a case: the result, the failure, or neither. */
import { outcomeKey, resultKey } from '../../../domain/cases/keys.ts'
import type { FinaliseFailure, FinaliseResult } from '../../../domain/cases/results.ts'
import { JSON_TYPE } from '../../../domain/media-types.ts'
import type { CaseKey } from '../../../domain/ports/stores.ts'
import type { ObjectStore } from '../../../domain/ports/object-store.ts'
import { readWorkerResult, type ResultDeps } from '../../../application/store/stored-results.ts'
import type { OutcomeSeen } from '../observation.ts'

/**
 * A PDF at the outcome key counts once its result exists. An object that no worker wrote does not
 * count; the pending job replaces it.
 */
export async function seeOutcome(
  key: CaseKey,
  deps: ResultDeps & { objects: Pick<ObjectStore, 'stat'> },
): Promise<OutcomeSeen> {
  const outcome = await deps.objects.stat(outcomeKey(key))
  if (!outcome) return {}
  if (outcome.contentType === JSON_TYPE) {
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
