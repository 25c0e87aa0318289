/**
 * Erases archived cases when the retention time of their tenant is over. The entries of a tenant
 * are in the order in which its cases ended, so only those that are due are read.
 */
import { readArchive } from '../application/archive/archived-cases.ts'
import { readWorkerResult } from '../application/store/stored-results.ts'
import { archivedCase } from '../domain/cases/archive.ts'
import { endedAtOf, isOverdue, type Tombstone } from '../domain/cases/erasure.ts'
import { ARCHIVED_FOLDER, archivedFolder, archivedOf, tombstoneKey } from '../domain/cases/keys.ts'
import type { Keyring } from '../domain/ports/keyring.ts'
import type { ObjectStore } from '../domain/ports/object-store.ts'
import type { SecretStore } from '../domain/ports/secret-store.ts'
import type { CaseKey } from '../domain/ports/stores.ts'
import { orderErasure, readLastAttemptMs, type RemovedDeps } from './removed-cases.ts'

const PAGE = 500
/** More pages than one day makes due; the next sweep finds the rest. */
const MAXIMUM_PAGES = 10_000
const MAXIMUM_TENANTS = 100_000
/** The character that follows `/`. */
const BEHIND_FOLDER = '0'

export interface ArchivedDeps extends RemovedDeps {
  objects: Pick<ObjectStore, 'list' | 'delete'> & RemovedDeps['objects']
  secrets: Pick<SecretStore, 'delete'>
  keyring: Keyring<'audit-trail' | 'worker-result'>
  /** Called when the erasure of a case is ordered; it may be called again. */
  onErased?: (key: CaseKey) => Promise<void>
}

/** Continues or completes the erasure of a case whose record is gone. */
async function completeErasure(key: CaseKey, entry: string, deps: ArchivedDeps): Promise<void> {
  const violation = { object: 'tombstone', key } as const
  const stored = await readWorkerResult<Tombstone>(tombstoneKey(key), violation, deps)
  const tombstone = stored?.value
  await deps.onErased?.(key)
  // Without a tombstone, the case was removed, or another writer made the entry.
  if (tombstone && tombstone.erasedAt === undefined) {
    return orderErasure(key, tombstone.retentionDays ?? 0, deps, Date.parse(tombstone.decidedAt))
  }
  await deps.objects.delete(entry)
}

/** Orders the erasure of one archived case, if the time since its recorded end is over. */
async function eraseIfOverdue(
  { key, entry }: { key: CaseKey; entry: string },
  retentionDays: number,
  deps: ArchivedDeps,
  nowMs: number,
): Promise<void> {
  // The resource of a restored case says when it is erased.
  if (await deps.cases.get(key)) return
  const stored = await readArchive(key, deps)
  if (!stored) return completeErasure(key, entry, deps)
  // Another writer can make entries with any time.
  const endedAt = stored.record && endedAtOf(archivedCase(stored.record))
  if (endedAt === undefined) return
  const lastAttemptMs = await readLastAttemptMs(key, deps)
  if (!isOverdue(endedAt, { retentionDays, lastAttemptMs }, nowMs)) return
  await deps.secrets.delete(key)
  await orderErasure(key, retentionDays, deps, nowMs)
  await deps.onErased?.(key)
}

/** @returns the errors of single cases, which do not keep back the others */
async function sweepTenant(tenant: string, deps: ArchivedDeps, nowMs: number): Promise<unknown[]> {
  const retentionDays = await deps.retention.readDays(tenant)
  if (retentionDays === undefined) return []
  const errors: unknown[] = []
  let after = archivedFolder(tenant)
  for (let page = 0; page < MAXIMUM_PAGES; page++) {
    const stats = await deps.objects.list(archivedFolder(tenant), { limit: PAGE, after })
    for (const { key: entry } of stats) {
      const found = archivedOf(entry)
      if (!found) continue
      const endedAt = new Date(found.endedMs).toISOString()
      if (!isOverdue(endedAt, { retentionDays }, nowMs)) return errors
      const key = { tenant, caseId: found.caseId }
      await eraseIfOverdue({ key, entry }, retentionDays, deps, nowMs).catch((error: unknown) =>
        errors.push(error),
      )
    }
    const last = stats.at(-1)
    if (!last || stats.length < PAGE) break
    after = last.key
  }
  return errors
}

/**
 * Orders the erasure of every archived case that is overdue. A tenant costs two listings, however
 * many archived cases it has. Others who write the bucket can make keys that are not entries.
 *
 * @throws the first error, after all cases
 */
export async function eraseArchived(deps: ArchivedDeps, nowMs: number): Promise<void> {
  const errors: unknown[] = []
  let after = ARCHIVED_FOLDER
  for (let tenants = 0; tenants < MAXIMUM_TENANTS; tenants++) {
    const [first] = await deps.objects.list(ARCHIVED_FOLDER, { limit: 1, after })
    if (!first) break
    const [tenant = '', ...entry] = first.key.slice(ARCHIVED_FOLDER.length).split('/')
    const isFolder = entry.length > 0
    if (isFolder) {
      const failed = await sweepTenant(tenant, deps, nowMs).catch((error: unknown) => [error])
      errors.push(...failed)
    }
    after = isFolder ? `${ARCHIVED_FOLDER}${tenant}${BEHIND_FOLDER}` : first.key
  }
  if (errors.length > 0) throw errors[0]
}
