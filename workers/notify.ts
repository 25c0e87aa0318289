/** The job `notify`: sends mails of a case at least once each and stores their receipt. */
import { createHash } from 'node:crypto'
import { BoundReachedError, windowAt, type Release } from '../application/limits/bounds.ts'
import { AuditTrailError } from '../domain/audit/fault.ts'
import { acceptedSignatures } from '../domain/cases/facts.ts'
import { mailsWaitKey } from '../domain/cases/jobs.ts'
import { commonReceiptKey, outcomeKey } from '../domain/cases/keys.ts'
import { caseView } from '../domain/cases/lifecycle.ts'
import { auditEvent } from '../domain/cases/due-audit-events.ts'
import { readReceipts } from '../application/cases/receipts.ts'
import {
  dueMails,
  invitedOccurrence,
  isRecorded,
  recordedMails,
  type DueMail,
  type Receipts,
} from '../domain/cases/due-mails.ts'
import type { ParticipantDefinition } from '../domain/cases/definition.ts'
import type { SignatureCase } from '../domain/cases/signature-case.ts'
import { encodeJson } from '../domain/json-object.ts'
import { MAXIMUM_MAIL_ATTACHMENT_BYTES } from '../domain/limits.ts'
import { JSON_TYPE } from '../domain/media-types.ts'
import { renderMail } from '../domain/mail/render.ts'
import { maskContact } from '../domain/mask.ts'
import type { JobPayloads } from '../domain/ports/jobs.ts'
import { MailRefusedError, type Mail } from '../domain/ports/mailer.ts'
import type { CaseKey } from '../domain/ports/stores.ts'
import { secondFactorOf } from '../domain/second-factor/factor.ts'
import { signingUrl } from '../domain/signing-url.ts'
import type { WorkerDeps } from './deps.ts'
import { publishCaseChange } from './publish-case-change.ts'

type NotifyDeps = Pick<
  WorkerDeps,
  | 'cases'
  | 'objects'
  | 'trail'
  | 'keyring'
  | 'alarm'
  | 'links'
  | 'mailer'
  | 'ephemeral'
  | 'bounds'
  | 'branding'
  | 'baseUrl'
  | 'now'
  | 'log'
>

interface DueNow {
  signatureCase: SignatureCase
  mail: DueMail
  participant: ParticipantDefinition
}

/**
 * Reads which mails were sent before. An open case gets only mails that the trail records, and none
 * while it is not sound; mails about the end of a case go to those that its valid part names.
 *
 * @throws AuditTrailError when the case is open and its trail is not sound
 */
async function readSent(
  key: CaseKey,
  signatureCase: SignatureCase,
  isOpen: boolean,
  { trail, objects }: NotifyDeps,
): Promise<Receipts> {
  if (isOpen) return recordedMails(signatureCase, await trail.newest(key))
  const readEntries = async () =>
    trail.newest(key).catch(async (error: unknown) => {
      if (!(error instanceof AuditTrailError)) throw error
      return (await trail.check(key)).entries
    })
  const [entries, receipts] = await Promise.all([readEntries(), readReceipts(key, objects)])
  return new Map([...recordedMails(signatureCase, entries), ...receipts])
}

/** Returns the mails that were not sent yet and are still due. */
async function readDueMails(
  key: CaseKey,
  eventIds: readonly string[],
  deps: NotifyDeps,
): Promise<DueNow[]> {
  const { cases, objects, keyring, now } = deps
  const signatureCase = await cases.get(key)
  if (!signatureCase) return []
  const accepted = acceptedSignatures(keyring, signatureCase)
  const nowMs = now().getTime()
  const view = caseView(signatureCase, accepted, nowMs)
  const isOpen = view.phase === 'IN_PROGRESS'
  if (!isOpen && (await objects.stat(commonReceiptKey(key, eventIds)))) return []
  const findIn = (receipts: Receipts) =>
    dueMails(signatureCase, view, receipts, nowMs).filter(
      ({ eventId }) => eventIds.includes(eventId) && !receipts.has(eventId),
    )
  let mails = isOpen ? [] : findIn(new Map())
  // Others are recorded in the trail, or follow from those that are.
  if (mails.length < eventIds.length) {
    mails = findIn(await readSent(key, signatureCase, isOpen, deps))
  }
  const { participants } = signatureCase.spec.definition
  return mails.flatMap((mail) => {
    const participant = participants.find(({ id }) => id === mail.participantId)
    return participant ? [{ signatureCase, mail, participant }] : []
  })
}

interface Attachment {
  signedPdf?: Uint8Array
}

/** Returns the signed PDF when it is attached to the mails. */
async function loadAttachment(
  { mail, signatureCase }: DueNow,
  key: CaseKey,
  { objects, alarm }: Pick<WorkerDeps, 'objects' | 'alarm'>,
): Promise<Attachment> {
  const { spec, status } = signatureCase
  const size = status?.signedDocument?.size
  // The link gives the PDF only after the second factor, so a mailbox must not contain it (5.3).
  if (secondFactorOf(spec.definition) !== undefined) return {}
  if (mail.type !== 'completion' || size === undefined) return {}
  if (size > MAXIMUM_MAIL_ATTACHMENT_BYTES) return {}
  const outcome = await objects.get(outcomeKey(key))
  const sha256 = outcome && createHash('sha256').update(outcome.bytes).digest('hex')
  if (!outcome) return {}
  if (sha256 === status?.signedDocument?.sha256) return { signedPdf: outcome.bytes }
  alarm.raise({ object: 'outcome', fault: 'otherDocument', key })
  return {}
}

