/**
 * Decides whether a case can be observed by a listing of its folder that is less than a minute old.
 * What was written since is then read under its name (decisions 236 and 310).
 */
import { readReceipts } from '../../application/cases/receipts.ts'
import type { ObjectReader } from '../../application/store/folder-snapshot.ts'
import type { AuditEntry } from '../../domain/audit/entry.ts'
import { AuditTrailError } from '../../domain/audit/fault.ts'
import type { seenHeads } from '../../domain/audit/signature-check.ts'
import { trailSealReceiptId } from '../../domain/cases/due-audit-events.ts'
import { dueMails, groupMails, isRecorded, type Receipts } from '../../domain/cases/due-mails.ts'
import { askedErasure } from '../../domain/cases/erasure.ts'
import {
  caseFolder,
  commonReceiptKey,
  intakeKey,
  outcomeKey,
  receiptKey,
  resultKey,
} from '../../domain/cases/keys.ts'
import { caseView, hasEnded } from '../../domain/cases/lifecycle.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import type { SignatureFact } from '../../domain/cases/spec.ts'
import type { DueWebhook } from '../../domain/cases/webhooks.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import type { GatherDeps } from './gather.ts'
import { lacksFacts } from './kept-facts.ts'

/** What the observations of a case have in common. */
export interface Known {
  key: CaseKey
  webhooks: readonly DueWebhook[]
  accepted: readonly SignatureFact[]
  heads: ReturnType<typeof seenHeads>
}

/** A listing, and the trail and the receipts as they are now. */
interface Recent {
  objects: ObjectReader
  entries: readonly AuditEntry[]
  receipts: Receipts
}

/**
 * Returns the entries in memory, extended by what others have appended, if they contain the heads
 * that the case names and no fact that it lacks. The trail is not listed.
 */
async function readKnownTrail(
  signatureCase: SignatureCase,
  { key, heads }: Known,
  { trail }: GatherDeps,
): Promise<readonly AuditEntry[] | undefined> {
  const isBehind = (entries: readonly AuditEntry[]) =>
    heads.some((head) => head.trail.sequence > entries.length)
  try {
    const remembered = await trail.remembered(key)
    const entries = remembered && isBehind(remembered) ? await trail.newest(key) : remembered
    if (!entries || isBehind(entries) || lacksFacts(signatureCase, entries)) return undefined
    return entries
  } catch (error) {
    // The caller reads the whole trail and reports its fault.
    if (!(error instanceof AuditTrailError)) throw error
    return undefined
  }
}

/** Whether an erasure may be under way, which depends on all objects in the folder. */
const mayBeErased = (signatureCase: SignatureCase) =>
  signatureCase.status?.erasure !== undefined || askedErasure(signatureCase) !== undefined

/** Keys that others write once; when one was listed, it may have been replaced since. */
function replaceableKeys(key: CaseKey, { status }: SignatureCase): string[] {
  if (status && hasEnded(status.phase)) return [receiptKey(key, trailSealReceiptId(key.caseId))]
  return status?.document ? [outcomeKey(key), resultKey(key)] : [intakeKey(key)]
}

/**
 * Looks for the receipts of mails that are due and not recorded in the trail. A worker stores the
 * receipt of mails that it sent together under the name that follows from all of them; it reports
 * any other one, and then the folder is listed again.
 */
async function findReceipts(
  signatureCase: SignatureCase,
  listed: Receipts,
  { key, accepted }: Known,
  { objects, now }: GatherDeps,
): Promise<Receipts> {
  const nowMs = now().getTime()
  const view = caseView(signatureCase, accepted, nowMs)
  const pending = dueMails(signatureCase, view, listed, nowMs).filter(
    (mail) => !isRecorded(mail) && !listed.has(mail.eventId),
  )
  const found = await Promise.all(
    groupMails(signatureCase, pending).map(async ({ eventIds }) => {
      const stat = await objects.stat(commonReceiptKey(key, eventIds))
      return eventIds.flatMap((id): [string, number][] =>
        stat ? [[id, stat.updatedAt.getTime()]] : [],
      )
    }),
  )
  return new Map([...listed, ...found.flat()])
}

/**
 * Returns a recent listing if nothing that the case waits for is only found by listing. The upload,
 * its verdict, the outcome, the seal and the receipts of mails have known keys. Receipts of
 * webhooks are found by listing.
 */
export async function findRecentListing(
  signatureCase: SignatureCase,
  seen: Known,
  deps: GatherDeps,
): Promise<Recent | undefined> {
  const { key, webhooks } = seen
  const { read, now } = deps
  const isLast = signatureCase.metadata.deletionTimestamp !== undefined
  if (isLast || mayBeErased(signatureCase)) return undefined
  const objects = read?.recent(caseFolder(key), now().getTime(), deps.objects)
  if (!objects) return undefined
  for (const objectKey of replaceableKeys(key, signatureCase)) {
    if ((await objects.list(objectKey, { limit: 1 })).length > 0) return undefined
  }
  const listed = await readReceipts(key, objects)
  if (webhooks.some(({ eventId }) => !listed.has(eventId))) return undefined
  const entries = await readKnownTrail(signatureCase, seen, deps)
  if (!entries) return undefined
  const receipts = await findReceipts(signatureCase, listed, seen, deps)
  return { objects, entries, receipts }
}
