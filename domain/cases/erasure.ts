/**
 * Decides when the objects of a case are erased, which ones, in which order, and what is recorded
 * about it. Pure.
 */
import type { CaseKey } from '../ports/stores.ts'
import { WITH_VALUES_TYPE } from '../audit/stored.ts'
import { auditFolder, caseFolder, tombstoneKey } from './keys.ts'
import { ATTEMPT_RETENTION_MS } from '../limits.ts'
import type { SignatureCase } from './signature-case.ts'
import type { Erasure, ErasureRule } from './status.ts'

/** Requests the erasure when its value is the id of the case. */
export const ERASE_ANNOTATION = 'sigcase.dev/erase'
const DAY_MS = 24 * 60 * 60 * 1000

/**
 * Description of an erased object, without its content. An object with entries of the trail loses
 * only their personal values.
 */
export interface ErasedObject {
  /** Its key within the folder of the case. */
  name: string
  /** Octets. */
  size: number
  /** Hex; absent for an object that is longer than any that this service writes. */
  sha256?: string
}

/**
 * `…/tombstone.json`: the erasure order, written before any object is deleted, and later the record
 * of the erasure. An object is listed before it is deleted. A tombstone contains no personal data.
 */
export interface Tombstone extends Erasure {
  version: 1
  tenant: string
  caseId: string
  objects: ErasedObject[]
}

/** Builds the order, before any object was deleted. */
export function orderOf({ tenant, caseId }: CaseKey, erasure: Erasure): Tombstone {
  return { version: 1, tenant, caseId, ...erasure, objects: [] }
}

/** Returns a tombstone without its objects. */
export function erasureOf({ rule, retentionDays, decidedAt, erasedAt }: Tombstone): Erasure {
  return {
    rule,
    ...(retentionDays === undefined ? {} : { retentionDays }),
    decidedAt,
    ...(erasedAt === undefined ? {} : { erasedAt }),
  }
}

/**
 * Returns the tombstone with further objects, or the same one when it already lists all of them.
 */
export function naming(tombstone: Tombstone, found: readonly ErasedObject[]): Tombstone {
  const nameOf = ({ name, sha256 }: ErasedObject) => `${name} ${sha256}`
  const known = new Set(tombstone.objects.map(nameOf))
  const fresh = found.filter((one) => !known.has(nameOf(one)))
  if (fresh.length === 0) return tombstone
  return { ...tombstone, objects: [...tombstone.objects, ...fresh] }
}

/** Records that keep work from being repeated, and evidence without personal data. */
const KEPT_FOLDERS = ['audit-heads/', 'certificates/', 'receipts/'] as const

/** Returns the kept folder that contains the object, as key prefix, or undefined. */
export function keptFolderOf(key: CaseKey, objectKey: string): string | undefined {
  const folder = KEPT_FOLDERS.find((one) => objectKey.startsWith(caseFolder(key) + one))
  return folder === undefined ? undefined : caseFolder(key) + folder
}

/** Whether the object contains entries of the trail, which stay without their personal values. */
export const isTrailObject = (key: CaseKey, objectKey: string): boolean =>
  objectKey.startsWith(auditFolder(key))

/**
 * Whether the object is kept as it is when the case is erased; unknown objects are erased. The
 * content type shows whether entries of the trail have personal values.
 */
export function isKept(
  key: CaseKey,
  { key: objectKey, contentType }: { key: string; contentType: string },
): boolean {
  if (isTrailObject(key, objectKey)) return contentType !== WITH_VALUES_TYPE
  return objectKey === tombstoneKey(key) || keptFolderOf(key, objectKey) !== undefined
}

/**
 * Sources are deleted before the objects that are made from them, and the record of an archived
 * case first, so that the case does not show documents that are gone.
 */
const ORDER = [
  'archive.json',
  'upload.pdf',
  'document.pdf',
  'drawings/',
  'outcome',
  'evidence.pdf',
  'result.json',
]

/** Sorts keys of objects of one case in the order of their deletion. */
export function inErasureOrder(key: CaseKey, objectKeys: readonly string[]): string[] {
  const start = caseFolder(key).length
  const rankOf = (objectKey: string) => {
    const rank = ORDER.findIndex((name) => objectKey.startsWith(name, start))
    return rank === -1 ? ORDER.length : rank
  }
  return [...objectKeys].sort((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1))
}

/**
 * When the controller saw the case end, regardless of stated times; undefined when it has not
 * ended.
 */
export function endedAtOf({ status }: SignatureCase): string | undefined {
  const ended = status?.conditions.find(({ type }) => type === 'Ended')
  return ended?.status === 'True' ? ended.lastTransitionTime : undefined
}

/** What decides for how long a case is kept. */
export interface Keeping {
  /** Retention of its tenant. */
  retentionDays: number
  /** Milliseconds since 1970 of the last attempt to deliver a webhook; absent: there was none. */
  lastAttemptMs?: number
}

/**
 * Whether the retention of an ended case is over. The log of deliveries, which is kept for
 * 90 days (specification 6.2), keeps the case with it when the tenant's time is shorter.
 */
export function isOverdue(
  endedAt: string,
  { retentionDays, lastAttemptMs = Number.NEGATIVE_INFINITY }: Keeping,
  nowMs: number,
): boolean {
  const isKeptByLog = nowMs < lastAttemptMs + ATTEMPT_RETENTION_MS
  return !isKeptByLog && nowMs >= Date.parse(endedAt) + retentionDays * DAY_MS
}

/** Whether the annotation requests an erasure, correctly or by mistake. */
export function askedErasure({ metadata }: SignatureCase): 'asked' | 'mistaken' | undefined {
  const value = metadata.annotations?.[ERASE_ANNOTATION]
  if (value === undefined) return undefined
  return value === metadata.name ? 'asked' : 'mistaken'
}

/**
 * Returns the rule by which a case is to be erased now, or undefined. The case must have ended and
 * have no pending work.
 *
 * @param keeping `retentionDays` undefined: for ever
 */
export function dueErasure(
  signatureCase: SignatureCase,
  { retentionDays, ...keeping }: Partial<Keeping>,
  nowMs: number,
): ErasureRule | undefined {
  const endedAt = endedAtOf(signatureCase)
  if (endedAt === undefined) return undefined
  if (askedErasure(signatureCase) === 'asked') return { rule: 'annotation' }
  if (retentionDays === undefined) return undefined
  if (!isOverdue(endedAt, { retentionDays, ...keeping }, nowMs)) return undefined
  return { rule: 'retention', retentionDays }
}
