/** The mails of a case that are due: a pure function of facts, clock and receipts. */
import type { AuditEntry } from '../audit/entry.ts'
import type { CaseView, ParticipantView } from './lifecycle.ts'
import { eventId } from './due-audit-events.ts'
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

/** A mail that is due until its receipt exists under `eventId`. */
export interface DueMail {
  eventId: string
  type: MailType
  participantId: string
  /** Days after the invitation; present for a reminder. */
  reminder?: number
  /** The tenant's request for one more invitation. */
  request?: InvitationRequest
}

/**
 * Time of each receipt of a case in milliseconds since 1970, by event id. The entry of the trail
 * about an invitation or a reminder is its receipt; see {@link recordedMails}.
 */
export type Receipts = ReadonlyMap<string, number>

const DAY_MS = 24 * 60 * 60 * 1000

/** @param occurrence distinguishes mails of one type */
function mailId(
  { metadata }: SignatureCase,
  type: MailType,
  participantId: string,
  occurrence?: string,
): string {
  return eventId(metadata.name, `mail.${type}`, participantId, occurrence)
}

/** They are sent at the same time; a killed worker sends at most so many mails a second time. */
const MAILS_OF_ONE_JOB = 4

/** Mails to send at the same time; see {@link groupMails}. */
export interface MailGroup {
  /** The same while any of the mails is due. */
  id: string
  eventIds: readonly string[]
}

/**
 * Groups mails that follow from the state of the case: they become due at the same time. The groups
 * are those of the participants in their order, so that a group keeps its id when one of its mails
 * is no longer due; the id is that of the mail to its first participant. A mail that was requested,
 * or that depends on the time, is a group of its own.
 */
export function groupMails(signatureCase: SignatureCase, mails: readonly DueMail[]): MailGroup[] {
  const { participants } = signatureCase.spec.definition
  const idOf = ({ eventId: own, type, participantId, reminder, request }: DueMail) => {
    const index = participants.findIndex(({ id }) => id === participantId)
    const first = participants[index - (index % MAILS_OF_ONE_JOB)]
    const isAlone = reminder !== undefined || request !== undefined || !first
    return isAlone ? own : mailId(signatureCase, type, first.id)
  }
  return [...Map.groupBy(mails, idOf)].map(([id, group]) => ({
    id,
    eventIds: group.map((mail) => mail.eventId),
  }))
}

/** Whether an entry of the trail records the mail, and is its receipt. */
export const isRecorded = ({ type }: Pick<DueMail, 'type'>): boolean =>
  type === 'invitation' || type === 'reminder'

/** Distinguishes the entries about invitations and reminders of one participant. */
export function invitedOccurrence({
  reminder,
  request,
}: Pick<DueMail, 'reminder' | 'request'>): string | undefined {
  return reminder === undefined ? request?.requestId : `reminder ${reminder}`
}

/**
 * Returns the invitations and reminders that the trail records as sent, or as refused for good.
 *
 * @param entries of the trail of the case
 */
export function recordedMails(
  signatureCase: SignatureCase,
  entries: readonly AuditEntry[],
): Receipts {
  const invited = entries.filter(({ type }) => type === 'participant.invited')
  const sentMs = new Map(invited.map(({ eventId: id, occurredAt }) => [id, Date.parse(occurredAt)]))
  const { metadata } = signatureCase
  const receipts = new Map<string, number>()
  for (const participantId of new Set(invited.flatMap((entry) => entry.participantId ?? []))) {
    for (const mail of new Mailing(signatureCase, receipts, participantId).recorded()) {
      const occurrence = invitedOccurrence(mail)
      const atMs = sentMs.get(
        eventId(metadata.name, 'participant.invited', participantId, occurrence),
      )
      if (atMs !== undefined) receipts.set(mail.eventId, atMs)
    }
  }
  return receipts
}

interface Reminder {
  days: number
  /** Milliseconds since 1970. */
  dueMs: number
}

/** Builds the mails of one case to one participant. */
class Mailing {
  readonly #signatureCase: SignatureCase
  readonly #receipts: Receipts
  readonly #participantId: string

