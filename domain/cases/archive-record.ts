/**
 * Encodes and decodes the record of an archived case with MACs, so that another writer of the
 * object store cannot forge it (decision 234).
 */
import { findMacFault, makeMac, type MacFault } from '../keyed-mac.ts'
import type { Keyring } from '../ports/keyring.ts'
import type { CaseKey } from '../ports/stores.ts'
import { decodeResult, encodeResult } from '../worker-results.ts'
import type { ArchiveRecord } from './archive.ts'
import { archiveKey } from './keys.ts'

const DOMAIN = 'sigcase/archived-case/v1'
/** The API, the controller and the workers have the key of this purpose. */
const PURPOSE = 'audit-trail'

/** Why a stored object is not a record of the controller. */
export type ArchiveFault = 'unreadable' | 'otherCase' | MacFault

/** A decoded record, or why there is none. */
export type OpenedArchive = { record: ArchiveRecord } | { fault: ArchiveFault }

type ReadKeys = Keyring<'audit-trail'>
/** Processes that act on a record have both keys; the API can only read records. */
type WriteKeys = Keyring<'audit-trail' | 'worker-result'>

/**
 * Encodes a record with two MACs: one that the API can verify, and around it one of a key that the
 * API does not have, so that a stolen key of the API cannot change the status of a restored case.
 */
export function encodeArchive(keyring: WriteKeys, key: CaseKey, record: ArchiveRecord): Uint8Array {
  const objectKey = archiveKey(key)
  const plain = JSON.parse(JSON.stringify(record)) as object
  const read = makeMac(keyring, PURPOSE, [DOMAIN, objectKey, plain])
  return encodeResult(keyring, objectKey, { record: plain, read })
}

/** Parses the bytes of a record without verifying anything. */
function parse(bytes: Uint8Array): { record?: ArchiveRecord; read?: object } | undefined {
  try {
    const value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

/** Decodes the record of a case as the API can verify it. */
export function openArchive(keyring: ReadKeys, key: CaseKey, bytes: Uint8Array): OpenedArchive {
  const { record, read } = parse(bytes) ?? {}
  if (typeof record !== 'object' || typeof read !== 'object') return { fault: 'unreadable' }
  if (record === null || read === null) return { fault: 'unreadable' }
  const fault = findMacFault(keyring, PURPOSE, [DOMAIN, archiveKey(key), record], read)
  if (fault) return { fault }
  const { name, namespace } = record.metadata
  if (name !== key.caseId || namespace !== key.tenant) return { fault: 'otherCase' }
  return { record }
}

/** Decodes the record of a case with both MACs, as it is required before a case is restored. */
export function openWholeArchive(
  keyring: WriteKeys,
  key: CaseKey,
  bytes: Uint8Array,
): OpenedArchive {
  const outer = decodeResult<object>(keyring, { key: archiveKey(key), bytes })
  return 'fault' in outer ? outer : openArchive(keyring, key, bytes)
}
