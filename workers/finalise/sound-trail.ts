/** Reads the trail of a case that everybody signed, and refuses one that does not hold. */
import { AuditTrailError } from '../../domain/audit/fault.ts'
import { findHeadFault, findSignatureFault, seenHeads } from '../../domain/audit/signature-check.ts'
import type { WholeTrail } from '../../domain/audit/trail.ts'
import { owedAuditEvents } from '../../domain/cases/owed.ts'
import type { FinaliseDeps, SignedByAll } from './work.ts'

/**
 * Checks chain, MACs and values of the whole trail, and compares it with the signatures. What the
 * case shows and the trail does not tell yet is appended first.
 *
 * @throws AuditTrailError when the trail does not hold
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
