/**
 * Decides which webhooks of a case to send now, and when to check again. Pure. The job reads the
 * log again, so a job that is planned twice sends nothing twice.
 */
import {
  isOver,
  nextStep,
  ofRound,
  openRound,
  type DeliveryTimes,
  type Step,
} from '../../domain/cases/webhook-attempts.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import { dueWebhooks, type DueWebhook } from '../../domain/cases/webhooks.ts'
import type { Observation } from './observation.ts'
import { planned, type PlannedJob } from './pending-jobs.ts'

/**
 * A new job may be dropped because the old one is just ending; it is planned again after this
 * delay.
 */
export const REPLAN_DELAY_MS = 10_000

export interface WebhookWork {
  jobs: PlannedJob[]
  /** Number of events that have not ended. */
  open: number
  wakeAtMs?: number
}

/**
 * The open round of an event, or undefined when the event has ended. A receipt shows that the first
 * round has ended; the job reads which round was the last.
 */
function openRoundOf({ receipts, deliveries }: Observation, { eventId }: DueWebhook) {
  const requested = (deliveries?.requests ?? []).filter((request) => request.eventId === eventId)
  const rounds = requested.map(({ round }) => round)
  return openRound(receipts.has(eventId) ? 1 : 0, rounds)
}

function attemptsOf({ deliveries }: Observation, { eventId }: DueWebhook) {
  return deliveries?.attempts.get(eventId) ?? []
}

function stepOf(observation: Observation, event: DueWebhook, times: DeliveryTimes) {
  const round = openRoundOf(observation, event)
  if (round === undefined) return undefined
  return nextStep(ofRound(attemptsOf(observation, event), round), times, observation.nowMs)
}

/** Whether the next event may start. */
function letsNextStart(observation: Observation, event: DueWebhook, times: DeliveryTimes) {
  if (observation.receipts.has(event.eventId)) return true
  const { nowMs } = observation
  return attemptsOf(observation, event).some((attempt) => isOver(attempt, times, nowMs))
}

/** @param signatureCase with its next status */
export function webhookWork(observation: Observation, signatureCase: SignatureCase): WebhookWork {
  const { key, nowMs, deliveries } = observation
  if (!deliveries) return { jobs: [], open: 0 }
  const { times } = deliveries
  const events = dueWebhooks(signatureCase, observation.accepted)
  const firstHeld = events.findIndex((event) => !letsNextStart(observation, event, times))
  const steps = events.map((event) => stepOf(observation, event, times))
  const jobs: PlannedJob[] = []
  const instants: number[] = []
  for (const [index, event] of events.entries()) {
    const step: Step | undefined = steps[index]
    if (!step || (firstHeld >= 0 && index > firstHeld)) continue
    if (step.do === 'wait') instants.push(step.untilMs)
    else jobs.push(planned('webhook', { ...key, eventId: event.eventId }))
  }
  if (jobs.length > 0) instants.push(nowMs + REPLAN_DELAY_MS)
  const open = steps.filter((step) => step !== undefined).length
  return { jobs, open, ...(instants.length > 0 ? { wakeAtMs: Math.min(...instants) } : {}) }
}
