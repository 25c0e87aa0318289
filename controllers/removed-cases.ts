/**
 * Erases the remaining objects of removed cases when the retention time of their tenant is over.
 */
import { isOverdue, orderOf } from '../domain/cases/erasure.ts'
import { jobId } from '../domain/cases/jobs.ts'
import { deliveriesFolder, REMOVED_FOLDER, removedOf, tombstoneKey } from '../domain/cases/keys.ts'
import { objectPages } from '../application/store/object-pages.ts'
import type { JobQueue } from '../domain/ports/jobs.ts'
import type { ObjectStore } from '../domain/ports/object-store.ts'
import type { RetentionRules } from '../domain/ports/retention.ts'
import type { CaseKey, CaseStore } from '../domain/ports/stores.ts'
import { putWorkerResult, type ResultDeps } from '../application/store/stored-results.ts'
import { attemptAll } from './attempt-all.ts'

/** More than the attempts of one case fill. */
const MAXIMUM_PAGES = 100

/** A removed case, and when it ended. */
type Removed = CaseKey & { endedAt: string }

export interface RemovedDeps {
  cases: Pick<CaseStore, 'get'>
  objects: Pick<ObjectStore, 'list'> & ResultDeps['objects']
  keyring: ResultDeps['keyring']
  alarm: ResultDeps['alarm']
  jobs: Pick<JobQueue, 'add'>
  retention: RetentionRules
}

/**
 * Writes the erasure order first and adds the job then, as for an existing case, but without a
 * status.
 */
export async function orderErasure(
  key: CaseKey,
  retentionDays: number,
  deps: Omit<RemovedDeps, 'cases' | 'retention'>,
  nowMs: number,
): Promise<void> {
  const decidedAt = new Date(nowMs).toISOString()
  const order = orderOf(key, { rule: 'retention', retentionDays, decidedAt })
  await putWorkerResult(tombstoneKey(key), order, { object: 'tombstone', key }, deps)
  await deps.jobs.add('retention', jobId('retention', key), key)
}

/** When the newest attempt to deliver a webhook was written; -Infinity when there is none. */
export async function readLastAttemptMs(
  key: CaseKey,
  { objects }: Pick<RemovedDeps, 'objects'>,
): Promise<number> {
  let lastAttemptMs = Number.NEGATIVE_INFINITY
  for await (const page of objectPages(objects, deliveriesFolder(key), MAXIMUM_PAGES)) {
    for (const { updatedAt } of page) lastAttemptMs = Math.max(lastAttemptMs, updatedAt.getTime())
  }
  return lastAttemptMs
}

/** Lists the records of removed cases. */
async function* removedCases(objects: Pick<ObjectStore, 'list'>): AsyncGenerator<Removed> {
  for await (const page of objectPages(objects, REMOVED_FOLDER)) {
    for (const { key } of page) {
      const removed = removedOf(key)
      if (removed) yield removed
    }
  }
}

/** Orders the erasure of one removed case when its time is over. */
async function eraseIfOverdue(
  { endedAt, ...key }: Removed,
  deps: RemovedDeps,
  nowMs: number,
): Promise<void> {
  const retentionDays = await deps.retention.readDays(key.tenant)
  if (retentionDays === undefined || !isOverdue(endedAt, { retentionDays }, nowMs)) return
  const lastAttemptMs = await readLastAttemptMs(key, deps)
  if (!isOverdue(endedAt, { retentionDays, lastAttemptMs }, nowMs)) return
  // A case that was applied again belongs to the controller.
  if (await deps.cases.get(key)) return
  await orderErasure(key, retentionDays, deps, nowMs)
}

/**
 * Orders the erasure of every removed case that is overdue; a tenant without a rule has none. A
 * case that fails does not keep back the others.
 *
 * @throws the first error, after all cases
 */
export async function eraseRemoved(deps: RemovedDeps, nowMs: number): Promise<void> {
  await attemptAll(removedCases(deps.objects), (removed) => eraseIfOverdue(removed, deps, nowMs))
}
