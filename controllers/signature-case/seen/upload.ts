/** Sees what came of the upload of a case: the verdict on it, or that one is still owed. */
import { intakeKey, uploadKey } from '../../../domain/cases/keys.ts'
import type { IntakeResult } from '../../../domain/cases/results.ts'
import { readJson } from '../../../domain/json-object.ts'
import type { ObjectStore } from '../../../domain/ports/object-store.ts'
import type { CaseKey } from '../../../domain/ports/stores.ts'
import type { UploadSeen } from '../observation.ts'

/** Once there is a verdict, nobody asks for the upload. */
export async function seeUpload(key: CaseKey, objects: ObjectStore): Promise<UploadSeen> {
  const intake = await readJson<IntakeResult>(objects, intakeKey(key))
  if (intake) return { intake }
  const upload = await objects.stat(uploadKey(key))
  return upload ? { upload } : {}
}
