/** How the webhooks of a case fared, as tenants see it. */
import {
  isOver,
  nextStep,
  type Attempt,
  type DeliveryReceipt,
  type DeliveryTimes,
} from '../../domain/cases/deliveries.ts'
import type { OwedWebhook } from '../../domain/cases/webhooks.ts'
import type { DeliveryAnswer } from '../../domain/contract/answers.ts'

/** What the log holds of one event. */
export interface LoggedEvent {
  event: OwedWebhook
  attempts: readonly Attempt[]
  receipt?: DeliveryReceipt | undefined
  /** The round that goes on, if one does. */
  openRound?: number | undefined
}

function presentAttempt(attempt: Attempt, times: DeliveryTimes, nowMs: number) {
  const { deliveryId, round, kind, claimedAt: startedAt, ending } = attempt
  const lost = !ending && isOver(attempt, times, nowMs) ? { error: 'interrupted' } : {}
  const { durationMs, statusCode, error } = ending ?? {}
  return {
    deliveryId,
    round,
    kind,
    startedAt,
    ...(durationMs === undefined ? {} : { durationMs }),
    ...(statusCode === undefined ? {} : { statusCode }),
    ...(error === undefined ? lost : { error }),
  }
}

/** When the next attempt of the open round comes, as far as that is known. */
function nextAttemptAt({ attempts, openRound }: LoggedEvent, times: DeliveryTimes, nowMs: number) {
  const ofRound = attempts.filter(({ round }) => round === openRound)
  const last = ofRound.at(-1)
  if (!last?.ending) return {}
  const step = nextStep(ofRound, times, nowMs)
  return step.do === 'wait' ? { nextAttemptAt: new Date(step.untilMs).toISOString() } : {}
}

export function presentDelivery(
  logged: LoggedEvent,
  times: DeliveryTimes,
  nowMs: number,
): DeliveryAnswer {
  const { event, attempts, receipt, openRound } = logged
  const ended = openRound === undefined && receipt
  return {
    ...event,
    ...(ended
      ? { state: ended.state, endedAt: ended.endedAt }
      : { state: 'pending' as const, ...nextAttemptAt(logged, times, nowMs) }),
    attempts: attempts.map((attempt) => presentAttempt(attempt, times, nowMs)),
  }
}
