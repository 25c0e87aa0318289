/**
 * When the objects of a case are erased, which of them and in what order, and what is told of it.
 * Pure.
 */
import type { CaseKey } from '../ports/stores.ts'
import { caseFolder, tombstoneKey } from './keys.ts'
import { ATTEMPT_RETENTION_MS } from '../limits.ts'
import type { SignatureCase } from './signature-case.ts'
import type { Erasure, ErasureRule } from './status.ts'

/** Asks for erasure when its value is the id of the case. */
export const ERASE_ANNOTATION = 'sigcase.dev/erase'
const DAY_MS = 24 * 60 * 60 * 1000

/** An object that was there, without anything that it said. */
export interface ErasedObject {
  /** Its key within the folder of the case. */
  name: string
  /** Octets. */
  size: number
  /** Hex. */
  sha256: string
}

/**
 * `…/tombstone.json`: the order to erase, written before anything is removed, and in the end the
 * receipt. An object is named in it before it is removed. It holds nothing of any person.
 */
export interface Tombstone extends Erasure {
  version: 1
  tenant: string
  caseId: string
  objects: ErasedObject[]
}

/** The order, before anything was removed. */
export function orderOf({ tenant, caseId }: CaseKey, erasure: Erasure): Tombstone {
  return { version: 1, tenant, caseId, ...erasure, objects: [] }
}

/** What a tombstone says beside its objects. */
export function erasureOf({ rule, retentionDays, decidedAt, erasedAt }: Tombstone): Erasure {
  return {
    rule,
    ...(retentionDays === undefined ? {} : { retentionDays }),
    decidedAt,
    ...(erasedAt === undefined ? {} : { erasedAt }),
  }
}

/** The tombstone with further objects; the same when it names all of them. */
export function naming(tombstone: Tombstone, found: readonly ErasedObject[]): Tombstone {
  const nameOf = ({ name, sha256 }: ErasedObject) => `${name} ${sha256}`
  const known = new Set(tombstone.objects.map(nameOf))
  const fresh = found.filter((one) => !known.has(nameOf(one)))
  if (fresh.length === 0) return tombstone
  return { ...tombstone, objects: [...tombstone.objects, ...fresh] }
}

/** What stays: proof without a person, and what keeps work from being done anew. */
const KEPT_FOLDERS = ['audit/', 'audit-heads/', 'certificates/', 'receipts/'] as const

/** The folder that stays and has the object, as the beginning of its key; undefined: none. */
export function keptFolderOf(key: CaseKey, objectKey: string): string | undefined {
  const folder = KEPT_FOLDERS.find((one) => objectKey.startsWith(caseFolder(key) + one))
  return folder === undefined ? undefined : caseFolder(key) + folder
}

/** Whether the object stays when the case is erased; what nobody thought of goes. */
export function isKept(key: CaseKey, objectKey: string): boolean {
  return objectKey === tombstoneKey(key) || keptFolderOf(key, objectKey) !== undefined
}

/** What something could be made from goes before what was made of it. */
const ORDER = ['upload.pdf', 'document.pdf', 'drawings/', 'outcome', 'evidence.pdf', 'result.json']

/** Keys of objects of one case, in the order in which they are removed. */
export function inErasureOrder(key: CaseKey, objectKeys: readonly string[]): string[] {
  const start = caseFolder(key).length
  const rankOf = (objectKey: string) => {
    const rank = ORDER.findIndex((name) => objectKey.startsWith(name, start))
    return rank === -1 ? ORDER.length : rank
  }
  return [...objectKeys].sort((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1))
}

/** When the controller saw the case end, whatever people said of it; undefined: it did not. */
export function endedAtOf({ status }: SignatureCase): string | undefined {
  const ended = status?.conditions.find(({ type }) => type === 'Ended')
  return ended?.status === 'True' ? ended.lastTransitionTime : undefined
}

/** What decides for how long a case is kept. */
export interface Keeping {
  /** Of its tenant. */
  retentionDays: number
  /** Milliseconds since 1970 of the last attempt to deliver a webhook; absent: there was none. */
  lastAttemptMs?: number
}

/**
 * Whether a case that ended so long ago is kept no longer. The log of deliveries, which is kept for
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

/** Whether somebody asked that the case be erased, or meant to. */
export function askedErasure({ metadata }: SignatureCase): 'asked' | 'mistaken' | undefined {
  const value = metadata.annotations?.[ERASE_ANNOTATION]
  if (value === undefined) return undefined
  return value === metadata.name ? 'asked' : 'mistaken'
}

/**
 * By what rule a case is to be erased now, or undefined. It must have ended, and owe nothing.
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
