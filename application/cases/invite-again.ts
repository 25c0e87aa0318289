/** Sends a participant's invitation again on behalf of the tenant (decision 2). */
import { withInvitation } from '../../domain/cases/invite-again.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import type { UseCaseDeps } from '../deps.ts'
import { changeSpec, participantOf } from './read-case.ts'
import type { Origin } from './participant-request.ts'

/**
 * Records the request; a worker sends the mail.
 *
 * @returns the ids of case and participant in lower case
 * @throws NotFoundError, ServiceError CASE_NOT_ACTIVE, ALREADY_SIGNED, PARTICIPANT_NOT_READY,
 *   INVITATION_RATE_LIMITED, TIMEOUT
 */
export async function inviteAgain(
  key: CaseKey,
  { participantId, origin }: { participantId: string; origin: Origin },
  deps: Pick<UseCaseDeps, 'cases' | 'keyring' | 'now' | 'randomUuid'>,
): Promise<{ caseId: string; participantId: string }> {
  const requestId = deps.randomUuid()
  const id = participantId.toLowerCase()
  const seen = await changeSpec(key, deps, (current) => {
    participantOf(current, { participantId: id })
    const at = deps.now().toISOString()
    const request = { requestId, participantId: id, at, ...origin }
    return withInvitation(current.signatureCase, current.view, request)
  })
  return { caseId: seen.key.caseId, participantId: id }
}
