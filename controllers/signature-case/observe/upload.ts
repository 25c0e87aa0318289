/** Reads the verdict on the upload of a case, or finds the upload that needs one. */
import { documentKey, intakeKey, uploadKey } from '../../../domain/cases/keys.ts'
import type { IntakeResult } from '../../../domain/cases/results.ts'
import type { CaseKey } from '../../../domain/ports/stores.ts'
import type { ObjectStore } from '../../../domain/ports/object-store.ts'
import { readWorkerResult, type ReadResultDeps } from '../../../application/store/stored-results.ts'
import type { UploadObservation } from '../observation.ts'

/**
 * Does not look for the upload once there is a verdict. A verdict that no worker wrote does not
 * count; intake then judges the upload, or the bytes that it froze before.
 */
export async function observeUpload(
  key: CaseKey,
  deps: ReadResultDeps & { objects: Pick<ObjectStore, 'stat'> },
): Promise<UploadObservation> {
  const { objects } = deps
  const intake = await readWorkerResult<IntakeResult>(
    intakeKey(key),
    { object: 'intake', key },
    deps,
  )
  if (intake?.value) return { intake: intake.value }
  const upload = await objects.stat(uploadKey(key))
  const frozen = intake && !upload ? await objects.stat(documentKey(key)) : undefined
  const judged = upload ?? frozen
  return judged ? { upload: judged } : {}
}
