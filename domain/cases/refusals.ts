/** Refusals of requests with the codes of specification 7; the phases come from the life cycle. */
import { ServiceError } from '../errors.ts'
import type { CaseView, ParticipantView } from './lifecycle.ts'
import { hasEnded, TRANSITIONS } from './lifecycle.ts'
import type { CaseDefinition } from './definition.ts'

/**
 * Refuses a cancellation that comes too late.
 *
 * @throws ServiceError CASE_NOT_CANCELLABLE
 */
export function assertCancellable({ phase }: CaseView): void {
  if (TRANSITIONS[phase].on.cancelled) return
  throw new ServiceError('CASE_NOT_CANCELLABLE', { status: phase })
}

/**
 * Refuses a tenant's request on a case that ended without a signed document.
 * @throws ServiceError CASE_NOT_ACTIVE
 */
export function assertActive({ phase }: CaseView): void {
  if (!hasEnded(phase) || phase === 'DONE') return
  throw new ServiceError('CASE_NOT_ACTIVE', { status: phase })
}

/**
 * Refuses another upload URL for a case that does not wait for an upload.
 *
 * @throws ServiceError CASE_NOT_ACTIVE, DOCUMENT_ALREADY_UPLOADED
 */
export function assertAwaitsUpload(view: CaseView): void {
  assertActive(view)
  if (TRANSITIONS[view.phase].on['upload-accepted']) return
  throw new ServiceError('DOCUMENT_ALREADY_UPLOADED', { status: view.phase })
}

/** A link is active once the upload was accepted, and also when the case ended before that. */
export function isLinkActive({ phase }: CaseView): boolean {
  return phase !== 'NEW'
}

/**
 * Refuses a participant's request on a case that is over; the link expires with the case.
 *
 * @throws ServiceError CASE_NOT_ACTIVE, LINK_EXPIRED
 */
export function assertOpenToParticipants(
  view: CaseView,
  definition: CaseDefinition,
  nowMs: number,
): void {
  const { phase, validUntilMs, isErased = false } = view
  const senderName = definition.sender?.name
  const sender = senderName === undefined ? {} : { senderName }
  if (phase === 'DONE' && (isErased || nowMs >= validUntilMs)) {
    throw new ServiceError('LINK_EXPIRED', { status: phase, ...sender })
  }
  if (phase === 'DONE' || phase === 'NEW' || phase === 'IN_PROGRESS') return
  throw new ServiceError('CASE_NOT_ACTIVE', { status: phase, ...sender })
}

/**
 * Refuses a signature that cannot count: given already, or not before `validUntil`. Its time is
 * taken after the view was made, so the view alone does not decide.
 *
 * @param nowMs the time of the signature, in milliseconds since 1970
 * @throws ServiceError ALREADY_SIGNED, CASE_NOT_ACTIVE
 */
export function assertCanSign(
  view: CaseView,
  definition: CaseDefinition,
  participantId: string,
  nowMs: number,
): void {
  const participant = view.participants.find(({ definition: { id } }) => id === participantId)
  if (participant?.signature) throw new ServiceError('ALREADY_SIGNED')
  if (nowMs < view.validUntilMs) return
  const senderName = definition.sender?.name
  throw new ServiceError('CASE_NOT_ACTIVE', {
    status: 'EXPIRED',
    ...(senderName === undefined ? {} : { senderName }),
  })
}

/**
 * Refuses a download before the signed document exists.
 *
 * @throws ServiceError NOT_COMPLETED
 */
export function assertCompleted({ phase }: CaseView): void {
  if (phase !== 'DONE') throw new ServiceError('NOT_COMPLETED', { status: phase })
}

/**
 * Refuses to open the case on a kiosk for a participant, in the order of design 8.
 *
 * @throws ServiceError CASE_NOT_ACTIVE, ALREADY_SIGNED, NOT_QUICK_SIGN, PARTICIPANT_NOT_READY
 */
export function assertCanOpen(
  view: CaseView,
  { quickSign }: CaseDefinition,
  { signature }: ParticipantView,
): void {
  assertActive(view)
  if (signature) throw new ServiceError('ALREADY_SIGNED')
  if (!quickSign) throw new ServiceError('NOT_QUICK_SIGN')
  if (view.phase === 'NEW') throw new ServiceError('PARTICIPANT_NOT_READY')
}
