/**
 * Records that a participant does not want to sign, and notifies the sender by mail. The case stays
 * as it is (decision 215).
 */
import { eventOf, type AuditEntry } from '../../domain/audit/entry.ts'
import { auditEvent, eventId } from '../../domain/cases/due-audit-events.ts'
import { assertCanSign, assertOpenToParticipants } from '../../domain/cases/refusals.ts'
import type { DeclineInput } from '../../domain/contract/decline-input.ts'
import { ServiceError } from '../../domain/errors.ts'
import { declineMail } from '../../domain/mail/decline-mail.ts'
import { maskContact } from '../../domain/mask.ts'
import { DeliveryRefusedError, type RefusedParty } from '../../domain/ports/delivery-refused.ts'
import type { UseCaseDeps } from '../deps.ts'
import { orTimeout, readCase, readEntries, recordEvents } from './read-case.ts'
import type { ParticipantRequest, Visit } from './participant-request.ts'

const TYPE = 'participant.declined'
/** Longer than a mail server may take; a process that died blocks the statement for this time. */
const CLAIM_LIFE_MS = 5 * 60 * 1000

const findStatement = (entries: readonly AuditEntry[], id: string) =>
  entries.find(({ type, participantId }) => type === TYPE && participantId === id)

/** @throws ServiceError ALREADY_DECLINED when the statement has another reason */
async function refuseOtherReason(
  reason: string,
  statement: AuditEntry,
  { visit: { seen } }: ParticipantRequest,
  { trail }: UseCaseDeps,
): Promise<void> {
  if (reason === '') return
  const opening = await orTimeout(() => trail.readOpening(seen.key, statement))
  const recorded = eventOf(statement, opening).data['reason']
  if (reason !== recorded) throw new ServiceError('ALREADY_DECLINED')
}

/** What the entry says about the mail. */
interface Notified {
  channel: 'EMAIL'
  /** Masked. */
  destination: string
  refused?: RefusedParty
}

/**
 * Sends the mail to `replyTo` of the sender.
 *
 * @returns undefined when the case has no such address
 * @throws ServiceError TIMEOUT when the mail was not accepted and a retry can help
 * @throws BoundReachedError when the tenant's mails of the day are used up
 */
async function notifySender(
  { visit }: ParticipantRequest,
  { reason }: DeclineInput,
  deps: UseCaseDeps,
): Promise<Notified | undefined> {
  const { seen, participant } = visit
  const { key, signatureCase } = seen
  const to = signatureCase.spec.definition.sender?.replyTo
  if (to === undefined) return undefined
  const { definition } = participant
  const notified = { channel: 'EMAIL', destination: maskContact(to) } as const
  const release = await deps.bounds?.take({ bound: 'tenantMailsPerDay', of: key.tenant })
  try {
    const id = eventId(key.caseId, TYPE, definition.id)
    const mail = { eventId: id, signatureCase, participant: definition, to, reason }
    await deps.mailer.send(declineMail(mail))
    return notified
  } catch (cause) {
    if (cause instanceof DeliveryRefusedError) return { ...notified, refused: cause.refused }
    await release?.()
    throw new ServiceError('TIMEOUT', {}, { cause })
  }
}

/**
 * Lets one request at a time run `state`. The claim of a request that succeeded expires by itself,
 * so that a request that read the trail before the entry was written does not send again.
 *
 * @throws ServiceError TIMEOUT while another request has the claim; and what `state` throws
 */
async function claimed(
  { seen, participant }: Visit,
  { ephemeral }: UseCaseDeps,
  state: () => Promise<void>,
): Promise<void> {
  const { tenant, caseId } = seen.key
  const claim = `declines/${tenant}/${caseId}/${participant.definition.id}`
  const isFirst = await ephemeral.set(claim, '1', { ttlMs: CLAIM_LIFE_MS, onlyIfAbsent: true })
  if (!isFirst) throw new ServiceError('TIMEOUT')
  try {
    await state()
  } catch (error) {
    // A claim that is not deleted expires.
    await ephemeral.delete(claim).catch(() => undefined)
    throw error
  }
}

/**
 * Reads the case again: the body may have come long after its headers, and the participant may have
 * signed meanwhile.
 *
 * @throws NotFoundError, ServiceError ALREADY_SIGNED, CASE_NOT_ACTIVE, LINK_EXPIRED
 */
async function assertCanDecline({ seen, participant }: Visit, deps: UseCaseDeps): Promise<void> {
  const { view, signatureCase } = await readCase(seen.key, deps)
  const { definition } = signatureCase.spec
  const nowMs = deps.now().getTime()
  assertOpenToParticipants(view, definition, nowMs)
  assertCanSign(view, definition, participant.definition.id, nowMs)
}

/**
 * States once that the participant does not want to sign. The mail goes out before the entry is
 * written, so that a request that failed can be repeated; after the entry, a repetition does
 * nothing. Only one of several concurrent requests sends.
 *
 * @throws ServiceError ALREADY_DECLINED for another reason; TIMEOUT, also while another request of
 *   the participant is under way; and as {@link assertCanDecline}
 * @throws BoundReachedError
 */
export async function decline(
  request: ParticipantRequest,
  input: DeclineInput,
  deps: UseCaseDeps,
): Promise<void> {
  const { visit, origin } = request
  const { seen, participant } = visit
  const participantId = participant.definition.id
  const reason = input.reason?.trim() ?? ''
  const statement = findStatement(await readEntries(seen, deps), participantId)
  if (statement) return refuseOtherReason(reason, statement, request, deps)
  await claimed(visit, deps, async () => {
    await assertCanDecline(visit, deps)
    const notified = await notifySender(request, input, deps)
    const event = auditEvent(seen.key.caseId, TYPE, {
      occurredAt: deps.now().toISOString(),
      actor: 'participant',
      participantId,
      ...origin,
      data: { ...(reason === '' ? {} : { reason }), ...notified },
    })
    await recordEvents(seen, [event], deps)
  })
}