  constructor(signatureCase: SignatureCase, receipts: Receipts, participantId: string) {
    this.#signatureCase = signatureCase
    this.#receipts = receipts
    this.#participantId = participantId
  }

  mail(type: MailType): DueMail {
    return { eventId: this.#id(type), type, participantId: this.#participantId }
  }

  reminder(days: number): DueMail {
    const id = this.#id('reminder', String(days))
    return { eventId: id, type: 'reminder', participantId: this.#participantId, reminder: days }
  }

  /** Invitations that the tenant requested in addition to the first one. */
  requested(): DueMail[] {
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

  /** Every mail that the trail can record. */
  recorded(): DueMail[] {
    const reminders = this.#reminderDays().map((days) => this.reminder(days))
    return [this.mail('invitation'), ...this.requested(), ...reminders]
  }

  wasInvited(): boolean {
    return [this.mail('invitation'), ...this.requested()].some((mail) =>
      this.#receipts.has(mail.eventId),
    )
  }

  /** All reminders that follow an invitation, by time. */
  reminders(validUntilMs: number): Reminder[] {
    const invitedMs = this.#receipts.get(this.#id('invitation'))
    if (invitedMs === undefined) return []
    return this.#reminderDays()
      .sort((a, b) => a - b)
      .map((days) => ({ days, dueMs: invitedMs + Math.ceil(days * DAY_MS) }))
      .filter(({ dueMs }) => dueMs < validUntilMs)
  }

  #reminderDays(): number[] {
    const { afterDays = [] } = this.#signatureCase.spec.definition.reminders ?? {}
    return [...new Set(afterDays)]
  }

  #id(type: MailType, occurrence?: string): string {
    return mailId(this.#signatureCase, type, this.#participantId, occurrence)
  }
}

const isUnsigned = ({ signature }: ParticipantView) => !signature
const isNotified = ({ definition }: ParticipantView) => definition.notify

/**
 * Returns the newest due reminder. Older ones that were not sent are skipped, so that a participant
 * gets one reminder after an outage instead of several.
 */
function dueReminder(mailing: Mailing, { validUntilMs }: CaseView, nowMs: number): DueMail[] {
  const due = mailing.reminders(validUntilMs).findLast(({ dueMs }) => dueMs <= nowMs)
  return due ? [mailing.reminder(due.days)] : []
}

/**
 * Returns the mails that are due, including those that already have a receipt. Invitations and
 * reminders are due until `validUntil` for participants who have not signed. Mails about the end go
 * to the participants concerned; those about cancellation and expiry only to participants who were
 * invited.
 *
 * @param nowMs milliseconds since 1970
 */
export function dueMails(
  signatureCase: SignatureCase,
  view: CaseView,
  receipts: Receipts,
  nowMs: number,
): DueMail[] {
  const { quickSign } = signatureCase.spec.definition
  const mailing = (participant: ParticipantView) =>
    new Mailing(signatureCase, receipts, participant.definition.id)
  const notified = view.participants.filter(isNotified)
  const invited = notified.map(mailing).filter((one) => one.wasInvited())
  switch (view.phase) {
    case 'IN_PROGRESS':
      // During the grace of expiry, the link does not allow signing any more.
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

/**
 * Returns when the next reminder is due, in milliseconds since 1970; undefined when none is left.
 */
export function nextReminderMs(
  signatureCase: SignatureCase,
  view: CaseView,
  receipts: Receipts,
  nowMs: number,
): number | undefined {
  if (view.phase !== 'IN_PROGRESS') return undefined
  const instants = view.participants
    .filter((participant) => isUnsigned(participant) && isNotified(participant))
    .flatMap((one) =>
      new Mailing(signatureCase, receipts, one.definition.id).reminders(view.validUntilMs),
    )
    .map(({ dueMs }) => dueMs)
    .filter((dueMs) => dueMs > nowMs)
  return instants.length > 0 ? Math.min(...instants) : undefined
}
