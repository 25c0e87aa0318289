/**
 * Reads the trail of a case that all participants signed, and refuses a trail that is not sound.
 */
import { AuditTrailError } from '../../domain/audit/fault.ts'
import { findHeadFault, findSignatureFault, seenHeads } from '../../domain/audit/signature-check.ts'
import type { AuditEntry, WholeTrail } from '../../domain/audit/entry.ts'
import {
  consentedEventId,
  dueAuditEvents,
  signedEventId,
} from '../../domain/cases/due-audit-events.ts'
import type { SignatureFact } from '../../domain/cases/spec.ts'
import type { ObjectReader } from '../../application/store/folder-snapshot.ts'
import type { FinaliseDeps, SignedByAll } from './signed-by-all.ts'

type TrailDeps = Pick<FinaliseDeps, 'trail'>

/**
 * Verifies hash chain, MACs and values of the whole trail before the document is signed, and
 * compares it with the signatures. Signatures that it does not have yet are appended with the
 * entries about the signed document, in one write.
 *
 * @param folder a listing of the folder of the case
 * @throws AuditTrailError when the trail is not sound
 * @throws Error when the store fails
 */
export async function checkTrail(
  all: SignedByAll,
  folder: ObjectReader,
  deps: TrailDeps,
): Promise<void> {
  const { key, accepted } = all
  const { entries, fault } = await deps.trail.check(key, folder)
  if (fault) throw new AuditTrailError(fault)
  const known = new Set(entries.map(({ eventId }) => eventId))
  const isRecorded = (fact: SignatureFact) =>
    known.has(consentedEventId(key.caseId, fact)) && known.has(signedEventId(key.caseId, fact))
  await compare(all, entries, accepted.filter(isRecorded), deps)
}

/**
 * Verifies the whole trail like {@link checkTrail}. Entries that follow from the case and are still
 * missing are appended first.
 *
 * @param isWhole false: this run verified the trail before, and reads only what was appended since
 * @throws AuditTrailError when the trail is not sound
 * @throws Error when the store fails
 */
export async function readSoundTrail(
  all: SignedByAll,
  deps: TrailDeps,
  { isWhole }: { isWhole: boolean },
): Promise<WholeTrail> {
  const { key, signatureCase, accepted } = all
  const { trail } = deps
  await (isWhole ? trail.entries(key) : trail.newest(key))
  const entries = await trail.append(key, dueAuditEvents(signatureCase, accepted))
  return compare(all, entries, accepted, deps)
}

/** @param recorded signatures that must be in the trail */
async function compare(
  { key, signatureCase, accepted }: SignedByAll,
  entries: readonly AuditEntry[],
  recorded: readonly SignatureFact[],
  { trail }: TrailDeps,
): Promise<WholeTrail> {
  const whole = { entries, openings: await trail.openings(key, entries) }
  const fault =
    findHeadFault(entries, seenHeads(signatureCase, accepted)) ??
    findSignatureFault(key.caseId, whole, recorded)
  if (!fault) return whole
  trail.report(key, fault)
  throw new AuditTrailError(fault)
}
