/** How an event gets to its endpoint: attempts, what follows from them, and when. Pure. */
import { ServiceError } from '../errors.ts'
import {
  MAXIMUM_WEBHOOK_ATTEMPTS,
  MAXIMUM_WEBHOOK_ROUNDS,
  WEBHOOK_ANSWER_LIMIT_MS,
  WEBHOOK_LOST_AFTER_MS,
  WEBHOOK_RETRY_DELAY_MS,
} from '../limits.ts'
import type { WebhookType } from './webhooks.ts'

export interface DeliveryTimes {
  /** From the start of an attempt to that of the next. */
  retryDelayMs: number
  /** For one whole exchange with the endpoint. */
  answerLimitMs: number
  /** An attempt that is not finished by then never will be: its process ended. */
  lostAfterMs: number
}

export const DELIVERY_TIMES: DeliveryTimes = {
  retryDelayMs: WEBHOOK_RETRY_DELAY_MS,
  answerLimitMs: WEBHOOK_ANSWER_LIMIT_MS,
  lostAfterMs: WEBHOOK_LOST_AFTER_MS,
}

/**
 * What an attempt led to. `unauthorized`: the access token was not taken, so that the webhook is
 * sent once more with a new one.
 */
export type AttemptOutcome = 'delivered' | 'retryable' | 'final' | 'unauthorized'

/** How an attempt ended; without a status code there was no answer. */
export interface AttemptEnding {
  at: string
  outcome: AttemptOutcome
  durationMs: number
  statusCode?: number
  /** Why there was no answer, without address, credential or content. */
  error?: string
}

/** A resend follows an `unauthorized` attempt at once and is not counted. */
export const ATTEMPT_KINDS = ['attempt', 'resend'] as const

/** A row of the delivery log: claimed before anything is sent, ended after. */
export interface Attempt {
  /** Its place in the log of its event, from 1. */
  number: number
  /** `Service-Delivery` */
  deliveryId: string
  /** 1, and one more each time that the tenant asks for a redelivery. */
  round: number
  kind: (typeof ATTEMPT_KINDS)[number]
  claimedAt: string
  ending?: AttemptEnding
}

export const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'dead'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]
export type EndState = Exclude<DeliveryState, 'pending'>

/** What is left when an event has ended; the same as for a mail, nothing is owed after it. */
export interface DeliveryReceipt {
  type: WebhookType
  state: EndState
  endedAt: string
  /** The round that ended so. */
  round: number
}

/** What is to be done about an event now. */
export type Step =
  | { do: 'send'; kind: Attempt['kind'] }
  | { do: 'wait'; untilMs: number }
  | { do: 'end'; state: EndState; at: string }

const REQUEST_TIMEOUT = 408
const TOO_MANY_REQUESTS = 429
const isSuccess = (status: number) => status >= 200 && status < 300
const isRetryable = (status: number) =>
  status >= 500 || status === REQUEST_TIMEOUT || status === TOO_MANY_REQUESTS

/** What an answer of the endpoint means (specification 6.2). */
export function outcomeOfStatus(statusCode: number): AttemptOutcome {
  if (isSuccess(statusCode)) return 'delivered'
  return isRetryable(statusCode) ? 'retryable' : 'final'
}

/** When an attempt was over, or will be when its process has ended. */
function overAtMs({ claimedAt, ending }: Attempt, { lostAfterMs }: DeliveryTimes): number {
  return ending ? Date.parse(ending.at) : Date.parse(claimedAt) + lostAfterMs
}

/** Whether an attempt has ended, or was lost with its process. */
export function isOver(attempt: Attempt, times: DeliveryTimes, nowMs: number): boolean {
  return attempt.ending !== undefined || nowMs >= overAtMs(attempt, times)
}

/**
 * What follows from the attempts of one round. An attempt that was lost with its process counts
 * like one that was not answered.
 *
 * @param attempts of the round, in order
 */
export function nextStep(attempts: readonly Attempt[], times: DeliveryTimes, nowMs: number): Step {
  const delivered = attempts.find(({ ending }) => ending?.outcome === 'delivered')
  if (delivered?.ending) return { do: 'end', state: 'delivered', at: delivered.ending.at }
  const last = attempts.at(-1)
  if (!last) return { do: 'send', kind: 'attempt' }
  const overMs = overAtMs(last, times)
  if (!isOver(last, times, nowMs)) return { do: 'wait', untilMs: overMs }
  const at = new Date(overMs).toISOString()
  const outcome = last.ending?.outcome ?? 'retryable'
  if (outcome === 'final') return { do: 'end', state: 'failed', at }
  if (outcome === 'unauthorized') return { do: 'send', kind: 'resend' }
  const counted = attempts.filter(({ kind }) => kind === 'attempt').length
  if (counted >= MAXIMUM_WEBHOOK_ATTEMPTS) return { do: 'end', state: 'dead', at }
  const dueMs = Math.max(overMs, Date.parse(last.claimedAt) + times.retryDelayMs)
  return nowMs >= dueMs ? { do: 'send', kind: 'attempt' } : { do: 'wait', untilMs: dueMs }
}

/** What the log holds of one event. */
export interface DeliveryRecord {
  /** In order, of all rounds. */
  attempts: readonly Attempt[]
  receipt?: DeliveryReceipt | undefined
  /** The last round that was asked for and is on the list. */
  askedRound?: number | undefined
}

export interface Rounds {
  /** The last that has ended, its receipt written or not yet; 0: none has. */
  ended: number
  /** The one that goes on, if one does. */
  open?: number
}

/** Attempts of one round. */
export const ofRound = (attempts: readonly Attempt[], round: number) =>
  attempts.filter((attempt) => attempt.round === round)

/** Where an event stands. The log goes before the receipt, which follows at once. */
export function roundsOf(
  { attempts, receipt, askedRound = 1 }: DeliveryRecord,
  times: DeliveryTimes,
  nowMs: number,
): Rounds {
  let ended = receipt?.round ?? 0
  while (
    ended < MAXIMUM_WEBHOOK_ROUNDS &&
    nextStep(ofRound(attempts, ended + 1), times, nowMs).do === 'end'
  ) {
    ended++
  }
  return { ended, ...(askedRound > ended ? { open: askedRound } : {}) }
}

/**
 * The round that a redelivery of an event opens, or the one that was asked for and goes on.
 *
 * @throws ServiceError WEBHOOK_PENDING before the first round has ended, REDELIVERIES_EXHAUSTED
 */
export function redeliveryRound({ ended, open }: Rounds): number {
  if (ended === 0) throw new ServiceError('WEBHOOK_PENDING')
  if (open !== undefined) return open
  if (ended >= MAXIMUM_WEBHOOK_ROUNDS) throw new ServiceError('REDELIVERIES_EXHAUSTED')
  return ended + 1
}
