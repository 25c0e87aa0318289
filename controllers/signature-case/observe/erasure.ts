/** Reads how far the erasure of a case is, or how long its objects are kept. */
import { erasableObjects } from '../../../application/cases/erasable-objects.ts'
import type { Tombstone } from '../../../domain/cases/erasure.ts'
import { tombstoneKey } from '../../../domain/cases/keys.ts'
import type { ObjectStore } from '../../../domain/ports/object-store.ts'
import type { RetentionRules } from '../../../domain/ports/retention.ts'
import type { CaseKey } from '../../../domain/ports/stores.ts'
import { readWorkerResult, type ReadResultDeps } from '../../../application/store/stored-results.ts'
import type { ErasureObservation } from '../observation.ts'

/**
 * Reads the tombstone of an earlier case with the same id. A tombstone that the service did not
 * write is ignored.
 */
export async function observeTombstone(
  key: CaseKey,
  deps: ReadResultDeps & { objects: Pick<ObjectStore, 'list'> },
): Promise<ErasureObservation> {
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
export async function observeErasure(
  key: CaseKey,
  retention: RetentionRules,
  deps: ReadResultDeps & { objects: Pick<ObjectStore, 'list'> },
): Promise<ErasureObservation> {
  const seen = await observeTombstone(key, deps)
  return seen.tombstone ? seen : observeRetention(key, retention)
}

/** Reads the retention time of the tenant of a case. @throws Error when it cannot be read */
export async function observeRetention(
  key: CaseKey,
  retention: RetentionRules,
): Promise<ErasureObservation> {
  const retentionDays = await retention.readDays(key.tenant)
  return retentionDays === undefined ? {} : { retentionDays }
}
