/** What sending and checking one-time codes share: recipients, counting and answers. */
import type { AuditEntry, AuditEvent, AuditEventType } from '../../domain/audit/entry.ts'
import type { MultiFactorType } from '../../domain/cases/definition.ts'
import { auditEvent } from '../../domain/cases/due-audit-events.ts'
import { ServiceError } from '../../domain/errors.ts'
import { maskContact } from '../../domain/mask.ts'
import { codeHistory, type CodeHistory } from '../../domain/second-factor/code-rules.ts'
import type { CodePlace } from '../../domain/second-factor/code.ts'
import { destinationOf } from '../../domain/second-factor/factor.ts'
import type { ParticipantRequest, Visit } from '../cases/participant-request.ts'

/** @throws ServiceError OTP_NOT_REQUIRED */
export function channelOf({ seen }: Visit): MultiFactorType {
  const { multiFactorType } = seen.signatureCase.spec.definition
  if (multiFactorType === undefined) throw new ServiceError('OTP_NOT_REQUIRED')
  return multiFactorType
}

/** The participant's codes and tries, counted from every entry of the case's trail. */
export function historyOf(
  { seen, participant }: Visit,
  entries: readonly AuditEntry[],
): CodeHistory {
  const { invitations } = seen.signatureCase.spec
  return codeHistory(seen.key.caseId, participant.definition.id, entries, invitations)
}

/** @param sendId event id of the sending's `participant.otp_sent` */
export function placeOf({ seen, participant }: Visit, sendId: string): CodePlace {
  return { ...seen.key, participantId: participant.definition.id, sendId }
}

/**
 * What the trail records about a code, which is never the code itself.
 *
 * @param more `occurrence` keeps the event apart from others of its type and participant
 * @throws ServiceError OTP_NOT_REQUIRED
 */
export function codeEvent(
  type: AuditEventType,
  request: ParticipantRequest,
  more: { occurredAt: string; occurrence: string; data?: Record<string, unknown> },
): AuditEvent {
  const { visit, origin } = request
  const { seen, participant } = visit
  const channel = channelOf(visit)
  const destination = destinationOf(channel, participant.definition)
  return auditEvent(seen.key.caseId, type, {
    ...more,
    actor: 'participant',
    participantId: participant.definition.id,
    ...origin,
    data: {
      factor: 'code',
      channel,
      ...(destination === undefined ? {} : { destination: maskContact(destination) }),
      ...more.data,
    },
  })
}
