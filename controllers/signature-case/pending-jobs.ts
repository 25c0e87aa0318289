/** The jobs that a case needs now, and when to reconcile it again. Pure. */
import { jobId } from '../../domain/cases/jobs.ts'
import { canExpire, hasEnded, TRANSITIONS, type CaseView } from '../../domain/cases/lifecycle.ts'
import {
  dueMails,
  groupMails,
  isRecorded,
  nextReminderMs,
  type DueMail,
} from '../../domain/cases/due-mails.ts'
import { dueHandOver } from '../../domain/devices/handover.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import { uploadWindowMs } from '../../domain/cases/upload-window.ts'
import { EXPIRY_GRACE_MS, UPLOAD_TAIL_MS, UPLOAD_URL_LIFE_MS } from '../../domain/limits.ts'
import type { JobKind, JobPayloads } from '../../domain/ports/jobs.ts'
import type { Observation } from './observation.ts'

interface PlannedJobOf<K extends JobKind> {
  kind: K
  id: string
  payload: JobPayloads[K]
}
export type PlannedJob = { [K in JobKind]: PlannedJobOf<K> }[JobKind]

/** Builds a job whose id follows from its purpose, so that planning it twice adds one job. */
export function planned<K extends JobKind>(kind: K, payload: JobPayloads[K]): PlannedJobOf<K> {
  return { kind, id: jobId(kind, payload), payload }
}

/** An upload that nothing reports is found after this time. */
export const UPLOAD_POLL_MS = 30_000
/**
 * Where the object store reports uploads, the time between two looks is at least this multiple of
 * the time since the URL was issued: a report that is lost costs a delay in proportion.
 */
const REPORTED_POLL_FACTOR = 3
/**
 * A job, or the notification of a worker that ended or failed, can be lost. Work that is pending
 * for this long is planned again. Most jobs wait much less than this.
 */
export const LOST_JOB_MS = 60_000
/** Entries that were added after the head was sealed are sealed after a day (design 7). */
const RESEAL_INTERVAL_MS = 24 * 60 * 60 * 1000

/**
 * Whether the trail has to be sealed. A trail that is not sound is never sealed; for such a trail
 * the job runs once, to revoke the certificates of a failed case.
 */
function needsSeal(
  { recorded, sealedHead, isSealRefused, nowMs, trailFault }: Observation,
  newEvents: number,
): boolean {
  if (isSealRefused) return false
  if (trailFault || !sealedHead || newEvents > 0) return true
  if (sealedHead.sequence >= recorded.size) return false
  return nowMs - sealedHead.sealedAtMs >= RESEAL_INTERVAL_MS
}

/**
 * @param signatureCase with its next status
 * @param view view of `signatureCase`
 * @param newEvents number of audit events that are about to be appended
 */
export function pendingJobs(
  observation: Observation,
  signatureCase: SignatureCase,
  view: CaseView,
  newEvents: number,
): PlannedJob[] {
  const { key, nowMs, upload, intake, failure, result, receipts, devices } = observation
  const { on } = TRANSITIONS[view.phase]
  const jobs: PlannedJob[] = []
  if (on['upload-accepted'] && upload && !intake) jobs.push(planned('intake', key))
  if (on.finalised && view.everyoneSigned && !failure && !result) {
    jobs.push(planned('finalise', key))
  }
  const mails = dueMails(signatureCase, view, receipts, nowMs)
  // While the trail is not sound, nothing can be recorded in it.
  const canSend = (mail: DueMail) => !observation.trailFault || !isRecorded(mail)
  const pending = mails.filter((mail) => canSend(mail) && !receipts.has(mail.eventId))
  for (const { id, eventIds } of groupMails(signatureCase, pending)) {
    const others = eventIds.filter((eventId) => eventId !== id)
    jobs.push(planned('notify', { ...key, eventId: id, ...(others.length > 0 && { others }) }))
  }
  const seen = { signatureCase, view }
  if (devices.some((device) => dueHandOver(seen, device, nowMs))) jobs.push(planned('kiosk', key))
  if (hasEnded(view.phase) && needsSeal(observation, newEvents)) {
    jobs.push(planned('trail-seal', key))
  }
  return jobs
}

/** Returns the earliest of the defined instants. */
export function earliest(...instants: readonly (number | undefined)[]): number | undefined {
  const known = instants.filter((instant) => instant !== undefined)
  return known.length > 0 ? Math.min(...known) : undefined
}

/** The next instant at which time alone changes something, in milliseconds since 1970. */
export function wakeAt(observation: Observation, view: CaseView): number | undefined {
  const { signatureCase, nowMs, receipts } = observation
  const { on } = TRANSITIONS[view.phase]
  const instants: number[] = []
  const reminderMs = nextReminderMs(signatureCase, view, receipts, nowMs)
  if (reminderMs !== undefined) instants.push(reminderMs)
  if (on['valid-until-passed'] && canExpire(view.phase, view.everyoneSigned)) {
    instants.push(view.validUntilMs + EXPIRY_GRACE_MS)
  }
  const issuedMs = uploadWindowMs(signatureCase, nowMs)
  if (on['upload-accepted'] && nowMs < issuedMs + UPLOAD_URL_LIFE_MS + UPLOAD_TAIL_MS) {
    const factor = observation.areUploadsReported ? REPORTED_POLL_FACTOR : 0
    instants.push(nowMs + Math.max(UPLOAD_POLL_MS, factor * (nowMs - issuedMs)))
  }
  return earliest(...instants)
}
