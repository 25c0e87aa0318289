/** Records the mails that were sent: in the trail, or by a receipt. */
import { auditEvent } from '../../domain/cases/due-audit-events.ts'
import { invitedOccurrence, isRecorded } from '../../domain/cases/due-mails.ts'
import { commonReceiptKey } from '../../domain/cases/keys.ts'
import { encodeJson } from '../../domain/json-object.ts'
import { maskContact } from '../../domain/mask.ts'
import { JSON_TYPE } from '../../domain/media-types.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import { publishCaseChange } from '../publish-case-change.ts'
import type { NotifyDeps, SentMail } from './deps.ts'

/** The trail entry for an invitation or reminder, also for one that the mail server refused. */
function invitedEvent({ signatureCase, mail, participant, sentAt, refusal }: SentMail) {
  const { reminder, request, participantId } = mail
  const { ip, userAgent } = request ?? {}
  const occurrence = invitedOccurrence(mail)
  const event = {
    occurredAt: sentAt,
    actor: request ? ('tenant' as const) : ('system' as const),
    participantId,
    ...(ip === undefined ? {} : { ip }),
    ...(userAgent === undefined ? {} : { userAgent }),
    data: {
      channel: 'EMAIL',
      destination: maskContact(participant.email),
      ...(reminder === undefined ? {} : { reminder }),
      ...(request ? { requestedAt: request.at } : {}),
      ...(refusal ? { refused: 'recipient', ...refusal } : {}),
    },
    ...(occurrence === undefined ? {} : { occurrence }),
  }
  return auditEvent(signatureCase.metadata.name, 'participant.invited', event)
}

/** Stores one receipt for mails that the trail does not record. */
async function putReceipt(key: CaseKey, sent: readonly SentMail[], { objects }: NotifyDeps) {
  const mails = sent.map(({ mail, participant, sentAt, refusal }) => ({
    type: mail.type,
    participantId: participant.id,
    ...(refusal ? { refusedAt: sentAt } : { sentAt }),
  }))
  const eventIds = sent.map(({ mail }) => mail.eventId)
  const receipt = mails.length === 1 ? mails[0] : { mails }
  await objects.putIfAbsent(commonReceiptKey(key, eventIds), encodeJson(receipt), JSON_TYPE)
}

/**
 * Records invitations and reminders in the trail, and other mails by a receipt.
 *
 * @param isWhole whether all mails of the job were sent, so that the receipt has the name that the
 *   controller looks for
 */
export async function recordSent(
  key: CaseKey,
  sent: readonly SentMail[],
  isWhole: boolean,
  deps: NotifyDeps,
) {
  const events = sent.filter(({ mail }) => isRecorded(mail)).map(invitedEvent)
  // Without an event the trail is not read, because a broken one must not keep back the receipt.
  if (events.length > 0) await deps.trail.append(key, events)
  const others = sent.filter(({ mail }) => !isRecorded(mail))
  if (others.length > 0) await putReceipt(key, others, deps)
  const isListed = others.length > 0 && !isWhole
  await publishCaseChange(key, deps, { mayWait: true, isListed })
}
