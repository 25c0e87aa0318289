/** Sees what finalising a case came to: its result, the failure, or nothing yet. */
import { outcomeKey, resultKey } from '../../../domain/cases/keys.ts'
import type { FinaliseFailure, FinaliseResult } from '../../../domain/cases/results.ts'
import { JSON_TYPE } from '../../../domain/media-types.ts'
import type { CaseKey } from '../../../domain/ports/stores.ts'
import type { OutcomeSeen } from '../observation.ts'
import { readResult, type ResultDeps } from './result.ts'

/**
 * An outcome that is a PDF counts once the result beside it is there. What no worker wrote does not
 * count: the job that is still owed replaces it.
 */
export async function seeOutcome(key: CaseKey, deps: ResultDeps): Promise<OutcomeSeen> {
  const outcome = await deps.objects.stat(outcomeKey(key))
  if (!outcome) return {}
  if (outcome.contentType === JSON_TYPE) {
    const failure = await readResult<FinaliseFailure>(key, 'outcome', outcomeKey(key), deps)
    return failure?.value ? { failure: failure.value } : {}
  }
  const result = await readResult<FinaliseResult>(key, 'result', resultKey(key), deps)
  return result?.value ? { result: result.value } : {}
}
