/**
 * Reads the trail of a case that all participants signed, and refuses a trail that is not sound.
 */
import { AuditTrailError } from '../../domain/audit/fault.ts'
import { findHeadFault, findSignatureFault, seenHeads } from '../../domain/audit/signature-check.ts'
import type { WholeTrail } from '../../domain/audit/entry.ts'
import { owedAuditEvents } from '../../domain/cases/owed.ts'
import type { FinaliseDeps, SignedByAll } from './work.ts'

/**
 * Verifies hash chain, MACs and values of the whole trail, and compares it with the signatures.
 * Entries that follow from the case and are still missing are appended first.
 *
 * @throws AuditTrailError when the trail is not sound
 * @throws Error when the store fails
 */
export async function readSoundTrail(
  { key, signatureCase, accepted }: SignedByAll,
  { trail }: Pick<FinaliseDeps, 'trail'>,
): Promise<WholeTrail> {
  await trail.entries(key)
  const entries = await trail.append(key, owedAuditEvents(signatureCase, accepted))
  const whole = { entries, openings: await trail.openings(key, entries) }
  const fault =
    findHeadFault(entries, seenHeads(signatureCase, accepted)) ??
    findSignatureFault(key.caseId, whole, accepted)
  if (!fault) return whole
  trail.report(key, fault)
  throw new AuditTrailError(fault)
}
