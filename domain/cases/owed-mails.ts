/**
 * The mails that a case owes: a pure function of what was stated, of the clock and of the receipts.
 */
import type { CaseView, ParticipantView } from './lifecycle.ts'
import { eventId } from './owed.ts'
import type { Receipts } from './receipts.ts'
import type { SignatureCase } from './signature-case.ts'
import type { InvitationRequest } from './spec.ts'

export const MAIL_TYPES = [
  'invitation',
  'reminder',
  'completion',
  'cancellation',
  'expiry',
  'failure',
] as const
export type MailType = (typeof MAIL_TYPES)[number]

/** A mail that is owed until its receipt exists under `eventId`. */
export interface OwedMail {
  eventId: string
  type: MailType
  participantId: string
  /** Days after the invitation, of a reminder. */
  reminder?: number
  /** Why there is one more invitation. */
  request?: InvitationRequest
}

const DAY_MS = 24 * 60 * 60 * 1000

interface Reminder {
  days: number
  /** Milliseconds since 1970. */
  dueMs: number
}

/** Makes the mails of one case to one participant. */
class Mailing {
  readonly #signatureCase: SignatureCase
  readonly #receipts: Receipts
  readonly #participantId: string

  constructor(signatureCase: SignatureCase, receipts: Receipts, participant: ParticipantView) {
    this.#signatureCase = signatureCase
    this.#receipts = receipts
    this.#participantId = participant.definition.id
  }

  mail(type: MailType): OwedMail {
    return { eventId: this.#id(type), type, participantId: this.#participantId }
  }

  reminder(days: number): OwedMail {
    const id = this.#id('reminder', String(days))
    return { eventId: id, type: 'reminder', participantId: this.#participantId, reminder: days }
  }

  /** The invitations that the tenant asked for beside the first. */
  requested(): OwedMail[] {
    const { invitations = [] } = this.#signatureCase.spec
    return invitations
      .filter(({ participantId }) => participantId === this.#participantId)
      .map((request) => ({
        eventId: this.#id('invitation', request.requestId),
        type: 'invitation',
        participantId: this.#participantId,
        request,
      }))
  }

  wasInvited(): boolean {
    return [this.mail('invitation'), ...this.requested()].some((mail) =>
      this.#receipts.has(mail.eventId),
    )
  }

  /** Every reminder that an invitation brings with it, in order of time. */
  reminders(validUntilMs: number): Reminder[] {
    const invitedMs = this.#receipts.get(this.#id('invitation'))
    if (invitedMs === undefined) return []
    const { afterDays = [] } = this.#signatureCase.spec.definition.reminders ?? {}
    return [...new Set(afterDays)]
      .sort((a, b) => a - b)
      .map((days) => ({ days, dueMs: invitedMs + Math.ceil(days * DAY_MS) }))
      .filter(({ dueMs }) => dueMs < validUntilMs)
  }

  #id(type: MailType, occurrence?: string): string {
    const caseId = this.#signatureCase.metadata.name
    return eventId(caseId, `mail.${type}`, this.#participantId, occurrence)
  }
}

const isUnsigned = ({ signature }: ParticipantView) => !signature
const isNotified = ({ definition }: ParticipantView) => definition.notify

/**
 * The newest reminder whose day has come. One of an earlier day that was not sent is not owed any
 * more: after an outage a participant is reminded once, not once for each day that was missed.
 */
function dueReminder(mailing: Mailing, { validUntilMs }: CaseView, nowMs: number): OwedMail[] {
  const due = mailing.reminders(validUntilMs).findLast(({ dueMs }) => dueMs <= nowMs)
  return due ? [mailing.reminder(due.days)] : []
}

/**
 * The mails that the case owes now, those already receipted among them. Invitations and reminders
 * are owed while the case runs and `validUntil` has not passed, to those who have not signed; news
 * of an end goes to whom the case concerns, of cancellation and expiry only to those whose
 * invitation went out.
 *
 * @param nowMs milliseconds since 1970
 */
export function owedMails(
  signatureCase: SignatureCase,
  view: CaseView,
  receipts: Receipts,
  nowMs: number,
): OwedMail[] {
  const { quickSign } = signatureCase.spec.definition
  const mailing = (participant: ParticipantView) =>
    new Mailing(signatureCase, receipts, participant)
  const notified = view.participants.filter(isNotified)
  const invited = notified.map(mailing).filter((one) => one.wasInvited())
  switch (view.phase) {
    case 'IN_PROGRESS':
      // While the grace of expiry runs, a link leads to nothing that could be signed.
      if (nowMs >= view.validUntilMs) return []
      return view.participants.filter(isUnsigned).flatMap((participant) => {
        const one = mailing(participant)
        const isAutomatic = isNotified(participant) && !quickSign
        return [
          ...(isAutomatic ? [one.mail('invitation'), ...dueReminder(one, view, nowMs)] : []),
          ...one.requested(),
        ]
      })
    case 'DONE':
      return notified.map((participant) => mailing(participant).mail('completion'))
    case 'CANCELLED':
      return invited.map((one) => one.mail('cancellation'))
    case 'FAILED':
      return notified.map((participant) => mailing(participant).mail('failure'))
    case 'EXPIRED':
      return invited.map((one) => one.mail('expiry'))
    default:
      return []
  }
}

/** When the next reminder falls due, in milliseconds since 1970; undefined when none is left. */
export function nextReminderMs(
  signatureCase: SignatureCase,
  view: CaseView,
  receipts: Receipts,
  nowMs: number,
): number | undefined {
  if (view.phase !== 'IN_PROGRESS') return undefined
  const instants = view.participants
    .filter((participant) => isUnsigned(participant) && isNotified(participant))
    .flatMap((one) => new Mailing(signatureCase, receipts, one).reminders(view.validUntilMs))
    .map(({ dueMs }) => dueMs)
    .filter((dueMs) => dueMs > nowMs)
  return instants.length > 0 ? Math.min(...instants) : undefined
}
