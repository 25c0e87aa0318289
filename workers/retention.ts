/**
 * The job `retention`: erases the documents and personal values of a case when the controller
 * ordered it, and completes a tombstone that lists what was erased.
 */
import { createHash } from 'node:crypto'
import { erasableObjects } from '../application/cases/erasable-objects.ts'
import {
  inErasureOrder,
  isKept,
  isTrailObject,
  naming,
  type ErasedObject,
  type Tombstone,
} from '../domain/cases/erasure.ts'
import { withoutOpenings } from '../domain/audit/stored.ts'
import { JSON_TYPE } from '../domain/media-types.ts'
import { caseFolder, removedPrefix, tombstoneKey } from '../domain/cases/keys.ts'
import type { CaseKey } from '../domain/ports/stores.ts'
import { readWorkerResult, writeWorkerResult } from '../application/store/stored-results.ts'
import type { WorkerDeps } from './deps.ts'
import { publishCaseChange } from './publish-case-change.ts'

type RetentionDeps = Pick<WorkerDeps, 'objects' | 'ephemeral' | 'keyring' | 'alarm' | 'now'>

/** The tombstone as it was read. */
interface StoredTombstone {
  key: string
  tombstone: Tombstone
  generation: string
}

/** Objects of one pass; the tombstone lists them before they are deleted. */
const PASS_OBJECTS = 500
/** More passes than a case can fill and concurrent runs can cause. */
const MAXIMUM_PASSES = 2000
/** Limit for a case that was removed, applied again and removed repeatedly. */
const MAXIMUM_REMOVALS = 100

/**
 * Describes objects for the tombstone; an object that another run has erased is already listed by
 * it.
 */
async function described(
  key: CaseKey,
  objectKeys: readonly string[],
  { objects }: RetentionDeps,
): Promise<ErasedObject[]> {
  const found: ErasedObject[] = []
  // One at a time, because a document has up to 25 MB.
  for (const objectKey of objectKeys) {
    const object = await objects.get(objectKey)
    if (!object || isKept(key, object)) continue
    const sha256 = createHash('sha256').update(object.bytes).digest('hex')
    found.push({ name: objectKey.slice(caseFolder(key).length), size: object.size, sha256 })
  }
  return found
}

/**
 * Removes the personal values beside entries of the trail; the entries stay. Another run, or a
 * later pass, erases what changed in the meantime.
 */
async function eraseValues(objectKey: string, { objects }: RetentionDeps): Promise<void> {
  const object = await objects.get(objectKey)
  if (!object) return
  const bytes = withoutOpenings(object)
  // An object that this service did not write.
  if (!bytes) return objects.delete(objectKey)
  const { generation } = object
  await objects.compareAndSwap(objectKey, bytes, { contentType: JSON_TYPE, generation })
}

/** @returns false when another writer won the race */
async function replace(
  { key, generation }: StoredTombstone,
  tombstone: Tombstone,
  deps: RetentionDeps,
): Promise<boolean> {
  return writeWorkerResult(key, tombstone, { generation }, deps)
}

/**
 * Lists the remaining objects in the tombstone, then erases them. Completes the tombstone when
 * none was left.
 *
 * @returns whether the tombstone is complete
 */
async function pass(key: CaseKey, stored: StoredTombstone, deps: RetentionDeps): Promise<boolean> {
  const { tombstone } = stored
  const stats = await erasableObjects(key, deps.objects, PASS_OBJECTS)
  if (stats.length === 0) {
    if (tombstone.erasedAt !== undefined) return true
    return replace(stored, { ...tombstone, erasedAt: deps.now().toISOString() }, deps)
  }
  const left = inErasureOrder(
    key,
    stats.map((stat) => stat.key),
  )
  const named = naming(tombstone, await described(key, left, deps))
  if (named !== tombstone && !(await replace(stored, named, deps))) return false
  for (const objectKey of left) {
    if (isTrailObject(key, objectKey)) await eraseValues(objectKey, deps)
    else await deps.objects.delete(objectKey)
  }
  return false
}

/** Deletes the records of removed cases that wait for their retention time. */
async function forgetRemoval(key: CaseKey, { objects }: RetentionDeps): Promise<void> {
  const records = await objects.list(removedPrefix(key), { limit: MAXIMUM_REMOVALS })
  for (const record of records) await objects.delete(record.key)
}

/**
 * Does nothing without a tombstone that the service wrote. A run continues where an earlier one
 * stopped.
 *
 * @throws Error when the store fails, or objects appear as fast as they are erased
 */
export async function eraseCase(key: CaseKey, deps: RetentionDeps): Promise<void> {
  for (let passes = 0; passes < MAXIMUM_PASSES; passes++) {
    const place = tombstoneKey(key)
    const violation = { object: 'tombstone', key } as const
    const stored = await readWorkerResult<Tombstone>(place, violation, deps)
    const tombstone = stored?.value
    if (!stored || !tombstone) return
    const { generation } = stored
    if (!(await pass(key, { key: place, tombstone, generation }, deps))) continue
    await forgetRemoval(key, deps)
    await publishCaseChange(key, deps)
    return
  }
  throw new Error(`objects of case ${key.caseId} appear as fast as they are erased`)
}
