/** Deletes webhook attempts from the log after their retention time (specification 6.2). */
import type { Attempt } from '../domain/cases/webhook-attempts.ts'
import { deliveriesFolder, receiptKey } from '../domain/cases/keys.ts'
import type { SignatureCase } from '../domain/cases/signature-case.ts'
import { decodeObject } from '../domain/json-object.ts'
import { ATTEMPT_RETENTION_MS } from '../domain/limits.ts'
import { objectPages } from '../application/store/object-pages.ts'
import type { ObjectStore, StoredObject } from '../domain/ports/object-store.ts'
import type { CaseKey } from '../domain/ports/stores.ts'

/** More pages than the attempts of one case can fill. */
const MAXIMUM_PAGES = 100

/**
 * When the attempt was made. For an object that is not an attempt, which another writer of the
 * bucket made, it is the time of the object.
 */
function attemptedMs(object: StoredObject): number {
  const claimedMs = Date.parse(String(decodeObject<Partial<Attempt>>(object)?.claimedAt))
  return Number.isNaN(claimedMs) ? object.updatedAt.getTime() : claimedMs
}

/**
 * Whether an attempt is old and its event has ended. While an event is open, its attempts count its
 * tries, so they are kept however old they are.
 */
async function isSpent(
  attemptKey: string,
  key: CaseKey,
  { objects, keepFromMs }: { objects: ObjectStore; keepFromMs: number },
): Promise<boolean> {
  const object = await objects.get(attemptKey)
  if (!object || attemptedMs(object) >= keepFromMs) return false
  const [eventId = ''] = attemptKey.slice(deliveriesFolder(key).length).split('/')
  return (await objects.stat(receiptKey(key, eventId))) !== undefined
}

/** Deletes the attempts of one case that are older than the retention time. */
export async function sweepCase(caseKey: CaseKey, objects: ObjectStore, now: Date): Promise<void> {
  const keepFromMs = now.getTime() - ATTEMPT_RETENTION_MS
  const folder = deliveriesFolder(caseKey)
  for await (const page of objectPages(objects, folder, MAXIMUM_PAGES)) {
    for (const { key } of page) {
      if (await isSpent(key, caseKey, { objects, keepFromMs })) await objects.delete(key)
    }
  }
}

/**
 * Deletes webhook attempts that are older than the retention time. Receipts are kept, so that an
 * ended event is not sent again. Cases younger than the retention time are skipped.
 */
export async function sweepOldAttempts(
  cases: readonly SignatureCase[],
  { objects, now }: { objects: ObjectStore; now: Date },
): Promise<void> {
  const keepFromMs = now.getTime() - ATTEMPT_RETENTION_MS
  for (const signatureCase of cases) {
    const { definition, creation } = signatureCase.spec
    if (!definition.callback || !(Date.parse(creation.at) < keepFromMs)) continue
    const { namespace: tenant, name: caseId } = signatureCase.metadata
    await sweepCase({ tenant, caseId }, objects, now)
  }
}
