/**
 * A tenant's request to invite a participant again: when it is allowed, and the fact that records
 * it.
 */
import { ServiceError } from '../errors.ts'
import { INVITATIONS_PER_HOUR, MAXIMUM_INVITATION_REQUESTS } from '../limits.ts'
import type { CaseView } from './lifecycle.ts'
import { assertActive } from './refusals.ts'
import type { SignatureCase } from './signature-case.ts'
import type { InvitationRequest } from './spec.ts'

const HOUR_MS = 60 * 60 * 1000
const SECOND_MS = 1000

/**
 * Refuses an invitation to a case that cannot be signed.
 *
 * @throws ServiceError CASE_NOT_ACTIVE, ALREADY_SIGNED, PARTICIPANT_NOT_READY
 */
function assertInvitable(view: CaseView, participantId: string): void {
  assertActive(view)
  const participant = view.participants.find(({ definition: { id } }) => id === participantId)
  if (participant?.signature) throw new ServiceError('ALREADY_SIGNED')
  if (view.phase === 'NEW') throw new ServiceError('PARTICIPANT_NOT_READY')
}

/** Counts the facts themselves, so that no other store is needed and the count cannot be lost. */
function assertNotTooMany(requests: readonly InvitationRequest[], request: InvitationRequest) {
  const nowMs = Date.parse(request.at)
  const lastHour = requests
    .filter(({ participantId }) => participantId === request.participantId)
    .map(({ at }) => Date.parse(at))
    .filter((atMs) => atMs > nowMs - HOUR_MS)
  const blocking = lastHour.at(-INVITATIONS_PER_HOUR)
  if (blocking !== undefined) {
    const retryAfterSeconds = Math.ceil((blocking + HOUR_MS - nowMs) / SECOND_MS)
    throw new ServiceError('INVITATION_RATE_LIMITED', { retryAfterSeconds })
  }
  if (requests.length < MAXIMUM_INVITATION_REQUESTS) return
  throw new ServiceError('INVITATION_RATE_LIMITED')
}

/**
 * Returns the spec with the request, from which the mail follows.
 *
 * @throws ServiceError CASE_NOT_ACTIVE, ALREADY_SIGNED, PARTICIPANT_NOT_READY,
 *   INVITATION_RATE_LIMITED
 */
export function withInvitation(
  { spec }: SignatureCase,
  view: CaseView,
  request: InvitationRequest,
): SignatureCase['spec'] {
  const { invitations = [] } = spec
  assertInvitable(view, request.participantId)
  assertNotTooMany(invitations, request)
  return { ...spec, invitations: [...invitations, request] }
}