/** What the mail server answered when it refused a mail permanently. */
interface MailRefusal {
  /** Reply code of SMTP, where there was one. */
  answer?: number
}

/**
 * The trail entry for an invitation or reminder, also for one that the mail server refused; other
 * mails are not recorded in the trail.
 */
function invitedEvents(
  { signatureCase, mail, participant }: DueNow,
  sentAt: string,
  refusal: MailRefusal | undefined,
) {
  const { reminder, request, participantId } = mail
  if (!isRecorded(mail)) return []
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
  return [auditEvent(signatureCase.metadata.name, 'participant.invited', event)]
}

/**
 * Sends one mail.
 *
 * @param release uncounts a mail that will be counted again by a retry
 * @returns the refusal when the mail server refused the mail permanently, so that a retry is
 *   pointless
 * @throws Error when the mail was not accepted and a retry can help
 */
async function sendOrRefuse(
  mail: Mail,
  release: Release,
  { mailer, log }: NotifyDeps,
): Promise<MailRefusal | undefined> {
  try {
    await mailer.send(mail)
    return undefined
  } catch (error) {
    if (!(error instanceof MailRefusedError)) {
      await release()
      throw error
    }
    log.warn({ err: error, eventId: mail.id }, 'mail was refused permanently; no retry')
    return error.answer === undefined ? {} : { answer: error.answer }
  }
}

/**
 * Counts a mail of the tenant. When the daily limit is reached, a note makes the controller delay
 * the tenant's mails, which remain due.
 *
 * @returns undefined when the mail has to wait for the next day
 */
async function countMail(
  tenant: string,
  { bounds, ephemeral, now, log }: NotifyDeps,
): Promise<Release | undefined> {
  try {
    return (await bounds?.take({ bound: 'tenantMailsPerDay', of: tenant })) ?? (async () => {})
  } catch (error) {
    if (!(error instanceof BoundReachedError)) throw error
    const nowMs = now().getTime()
    const { index, endMs } = windowAt('tenantMailsPerDay', nowMs)
    const key = mailsWaitKey(tenant, index)
    const isFirst = await ephemeral.set(key, '1', { ttlMs: endMs - nowMs, onlyIfAbsent: true })
    if (isFirst)
      log.warn(
        { tenant },
        'daily mail limit of the tenant reached; its mails wait for the next day',
      )
    return undefined
  }
}

/** A mail that was sent, or refused permanently. */
interface SentMail extends DueNow {
  sentAt: string
  refusal: MailRefusal | undefined
}

/**
 * Sends the mail, or leaves it due when the tenant has reached its daily limit.
 *
 * @returns undefined when the mail stays due
 * @throws Error when the mail was not accepted
 */
async function sendOne(
  due: DueNow,
  key: CaseKey,
  attachment: Attachment,
  deps: NotifyDeps,
): Promise<SentMail | undefined> {
  const { signatureCase, mail, participant } = due
  const participantId = participant.id
  const token = await deps.links.mint({ ...key, participantId })
  const look = await deps.branding?.read(key.tenant)
  const rendered = renderMail({
    eventId: mail.eventId,
    type: mail.type,
    signatureCase,
    participant,
    signingUrl: signingUrl(deps.baseUrl, participantId, token),
    now: deps.now(),
    colours: look?.colours,
    timeZone: look?.timeZone,
    ...attachment,
  })
  const release = await countMail(key.tenant, deps)
  if (!release) return undefined
  const refusal = await sendOrRefuse(rendered, release, deps)
  return { ...due, sentAt: deps.now().toISOString(), refusal }
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
async function recordSent(
  key: CaseKey,
  sent: readonly SentMail[],
  isWhole: boolean,
  deps: NotifyDeps,
) {
  const events = sent.flatMap((one) => invitedEvents(one, one.sentAt, one.refusal))
  // Without an event the trail is not read, because a broken one must not keep back the receipt.
  if (events.length > 0) await deps.trail.append(key, events)
  const others = sent.filter(({ mail }) => !isRecorded(mail))
  if (others.length > 0) await putReceipt(key, others, deps)
  const isListed = others.length > 0 && !isWhole
  await publishCaseChange(key, deps, { mayWait: true, isListed })
}

/**
 * Sends mails at the same time, or leaves them due when the tenant has reached its daily limit. A
 * mail that is not accepted does not keep back the others.
 *
 * @throws Error when a mail was not accepted or the store fails
 */
export async function notify(
  { eventId, others = [], ...key }: JobPayloads['notify'],
  deps: NotifyDeps,
): Promise<void> {
  const { tenant, caseId } = key
  const caseKey = { tenant, caseId }
  const due = await readDueMails(caseKey, [eventId, ...others], deps)
  const [first] = due
  if (!first) return
  // The mails of one job are of one type.
  const attachment = await loadAttachment(first, caseKey, deps)
  const results = await Promise.allSettled(
    due.map((one) => sendOne(one, caseKey, attachment, deps)),
  )
  const sent = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  const accepted = sent.filter((one) => one !== undefined)
  const isWhole = accepted.length === 1 + others.length
  if (accepted.length > 0) await recordSent(caseKey, accepted, isWhole, deps)
  const failed = results.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
}
