/** How the webhooks of a case fared, as tenants see it. */
import {
  isOver,
  nextStep,
  type Attempt,
  type AttemptEnding,
  type DeliveryReceipt,
  type DeliveryTimes,
} from '../../domain/cases/deliveries.ts'
import type { OwedWebhook } from '../../domain/cases/webhooks.ts'
import type { DeliveryAnswer } from '../../domain/contract/answers.ts'

/** The process that made the attempt ended before it did. */
const LOST: Partial<AttemptEnding> = { error: 'interrupted' }

/** What the log holds of one event. */
export interface LoggedEvent {
  event: OwedWebhook
  attempts: readonly Attempt[]
  receipt?: DeliveryReceipt | undefined
  /** The round that goes on, if one does. */
  openRound?: number | undefined
}

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

/** The log goes before the receipt, which follows at once. */
function presentState(
  { attempts, receipt, openRound }: LoggedEvent,
  times: DeliveryTimes,
  nowMs: number,
): Pick<DeliveryAnswer, 'state' | 'endedAt' | 'nextAttemptAt'> {
  if (openRound === undefined && receipt) return { state: receipt.state, endedAt: receipt.endedAt }
  const ofRound = attempts.filter(({ round }) => round === openRound)
  const step = nextStep(ofRound, times, nowMs)
  if (step.do === 'end') return { state: step.state, endedAt: step.at }
  const isWaiting = step.do === 'wait' && ofRound.at(-1)?.ending
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
