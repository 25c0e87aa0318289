/** The job `notify`: sends one mail of a case at least once and stores its receipt. */
import { createHash } from 'node:crypto'
import { BoundReachedError, windowAt, type Release } from '../application/limits/bounds.ts'
import { acceptedSignatures } from '../domain/cases/facts.ts'
import { mailsWaitKey } from '../domain/cases/jobs.ts'
import { outcomeKey, receiptKey } from '../domain/cases/keys.ts'
import { caseView } from '../domain/cases/lifecycle.ts'
import { auditEvent } from '../domain/cases/due-audit-events.ts'
import { dueMails, type DueMail, type Receipts } from '../domain/cases/due-mails.ts'
import { readReceipts } from '../application/cases/receipts.ts'
import type { ParticipantDefinition } from '../domain/cases/definition.ts'
import type { SignatureCase } from '../domain/cases/signature-case.ts'
import { encodeJson } from '../domain/json-object.ts'
import { MAXIMUM_MAIL_ATTACHMENT_BYTES } from '../domain/limits.ts'
import { renderMail } from '../domain/mail/render.ts'
import { maskContact } from '../domain/mask.ts'
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

/** Returns the mail, unless it was already sent or is no longer due. */
async function readDueMail(
  key: CaseKey,
  eventId: string,
  { cases, objects, keyring, now }: NotifyDeps,
): Promise<DueNow | undefined> {
  const signatureCase = await cases.get(key)
  if (!signatureCase) return undefined
  if (await objects.stat(receiptKey(key, eventId))) return undefined
  const accepted = acceptedSignatures(keyring, signatureCase)
  const nowMs = now().getTime()
  const view = caseView(signatureCase, accepted, nowMs)
  const findIn = (receipts: Receipts) =>
    dueMails(signatureCase, view, receipts, nowMs).find((due) => due.eventId === eventId)
  // Only reminders and mails about some ends follow from other receipts, which cost a listing.
  const mail = findIn(new Map()) ?? findIn(await readReceipts(key, objects))
  const { participants } = signatureCase.spec.definition
  const participant = participants.find(({ id }) => id === mail?.participantId)
  return mail && participant && { signatureCase, mail, participant }
}

/** Returns the signed PDF when it is attached to the mail. */
async function loadAttachment(
  { mail, signatureCase }: DueNow,
  key: CaseKey,
  { objects, alarm }: Pick<WorkerDeps, 'objects' | 'alarm'>,
): Promise<{ signedPdf?: Uint8Array }> {
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
  const { type, reminder, request, participantId } = mail
  if (type !== 'invitation' && type !== 'reminder') return []
  const { requestId, ip, userAgent } = request ?? {}
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
    ...(reminder === undefined ? {} : { occurrence: `reminder ${reminder}` }),
    ...(requestId === undefined ? {} : { occurrence: requestId }),
  }
  return [auditEvent(signatureCase.metadata.name, 'participant.invited', event)]
}

/**
 * Sends one mail.
 *
 * @param giveBack uncounts a mail that will be counted again by a retry
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

/**
 * Sends the mail, or leaves it due when the tenant has reached its daily limit.
 *
 * @throws Error when the mail was not accepted or the store fails
 */
export async function notify(
  { eventId, ...key }: CaseKey & { eventId: string },
  deps: NotifyDeps,
): Promise<void> {
  const due = await readDueMail(key, eventId, deps)
  if (!due) return
  const { signatureCase, mail, participant } = due
  const participantId = participant.id
  const token = await deps.links.mint({ ...key, participantId })
  const look = await deps.branding?.read(key.tenant)
  const rendered = renderMail({
    eventId,
    type: mail.type,
    signatureCase,
    participant,
    signingUrl: signingUrl(deps.baseUrl, participantId, token),
    now: deps.now(),
    colours: look?.colours,
    ...(await loadAttachment(due, key, deps)),
  })
  const release = await countMail(key.tenant, deps)
  if (!release) return
  const refusal = await sendOrRefuse(rendered, release, deps)
  const sentAt = deps.now().toISOString()
  const events = invitedEvents(due, sentAt, refusal)
  // Without an event the trail is not read, because a broken one must not keep back the receipt.
  if (events.length > 0) await deps.trail.append(key, events)
  const receipt = encodeJson({
    type: mail.type,
    participantId,
    ...(refusal ? { refusedAt: sentAt } : { sentAt }),
  })
  await deps.objects.putIfAbsent(receiptKey(key, eventId), receipt, 'application/json')
  await publishCaseChange(key, deps, { mayWait: true })
}
