/** How the webhooks of a case fared, as tenants see it. */
import {
  isOver,
  nextStep,
  ofRound,
  roundsOf,
  type Attempt,
  type AttemptEnding,
  type DeliveryTimes,
} from '../../domain/cases/webhook-attempts.ts'
import type { LoggedEvent } from '../../application/webhooks/list-deliveries.ts'
import type { ApiDeps } from '../deps.ts'
import type { DeliveryAnswer } from '../../domain/contract/delivery-answers.ts'

/** The process that made the attempt ended before it did. */
const LOST: Partial<AttemptEnding> = { error: 'interrupted' }

function presentAttempt({ deliveryId, round, kind, claimedAt: startedAt, ending }: Attempt) {
  const { durationMs, statusCode, error } = ending ?? LOST
  return {
    deliveryId,
    round,
    kind,
    startedAt,
    ...(durationMs === undefined ? {} : { durationMs }),
    ...(statusCode === undefined ? {} : { statusCode }),
    ...(error === undefined ? {} : { error }),
  }
}

function presentState(
  logged: LoggedEvent,
  times: DeliveryTimes,
  nowMs: number,
): Pick<DeliveryAnswer, 'state' | 'endedAt' | 'nextAttemptAt'> {
  const { attempts, receipt } = logged
  const { ended, open } = roundsOf(logged, times, nowMs)
  if (open === undefined && receipt?.round === ended) {
    return { state: receipt.state, endedAt: receipt.endedAt }
  }
  const shown = ofRound(attempts, open ?? ended)
  const step = nextStep(shown, times, nowMs)
  if (step.do === 'end') return { state: step.state, endedAt: step.at }
  const isWaiting = step.do === 'wait' && shown.at(-1)?.ending
  if (!isWaiting) return { state: 'pending' }
  return { state: 'pending', nextAttemptAt: new Date(step.untilMs).toISOString() }
}

/** Attempts are shown once they are over. */
export function presentDelivery(
  logged: LoggedEvent,
  times: DeliveryTimes,
  nowMs: number,
): DeliveryAnswer {
  const over = logged.attempts.filter((attempt) => isOver(attempt, times, nowMs))
  return {
    ...logged.event,
    ...presentState(logged, times, nowMs),
    attempts: over.map(presentAttempt),
  }
}

/** The webhooks of a case. */
export const presentDeliveries = (
  events: readonly LoggedEvent[],
  { deliveryTimes, now }: Pick<ApiDeps, 'deliveryTimes' | 'now'>,
) => {
  const nowMs = now().getTime()
  return { deliveries: events.map((event) => presentDelivery(event, deliveryTimes, nowMs)) }
}
