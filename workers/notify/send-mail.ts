/** Renders one mail, counts it and sends it. */
import { createHash } from 'node:crypto'
import { BoundReachedError, windowAt, type Release } from '../../application/limits/bounds.ts'
import { mailsWaitKey } from '../../domain/cases/jobs.ts'
import { outcomeKey } from '../../domain/cases/keys.ts'
import { MAXIMUM_MAIL_ATTACHMENT_BYTES } from '../../domain/limits.ts'
import { renderMail } from '../../domain/mail/render.ts'
import { MailRefusedError, type Mail } from '../../domain/ports/mailer.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import { secondFactorOf } from '../../domain/second-factor/factor.ts'
import { signingUrl } from '../../domain/signing-url.ts'
import type { DueNow, MailRefusal, NotifyDeps, SentMail } from './deps.ts'

interface Attachment {
  signedPdf?: Uint8Array
}

/** Returns the signed PDF when it is attached to the mails. */
export async function loadAttachment(
  { mail, signatureCase }: DueNow,
  key: CaseKey,
  { objects, alarm }: NotifyDeps,
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

/**
 * Sends a rendered mail.
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

/**
 * Sends the mail, or leaves it due when the tenant has reached its daily limit.
 *
 * @returns undefined when the mail stays due
 * @throws Error when the mail was not accepted
 */
export async function sendMail(
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
