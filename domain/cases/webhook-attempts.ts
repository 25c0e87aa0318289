/** Delivery of an event to its endpoint: attempts, next steps and their times. Pure. */
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
  /** Time between the starts of two attempts. */
  retryDelayMs: number
  /** Time limit of one exchange with the endpoint. */
  answerLimitMs: number
  /** An attempt that has no ending after this time was lost with its process. */
  lostAfterMs: number
}

export const DELIVERY_TIMES: DeliveryTimes = {
  retryDelayMs: WEBHOOK_RETRY_DELAY_MS,
  answerLimitMs: WEBHOOK_ANSWER_LIMIT_MS,
  lostAfterMs: WEBHOOK_LOST_AFTER_MS,
}

/**
 * Outcome of an attempt. `unauthorized`: the endpoint rejected the access token, so the webhook is
 * sent once more with a new one.
 */
export type AttemptOutcome = 'delivered' | 'retryable' | 'final' | 'unauthorized'

/** The ending of an attempt; the status code is absent when there was no answer. */
export interface AttemptEnding {
  at: string
  outcome: AttemptOutcome
  durationMs: number
  statusCode?: number
  /** Why there was no answer, without address, credentials or content. */
  error?: string
}

/** A resend immediately follows an `unauthorized` attempt and is not counted. */
export const ATTEMPT_KINDS = ['attempt', 'resend'] as const

/** A row of the delivery log: claimed before the request is sent, completed after it. */
export interface Attempt {
  /** Position in the log of its event, from 1. */
  number: number
  /** `Service-Delivery` */
  deliveryId: string
  /** 1, plus one for each redelivery that the tenant requested. */
  round: number
  kind: (typeof ATTEMPT_KINDS)[number]
  claimedAt: string
  ending?: AttemptEnding
}

const isTime = (value: unknown): boolean => !Number.isNaN(Date.parse(String(value)))

/** Whether a stored value has what the delivery depends on. */
export const isAttempt = (value: Partial<Attempt>): value is Attempt =>
  Number.isInteger(value.number) &&
  Number.isInteger(value.round) &&
  isTime(value.claimedAt) &&
  (value.ending === undefined || isTime(value.ending?.at))

export const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'dead'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]
export type EndState = Exclude<DeliveryState, 'pending'>

/** End states that are listed across all cases. */
export const LISTED_STATES = ['dead', 'failed'] as const satisfies readonly EndState[]
export type ListedState = (typeof LISTED_STATES)[number]

/** The receipt of an ended event; as with mails, nothing follows after it. */
export interface DeliveryReceipt {
  type: WebhookType
  state: EndState
  endedAt: string
  /** The round that ended. */
  round: number
}

/** The next step for an event. */
export type Step =
  | { do: 'send'; kind: Attempt['kind'] }
  | { do: 'wait'; untilMs: number }
  | { do: 'end'; state: EndState; at: string }

const REQUEST_TIMEOUT = 408
const TOO_MANY_REQUESTS = 429
const isSuccess = (status: number) => status >= 200 && status < 300
const isRetryable = (status: number) =>
  status >= 500 || status === REQUEST_TIMEOUT || status === TOO_MANY_REQUESTS

/** Classifies a response of the endpoint (specification 6.2). */
export function outcomeOfStatus(statusCode: number): AttemptOutcome {
  if (isSuccess(statusCode)) return 'delivered'
  return isRetryable(statusCode) ? 'retryable' : 'final'
}

/** The instant at which an attempt was over, or will count as lost. */
function overAtMs({ claimedAt, ending }: Attempt, { lostAfterMs }: DeliveryTimes): number {
  return ending ? Date.parse(ending.at) : Date.parse(claimedAt) + lostAfterMs
}

/** Whether an attempt has ended, or was lost with its process. */
export function isOver(attempt: Attempt, times: DeliveryTimes, nowMs: number): boolean {
  return attempt.ending !== undefined || nowMs >= overAtMs(attempt, times)
}

/**
 * Returns the next step after the attempts of one round. A lost attempt counts like one without an
 * answer.
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

/** The log of one event. */
export interface DeliveryRecord {
  /** Attempts of all rounds, in order. */
  attempts: readonly Attempt[]
  receipt?: DeliveryReceipt | undefined
  /** The last requested round that is still listed. */
  askedRound?: number | undefined
}

export interface Rounds {
  /** The last round that has ended, even without a receipt yet; 0 when none has. */
  ended: number
  /** The open round, if there is one. */
  open?: number
}

/** Returns the attempts of one round. */
export const ofRound = (attempts: readonly Attempt[], round: number) =>
  attempts.filter((attempt) => attempt.round === round)

/**
 * Returns the open round of an event: the first one until it has ended, then the last requested
 * round that is later than the last ended one.
 *
 * @param lastEnded the last round that has ended; 0 when none has
 * @param requested rounds that the tenant requested, in order
 * @returns undefined when no round is open
 */
export const openRound = (lastEnded: number, requested: readonly number[]): number | undefined =>
  lastEnded === 0 ? 1 : requested.findLast((round) => round > lastEnded)

/** Returns the rounds of an event. An ended round is in the log shortly before it has a receipt. */
export function roundsOf(
  { attempts, receipt, askedRound }: DeliveryRecord,
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
  const open = openRound(ended, askedRound === undefined ? [] : [askedRound])
  return { ended, ...(open === undefined ? {} : { open }) }
}

/**
 * Returns the round that a redelivery opens, or the one that is already open.
 *
 * @throws ServiceError WEBHOOK_PENDING before the first round has ended, REDELIVERIES_EXHAUSTED
 */
export function redeliveryRound({ ended, open }: Rounds): number {
  if (ended === 0) throw new ServiceError('WEBHOOK_PENDING')
  if (open !== undefined) return open
  if (ended >= MAXIMUM_WEBHOOK_ROUNDS) throw new ServiceError('REDELIVERIES_EXHAUSTED')
  return ended + 1
}
