/** Decides which listed cases a resync leaves alone because nothing is left to do for them. */
import { askedErasure, endedAtOf, isOverdue } from '../domain/cases/erasure.ts'
import type { SignatureCase } from '../domain/cases/signature-case.ts'
import type { RetentionRules } from '../domain/ports/retention.ts'
import { isSettled } from './signature-case/conditions.ts'

/**
 * Whether the resource says that nothing is left to do: the status was settled for this generation,
 * and nobody requested a removal or an erasure since. The objects of the case are not read.
 */
export function isFinished(signatureCase: SignatureCase): boolean {
  const { metadata, status } = signatureCase
  // The resource of an erased case is kept for a while; the controller removes it later.
  if (!status || !isSettled(status) || status.erasure) return false
  if (metadata.deletionTimestamp !== undefined) return false
  if (status.observedGeneration !== (metadata.generation ?? 0)) return false
  const asked = askedErasure(signatureCase)
  if (asked !== 'mistaken') return asked === undefined
  return status.conditions.some(({ type }) => type === 'Erased')
}

/**
 * Whether the retention time of an ended case is over, as far as its resource shows; its webhooks
 * may keep it longer.
 *
 * @throws Error when the retention time cannot be read
 */
export async function isPastRetention(
  signatureCase: SignatureCase,
  retention: RetentionRules,
  nowMs: number,
): Promise<boolean> {
  const endedAt = endedAtOf(signatureCase)
  if (endedAt === undefined) return false
  const retentionDays = await retention.readDays(signatureCase.metadata.namespace)
  return retentionDays !== undefined && isOverdue(endedAt, { retentionDays }, nowMs)
}
