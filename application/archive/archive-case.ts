/**
 * Moves an ended case from the store of cases to the object store. Every step can be repeated, so
 * another run continues after a kill.
 */
import { isArchivable, recordOf } from '../../domain/cases/archive.ts'
import { encodeArchive } from '../../domain/cases/archive-record.ts'
import { FINALIZER, withFinalizer } from '../../domain/cases/complete.ts'
import { endedAtOf } from '../../domain/cases/erasure.ts'
import { archivedKey, archiveKey } from '../../domain/cases/keys.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import { canonicalJson } from '../../domain/canonical-json.ts'
import type { IntegrityAlarm } from '../../domain/integrity-alarm.ts'
import { encodeJson } from '../../domain/json-object.ts'
import { JSON_TYPE } from '../../domain/media-types.ts'
import type { Keyring } from '../../domain/ports/keyring.ts'
import type { ObjectStore } from '../../domain/ports/object-store.ts'
import { ConflictError, type CaseKey, type CaseStore } from '../../domain/ports/stores.ts'
import { MAXIMUM_LOST_RACES, putOver } from '../store/stored-results.ts'
import { noteLog } from './note-log.ts'
import { readArchive, type StoredArchive } from './archived-cases.ts'

export interface ArchiveDeps {
  cases: Pick<CaseStore, 'get' | 'replaceSpec' | 'delete'>
  objects: Pick<ObjectStore, 'get' | 'list' | 'putIfAbsent' | 'compareAndSwap'>
  keyring: Keyring<'audit-trail' | 'worker-result'>
  alarm: Pick<IntegrityAlarm, 'raise'>
  /**
   * Called with the last version of the resource before it is deleted, such as to index the case.
   * It may be called again for the same version.
   */
  onArchived?: (signatureCase: SignatureCase) => Promise<void>
}

/**
 * How a run ended: the case is archived; it may not be archived now; it does not exist; or another
 * writer was first, and a later run has to look again.
 */
export type ArchiveOutcome = 'archived' | 'kept' | 'absent' | 'conflict'

/** Writes the record, unless the object has the same. An object of another writer is replaced. */
async function putRecord(key: CaseKey, signatureCase: SignatureCase, deps: ArchiveDeps) {
  const { objects, keyring } = deps
  const record = recordOf(signatureCase)
  const bytes = encodeArchive(keyring, key, record)
  // JSON leaves out undefined members.
  const text = canonicalJson(JSON.parse(JSON.stringify(record)))
  const object = { key: archiveKey(key), bytes, contentType: JSON_TYPE }
  let stored: StoredArchive | undefined
  for (let lost = 0; lost <= MAXIMUM_LOST_RACES; lost++) {
    if (await putOver(objects, object, stored?.generation)) return
    stored = await readArchive(key, deps)
    if (stored?.record && canonicalJson(stored.record) === text) return
  }
  throw new Error(`the object ${object.key} kept changing`)
}

/** The resource without our finalizer: its Secret stays, because an archived case still uses it. */
async function release(found: SignatureCase, { cases }: ArchiveDeps): Promise<SignatureCase> {
  const { metadata, ...rest } = found
  if (!metadata.finalizers?.includes(FINALIZER)) return found
  return cases.replaceSpec({ ...rest, metadata: { ...metadata, finalizers: [] } })
}

/** Another writer changed the case after its finalizer was removed, so it gets it back. */
async function keepAgain(key: CaseKey, { cases }: ArchiveDeps): Promise<void> {
  const current = await cases.get(key)
  if (!current || current.metadata.finalizers?.includes(FINALIZER)) return
  await cases.replaceSpec(withFinalizer(current))
}

/**
 * Archives a case: writes the record, then the entry by which the retention finds the case, and
 * then deletes the version of the resource that was read.
 *
 * @param isDue whether to archive a case that can be archived; the case may have changed since it
 *   was listed
 * @throws Error when a store fails; the next run continues
 */
export async function archiveCase(
  key: CaseKey,
  isDue: (signatureCase: SignatureCase) => boolean,
  deps: ArchiveDeps,
): Promise<ArchiveOutcome> {
  const found = await deps.cases.get(key)
  if (!found) return 'absent'
  const endedAt = endedAtOf(found)
  if (endedAt === undefined || !isArchivable(found) || !isDue(found)) return 'kept'
  await putRecord(key, found, deps)
  if (found.spec.definition.callback) await noteLog(key, deps.objects)
  await deps.objects.putIfAbsent(archivedKey(key, endedAt), encodeJson({}), JSON_TYPE)
  let released: SignatureCase | undefined
  try {
    released = await release(found, deps)
    await deps.onArchived?.(released)
    await deps.cases.delete(key, released.metadata.resourceVersion)
    return 'archived'
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error
    if (released && released !== found) await keepAgain(key, deps)
    return 'conflict'
  }
}
