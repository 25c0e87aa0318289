/**
 * Reads the trail of a case that all participants signed, and refuses a trail that is not sound.
 */
import { AuditTrailError } from '../../domain/audit/fault.ts'
import { findHeadFault, findSignatureFault, seenHeads } from '../../domain/audit/signature-check.ts'
import type { WholeTrail } from '../../domain/audit/entry.ts'
import { dueAuditEvents } from '../../domain/cases/due-audit-events.ts'
import type { FinaliseDeps, SignedByAll } from './signed-by-all.ts'

/**
 * Verifies hash chain, MACs and values of the whole trail, and compares it with the signatures.
 * Entries that follow from the case and are still missing are appended first.
 *
 * @param isWhole false: this run verified the trail before, and reads only what was appended since
 * @throws AuditTrailError when the trail is not sound
 * @throws Error when the store fails
 */
export async function readSoundTrail(
  { key, signatureCase, accepted }: SignedByAll,
  { trail }: Pick<FinaliseDeps, 'trail'>,
  { isWhole = true } = {},
): Promise<WholeTrail> {
  await (isWhole ? trail.entries(key) : trail.newest(key))
  const entries = await trail.append(key, dueAuditEvents(signatureCase, accepted))
  const whole = { entries, openings: await trail.openings(key, entries) }
  const fault =
    findHeadFault(entries, seenHeads(signatureCase, accepted)) ??
    findSignatureFault(key.caseId, whole, accepted)
  if (!fault) return whole
  trail.report(key, fault)
  throw new AuditTrailError(fault)
}
