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
import { hasOnlyEntries, withoutOpenings } from '../domain/audit/stored.ts'
import { maximumObjectBytes } from '../domain/object-bounds.ts'
import { isObjectKey } from '../domain/object-names.ts'
import { JSON_TYPE } from '../domain/media-types.ts'
import { auditFolder, caseFolder, removedPrefix, tombstoneKey } from '../domain/cases/keys.ts'
import type { ObjectStat, StoredObject } from '../domain/ports/object-store.ts'
import type { CaseKey } from '../domain/ports/stores.ts'
import { objectPages } from '../application/store/object-pages.ts'
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
/** A thousand objects each; a trail has far fewer. */
const MAXIMUM_PAGES = 1000
/** Limit for a case that was removed, applied again and removed repeatedly. */
const MAXIMUM_REMOVALS = 100

/** Octets of an object that is too long. */
const NOT_READ = new Uint8Array()
/** Others wrote the object, or a tenant its upload. */
const isTooLong = ({ key, size }: ObjectStat) => size > maximumObjectBytes(key)

/** Whether the content of an object shows that nothing of it has to be erased. */
const isErased = (key: CaseKey, object: StoredObject) =>
  isTrailObject(key, object.key)
    ? isKept(key, object) && hasOnlyEntries(object)
    : isKept(key, object)

/**
 * Returns the objects of the trail that have personal values although their content type says that
 * they have none: another writer of the store can change it.
 */
async function mislabelled(
  key: CaseKey,
  { objects }: Pick<RetentionDeps, 'objects'>,
): Promise<ObjectStat[]> {
  const found: ObjectStat[] = []
  for await (const page of objectPages(objects, auditFolder(key), MAXIMUM_PAGES)) {
    for (const stat of page) {
      const object = isTooLong(stat) ? undefined : await objects.get(stat.key)
      if (isTooLong(stat) || (object && !isErased(key, object))) found.push(stat)
      if (found.length === PASS_OBJECTS) return found
    }
  }
  return found
}

/**
 * Describes objects for the tombstone; an object that another run has erased is already listed by
 * it.
 */
async function described(
  key: CaseKey,
  stats: readonly ObjectStat[],
  { objects }: RetentionDeps,
): Promise<ErasedObject[]> {
  const found: ErasedObject[] = []
  // One at a time, because a document has up to 25 MB.
  for (const stat of stats) {
    const name = stat.key.slice(caseFolder(key).length)
    const object = isTooLong(stat) ? { ...stat, bytes: NOT_READ } : await objects.get(stat.key)
    if (object && isTooLong(object)) found.push({ name, size: object.size })
    else if (object && !isErased(key, object)) {
      const sha256 = createHash('sha256').update(object.bytes).digest('hex')
      found.push({ name, size: object.size, sha256 })
    }
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
  return (await writeWorkerResult(key, tombstone, { generation }, deps)) !== undefined
}

/**
 * Lists the remaining objects in the tombstone, then erases them. Completes the tombstone when
 * none was left.
 *
 * @returns whether the tombstone is complete
 */
async function pass(key: CaseKey, stored: StoredTombstone, deps: RetentionDeps): Promise<boolean> {
  const { tombstone } = stored
  const listed = await erasableObjects(key, deps.objects, PASS_OBJECTS)
  const stats = listed.length > 0 ? listed : await mislabelled(key, deps)
  if (stats.length === 0) {
    if (tombstone.erasedAt !== undefined) return true
    return replace(stored, { ...tombstone, erasedAt: deps.now().toISOString() }, deps)
  }
  const byKey = new Map(stats.map((stat) => [stat.key, stat]))
  const left = inErasureOrder(key, [...byKey.keys()]).map((one) => byKey.get(one) as ObjectStat)
  const named = naming(tombstone, await described(key, left, deps))
  if (named !== tombstone && !(await replace(stored, named, deps))) return false
  for (const stat of left) {
    if (isTrailObject(key, stat.key) && !isTooLong(stat)) await eraseValues(stat.key, deps)
    else await deps.objects.delete(stat.key)
  }
  return false
}

/** Deletes the records of removed cases that wait for their retention time. */
async function forgetRemoval(key: CaseKey, { objects }: RetentionDeps): Promise<void> {
  const records = await objects.list(removedPrefix(key), { limit: MAXIMUM_REMOVALS })
  for (const record of records) if (isObjectKey(record.key)) await objects.delete(record.key)
}

/**
 * Does nothing without a tombstone that the service wrote. A run continues where an earlier one
 * stopped.
 *
 * @throws Error when the store fails, or objects appear as fast as they are erased
 */
export async function eraseCase(key: CaseKey, deps: RetentionDeps): Promise<void> {
  for (let passes = 0; passes < MAXIMUM_PASSES; passes++) {
    const objectKey = tombstoneKey(key)
    const violation = { object: 'tombstone', key } as const
    const stored = await readWorkerResult<Tombstone>(objectKey, violation, deps)
    const tombstone = stored?.value
    if (!stored || !tombstone) return
    const { generation } = stored
    if (!(await pass(key, { key: objectKey, tombstone, generation }, deps))) continue
    await forgetRemoval(key, deps)
    await publishCaseChange(key, deps)
    return
  }
  throw new Error(`objects of case ${key.caseId} appear as fast as they are erased`)
}
