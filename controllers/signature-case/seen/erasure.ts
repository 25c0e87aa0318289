/** Sees how far the erasure of a case is, or how long its objects are kept. */
import { erasableObjects } from '../../../domain/cases/erasable-objects.ts'
import type { Tombstone } from '../../../domain/cases/erasure.ts'
import { tombstoneKey } from '../../../domain/cases/keys.ts'
import { readJson } from '../../../domain/json-object.ts'
import type { ObjectStore } from '../../../domain/ports/object-store.ts'
import type { RetentionRules } from '../../../domain/ports/retention.ts'
import type { CaseKey } from '../../../domain/ports/stores.ts'
import type { ErasureSeen } from '../observation.ts'

/** Of a case that nobody has worked on yet: the tombstone of a former one with its id. */
export async function seeTombstone(key: CaseKey, objects: ObjectStore): Promise<ErasureSeen> {
  const tombstone = await readJson<Tombstone>(objects, tombstoneKey(key))
  if (tombstone?.erasedAt === undefined) return tombstone ? { tombstone } : {}
  const leftovers = await erasableObjects(key, objects, 1)
  return { tombstone, hasLeftovers: leftovers.length > 0 }
}

/**
 * Of a case that has ended: its tombstone, or the rule by which it gets one.
 *
 * @throws Error when the rule cannot be told
 */
export async function seeErasure(
  key: CaseKey,
  objects: ObjectStore,
  retention: RetentionRules,
): Promise<ErasureSeen> {
  const seen = await seeTombstone(key, objects)
  if (seen.tombstone) return seen
  const retentionDays = await retention.daysOf(key.tenant)
  return retentionDays === undefined ? {} : { retentionDays }
}
