/**
 * Erases archived cases when the retention time of their tenant is over. The entries of a tenant
 * are in the order in which its cases ended, so only those that are due are read.
 */
import { readArchive } from '../application/archive/archived-cases.ts'
import { objectPages } from '../application/store/object-pages.ts'
import { readWorkerResult } from '../application/store/stored-results.ts'
import { archivedCase } from '../domain/cases/archive.ts'
import { endedAtOf, isOverdue, type Tombstone } from '../domain/cases/erasure.ts'
import { ARCHIVED_FOLDER, archivedFolder, archivedOf, tombstoneKey } from '../domain/cases/keys.ts'
import type { Keyring } from '../domain/ports/keyring.ts'
import type { ObjectStore } from '../domain/ports/object-store.ts'
import type { SecretStore } from '../domain/ports/secret-store.ts'
import type { CaseKey } from '../domain/ports/stores.ts'
import { attemptAll } from './attempt-all.ts'
import { orderErasure, readLastAttemptMs, type RemovedDeps } from './removed-cases.ts'

/** More pages than one day makes due; the next sweep finds the rest. */
const MAXIMUM_PAGES = 10_000
const MAXIMUM_TENANTS = 100_000
/** The character that follows `/`. */
const BEHIND_FOLDER = '0'

/** An archived case, and the key of its entry in the list of its tenant. */
interface Entry {
  key: CaseKey
  entry: string
}

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
  { key, entry }: Entry,
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

/** Lists the tenants that have archived cases. Other writers can make keys that are not entries. */
async function* archivedTenants(objects: Pick<ObjectStore, 'list'>): AsyncGenerator<string> {
  let after = ARCHIVED_FOLDER
  for (let tenants = 0; tenants < MAXIMUM_TENANTS; tenants++) {
    const [first] = await objects.list(ARCHIVED_FOLDER, { limit: 1, after })
    if (!first) return
    const [tenant = '', ...entry] = first.key.slice(ARCHIVED_FOLDER.length).split('/')
    const isFolder = entry.length > 0
    if (isFolder) yield tenant
    after = isFolder ? `${ARCHIVED_FOLDER}${tenant}${BEHIND_FOLDER}` : first.key
  }
}

/** Lists the entries of a tenant whose cases ended longer ago than the retention time. */
async function* overdueEntries(
  tenant: string,
  retentionDays: number,
  objects: Pick<ObjectStore, 'list'>,
  nowMs: number,
): AsyncGenerator<Entry> {
  for await (const page of objectPages(objects, archivedFolder(tenant), MAXIMUM_PAGES)) {
    for (const { key: entry } of page) {
      const found = archivedOf(entry)
      if (!found) continue
      const endedAt = new Date(found.endedMs).toISOString()
      if (!isOverdue(endedAt, { retentionDays }, nowMs)) return
      yield { key: { tenant, caseId: found.caseId }, entry }
    }
  }
}

/** @throws the first error, after all cases of the tenant */
async function eraseOfTenant(tenant: string, deps: ArchivedDeps, nowMs: number): Promise<void> {
  const retentionDays = await deps.retention.readDays(tenant)
  if (retentionDays === undefined) return
  const entries = overdueEntries(tenant, retentionDays, deps.objects, nowMs)
  await attemptAll(entries, (one) => eraseIfOverdue(one, retentionDays, deps, nowMs))
}

/**
 * Orders the erasure of every archived case that is overdue. A tenant costs two listings, however
 * many archived cases it has.
 *
 * @throws the first error, after all cases
 */
export async function eraseArchived(deps: ArchivedDeps, nowMs: number): Promise<void> {
  await attemptAll(archivedTenants(deps.objects), (tenant) => eraseOfTenant(tenant, deps, nowMs))
}
