/** Reads archived cases: the API uses them like those of the store of cases (decision 234). */
import { archivedCase, isRestoring, type ArchiveRecord } from '../../domain/cases/archive.ts'
import {
  openArchive,
  openWholeArchive,
  type OpenedArchive,
} from '../../domain/cases/archive-record.ts'
import { archiveKey } from '../../domain/cases/keys.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import type { IntegrityAlarm } from '../../domain/integrity-alarm.ts'
import type { Keyring } from '../../domain/ports/keyring.ts'
import type { ObjectStore } from '../../domain/ports/object-store.ts'
import type { CaseKey, CaseStore } from '../../domain/ports/stores.ts'
import { overrideStore } from '../cases/override-store.ts'

export interface ReadArchiveDeps {
  objects: Pick<ObjectStore, 'get'>
  keyring: Keyring<'audit-trail'>
  alarm: Pick<IntegrityAlarm, 'raise'>
}

/** A record as it was read, and its generation in the store. */
export interface StoredArchive {
  /** Absent when the service did not write the object. */
  record?: ArchiveRecord
  generation: string
}

/** Reads the object with one of the two ways to verify it. */
async function read(
  key: CaseKey,
  { objects, alarm }: Pick<ReadArchiveDeps, 'objects' | 'alarm'>,
  open: (bytes: Uint8Array) => OpenedArchive,
): Promise<StoredArchive | undefined> {
  const stored = await objects.get(archiveKey(key))
  if (!stored) return undefined
  const { bytes, generation } = stored
  const opened = open(bytes)
  if ('record' in opened) return { record: opened.record, generation }
  alarm.raise({ object: 'archive', fault: opened.fault, key })
  return { generation }
}

/**
 * Reads the record of a case for the controller, with both of its MACs. Raises the alarm when the
 * service did not write the object.
 *
 * @returns undefined when the object does not exist
 */
export function readArchive(
  key: CaseKey,
  deps: ReadArchiveDeps & { keyring: Keyring<'audit-trail' | 'worker-result'> },
): Promise<StoredArchive | undefined> {
  return read(key, deps, (bytes) => openWholeArchive(deps.keyring, key, bytes))
}

/** Returns the archived case as it was; undefined when there is none that the service wrote. */
async function findArchived(
  key: CaseKey,
  deps: ReadArchiveDeps,
): Promise<SignatureCase | undefined> {
  const stored = await read(key, deps, (bytes) => openArchive(deps.keyring, key, bytes))
  return stored?.record && archivedCase(stored.record)
}

/**
 * Returns the store with a `get` that also finds archived cases. It reads the object store only for
 * a case that does not exist or is being restored. A write of an archived case fails like that of a
 * case that is gone; the service refuses all changes of an ended case before it writes.
 */
export function withArchive(cases: CaseStore, deps: ReadArchiveDeps): CaseStore {
  return overrideStore(cases, {
    async get(key) {
      const living = await cases.get(key)
      if (living && !isRestoring(living)) return living
      // The second look finds a case that was restored in the meantime.
      return (await findArchived(key, deps)) ?? living ?? (await cases.get(key))
    },
  })
}
