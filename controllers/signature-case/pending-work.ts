/**
 * The pending work of a case in its next state: trail entries, jobs and, in the end, its erasure.
 * Pure.
 */
import type { AuditEvent } from '../../domain/audit/entry.ts'
import type { CaseView } from '../../domain/cases/lifecycle.ts'
import { dueAuditEvents } from '../../domain/cases/due-audit-events.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import { erasureWork, type ErasureWork } from './erasure.ts'
import type { Observation } from './observation.ts'
import { webhookWork } from './webhooks.ts'
import { earliest, LOST_JOB_MS, pendingJobs, wakeAt, type PlannedJob } from './pending-jobs.ts'

/** Pending work other than the erasure. */
interface PendingFirst {
  auditEvents: readonly AuditEvent[]
  jobs: readonly PlannedJob[]
  /** Number of webhooks that have not ended, including those that wait for a retry. */
  openWebhooks: number
}

/** All pending work; `jobs` includes the jobs of the erasure. */
export interface PendingWork extends PendingFirst, Omit<ErasureWork, 'jobs'> {
  /** When to reconcile again without a notification, in milliseconds since 1970. */
  wakeAtMs?: number
}

/** Whether the case has pending work. */
export function hasPendingWork({ auditEvents, jobs, openWebhooks }: PendingFirst): boolean {
  return auditEvents.length > 0 || jobs.length > 0 || openWebhooks > 0
}

/**
 * Computes the pending work of a case.
 *
 * @param next the case with its next status
 * @param view view of `next`
 */
export function pendingWork(
  observation: Observation,
  next: SignatureCase,
  view: CaseView,
): PendingWork {
  const { accepted, recorded, nowMs, trailFault } = observation
  const auditEvents = dueAuditEvents(next, accepted).filter(
    ({ eventId }) => !trailFault && !recorded.has(eventId),
  )
  const webhooks = webhookWork(observation, next)
  const first: PendingFirst = {
    auditEvents,
    jobs: [...pendingJobs(observation, next, view, auditEvents.length), ...webhooks.jobs],
    openWebhooks: webhooks.open,
  }
  const erasure = erasureWork(observation, next, hasPendingWork(first))
  const jobs = [...first.jobs, ...erasure.jobs]
  const lostMs = jobs.length > 0 ? nowMs + LOST_JOB_MS : undefined
  const clockMs = wakeAt(observation, view)
  const wakeAtMs = earliest(clockMs, webhooks.wakeAtMs, erasure.wakeAtMs, lostMs)
  return { ...first, ...erasure, jobs, ...(wakeAtMs !== undefined && { wakeAtMs }) }
}
