/** The job `notify`: sends mails of a case at least once each and stores their receipt. */
import type { JobPayloads } from '../../domain/ports/jobs.ts'
import type { NotifyDeps } from './deps.ts'
import { readDueMails } from './read-due-mails.ts'
import { recordSent } from './record-sent.ts'
import { loadAttachment, sendMail } from './send-mail.ts'

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
    due.map((one) => sendMail(one, caseKey, attachment, deps)),
  )
  const sent = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  const accepted = sent.filter((one) => one !== undefined)
  const isWhole = accepted.length === 1 + others.length
  if (accepted.length > 0) await recordSent(caseKey, accepted, isWhole, deps)
  const failed = results.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
}
