/** Reads how far the erasure of a case is, or how long its objects are kept. */
import { erasableObjects } from '../../../application/cases/erasable-objects.ts'
import type { Tombstone } from '../../../domain/cases/erasure.ts'
import { tombstoneKey } from '../../../domain/cases/keys.ts'
import type { ObjectStore } from '../../../domain/ports/object-store.ts'
import type { RetentionRules } from '../../../domain/ports/retention.ts'
import type { CaseKey } from '../../../domain/ports/stores.ts'
import { readWorkerResult, type ResultDeps } from '../../../application/store/stored-results.ts'
import type { ErasureSeen } from '../observation.ts'

/**
 * Reads the tombstone of an earlier case with the same id. A tombstone that the service did not
 * write is ignored.
 */
export async function seeTombstone(
  key: CaseKey,
  deps: ResultDeps & { objects: ObjectStore },
): Promise<ErasureSeen> {
  const { objects } = deps
  const violation = { object: 'tombstone', key } as const
  const stored = await readWorkerResult<Tombstone>(tombstoneKey(key), violation, deps)
  const tombstone = stored?.value
  if (tombstone?.erasedAt === undefined) return tombstone ? { tombstone } : {}
  const leftovers = await erasableObjects(key, objects, 1)
  return { tombstone, hasLeftovers: leftovers.length > 0 }
}

/**
 * Reads the tombstone of a case that has ended, or the retention time of its tenant.
 *
 * @throws Error when the retention time cannot be read
 */
export async function seeErasure(
  key: CaseKey,
  retention: RetentionRules,
  deps: ResultDeps & { objects: ObjectStore },
): Promise<ErasureSeen> {
  const seen = await seeTombstone(key, deps)
  if (seen.tombstone) return seen
  const retentionDays = await retention.daysOf(key.tenant)
  return retentionDays === undefined ? {} : { retentionDays }
}
