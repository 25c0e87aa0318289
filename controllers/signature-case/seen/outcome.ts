/** Sees what finalising a case came to: its result, the failure, or nothing yet. */
import { outcomeKey, resultKey } from '../../../domain/cases/keys.ts'
import type { FinaliseFailure, FinaliseResult } from '../../../domain/cases/results.ts'
import { readJson } from '../../../domain/json-object.ts'
import { JSON_TYPE } from '../../../domain/media-types.ts'
import type { ObjectStore } from '../../../domain/ports/object-store.ts'
import type { CaseKey } from '../../../domain/ports/stores.ts'
import type { OutcomeSeen } from '../observation.ts'

/** An outcome that is a PDF counts once the result beside it is there. */
export async function seeOutcome(key: CaseKey, objects: ObjectStore): Promise<OutcomeSeen> {
  const outcome = await objects.stat(outcomeKey(key))
  if (!outcome) return {}
  if (outcome.contentType === JSON_TYPE) {
    const failure = await readJson<FinaliseFailure>(objects, outcomeKey(key))
    return failure ? { failure } : {}
  }
  const result = await readJson<FinaliseResult>(objects, resultKey(key))
  return result ? { result } : {}
}
