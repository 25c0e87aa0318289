/** Sees how far the trail of a case is sealed. */
import { auditHeadFolder } from '../../../domain/cases/keys.ts'
import type { ObjectStore } from '../../../domain/ports/object-store.ts'
import type { CaseKey } from '../../../domain/ports/stores.ts'
import type { SealSeen } from '../observation.ts'

/** One a day at most, while entries come. */
const MAXIMUM_HEADS = 1000

/** The newest head; no object is read for it. */
export async function seeSealedHead(key: CaseKey, objects: ObjectStore): Promise<SealSeen> {
  const folder = auditHeadFolder(key)
  const newest = (await objects.list(folder, { limit: MAXIMUM_HEADS })).at(-1)
  if (!newest) return {}
  const sequence = Number(newest.key.slice(folder.length))
  return { sealedHead: { sequence, sealedAtMs: newest.updatedAt.getTime() } }
}
