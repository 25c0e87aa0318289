/** Decides after which changes the controller waits for the next one: nothing follows from them. */
import { isRestoring } from '../domain/cases/archive.ts'
import { askedErasure } from '../domain/cases/erasure.ts'
import type { SignatureCase } from '../domain/cases/signature-case.ts'
import type { CaseStatus } from '../domain/cases/status.ts'
import { PROGRESS_DELAY_MS } from './signature-case/held-status.ts'

/** Number of signatures that the status shows, from the column such as `1/2`. */
const shownSignatures = ({ signed = '' }: CaseStatus) => Number.parseInt(signed, 10)

/** Whether the newest signature is so recent that its entries and its status are held back. */
function isRecent({ spec }: SignatureCase, nowMs: number): boolean {
  const ageMs = nowMs - Math.max(...spec.signatures.map(({ signedAt }) => Date.parse(signedAt)))
  return ageMs >= 0 && ageMs < PROGRESS_DELAY_MS
}

/** Whether nothing happens when a participant signs, unless it is the last one. */
function hasOnlyMails({ spec }: SignatureCase): boolean {
  const { callback, quickSign, device } = spec.definition
  return callback === undefined && !quickSign && device === undefined
}

/**
 * Whether signatures are all that the spec has and the status does not show, and others are still
 * awaited. Their entries and their progress are held back in any case (decision 276).
 *
 * @param changed as a watch has just reported it
 */
export function awaitsOthers(changed: SignatureCase, nowMs: number): boolean {
  const { metadata, spec, status } = changed
  if (status?.phase !== 'IN_PROGRESS' || !status.document || status.erasure) return false
  if (metadata.deletionTimestamp !== undefined || isRestoring(changed)) return false
  if (askedErasure(changed) !== undefined || !hasOnlyMails(changed)) return false
  const { signatures, definition } = spec
  // Each write of the spec increases its generation by one.
  const newWrites = (metadata.generation ?? 0) - status.observedGeneration
  const newSignatures = signatures.length - shownSignatures(status)
  if (newSignatures < 1 || newWrites !== newSignatures) return false
  return signatures.length < definition.participants.length && isRecent(changed, nowMs)
}
