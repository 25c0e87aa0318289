/**
 * Reads the trail of a case, and checks that it contains the heads that signatures and the newest
 * seal name.
 */
import type { AuditEntry } from '../../../domain/audit/entry.ts'
import type { TrailFault, TrailHead } from '../../../domain/audit/fault.ts'
import { findHeadFault } from '../../../domain/audit/signature-check.ts'
import type { AuditTrail, CheckedTrail } from '../../../application/audit/trail.ts'
import type { CaseKey } from '../../../domain/ports/stores.ts'
import type { SealSeen } from '../observation.ts'

/** @returns a fault when the trail is shorter than the newest seal says */
function findSealFault(
  entries: readonly AuditEntry[],
  { sealedHead }: SealSeen,
): TrailFault | undefined {
  const sequence = sealedHead?.sequence ?? 0
  return sequence > entries.length ? { sequence, fault: 'missingHead' } : undefined
}

/**
 * Compares entries whose chain and MACs are valid with the heads that signatures name and with the
 * place of the newest seal.
 *
 * @param checked may be older than the seal, which was read at the same time
 * @param seen heads that the case names; they are older than `checked`
 */
export async function seeTrail(
  checked: CheckedTrail,
  seen: readonly { trail: TrailHead }[],
  seal: SealSeen,
  { key, trail }: { key: CaseKey; trail: AuditTrail },
): Promise<{ entries: readonly AuditEntry[]; trailFault?: TrailFault }> {
  const isBehind = !checked.fault && findSealFault(checked.entries, seal)
  const { entries, fault } = isBehind ? await trail.check(key) : checked
  if (fault) return { entries, trailFault: fault }
  const trailFault = findHeadFault(entries, seen) ?? findSealFault(entries, seal)
  if (!trailFault) return { entries }
  trail.report(key, trailFault)
  return { entries, trailFault }
}
