/**
 * Rules of one-time codes: how long a code is valid, and how often it is sent and tried. The trail
 * is the counter, so losing an ephemeral value does not reset a limit (decision 40).
 */
import type { AuditEntry } from '../audit/entry.ts'
import { eventId } from '../cases/due-audit-events.ts'
import { ServiceError } from '../errors.ts'
import type { InvitationRequest } from '../cases/spec.ts'
import * as limits from '../limits.ts'
import { invitedAgainAtMs } from './invited-again.ts'
import { secondsUntil } from './seconds.ts'

/** A code that was sent. */
export interface SentCode {
  /** Event id of its `participant.otp_sent`. */
  sendId: string
  /** Milliseconds since 1970. */
  sentAtMs: number
}

export interface CodeHistory {
  /** Times of all sends, including withdrawn ones, oldest first, in milliseconds since 1970. */
  begunAtMs: readonly number[]
  /** Codes that were not withdrawn; only the last one is valid. */
  sent: readonly SentCode[]
  /** Number of wrong codes since the last one was sent. */
  wrongTries: number
  /** Number of wrong codes since a correct one, or since the tenant invited again. */
  wrongInRow: number
  /** Whether the last code was used. */
  isUsed: boolean
}

/** Id of the event that withdraws a code; it derives from that of the send. */
function withdrawalId(caseId: string, participantId: string, sendId: string): string {
  return eventId(caseId, 'participant.otp_failed', participantId, withdrawalOccurrence(sendId))
}

/** Occurrence key of the event that withdraws a code. */
export const withdrawalOccurrence = (sendId: string) => `withdrawn ${sendId}`

/** Wrong codes after the last correct one and after `sinceMs`. */
function countWrongInRow(tries: readonly AuditEntry[], sinceMs: number): number {
  const last = tries.findLastIndex(({ type }) => type === 'participant.otp_verified')
  return tries
    .slice(last + 1)
    .filter(({ type, occurredAt }) => isFailure(type) && Date.parse(occurredAt) > sinceMs).length
}

const isFailure = (type: string) => type === 'participant.otp_failed'

/**
 * @param entries of the trail of the case, oldest first
 * @param invitations that the tenant requested in addition to the first
 */
export function codeHistory(
  caseId: string,
  participantId: string,
  entries: readonly AuditEntry[],
  invitations?: readonly InvitationRequest[],
): CodeHistory {
  const own = entries.filter((entry) => entry.participantId === participantId)
  const ids = new Set(own.map((entry) => entry.eventId))
  const sends = own.filter(({ type }) => type === 'participant.otp_sent')
  const withdrawal = ({ eventId: sendId }: AuditEntry) =>
    withdrawalId(caseId, participantId, sendId)
  const withdrawals = new Set(sends.map(withdrawal).filter((id) => ids.has(id)))
  const kept = sends.filter((send) => !withdrawals.has(withdrawal(send)))
  const since = own.filter(({ sequence }) => sequence > (kept.at(-1)?.sequence ?? 0))
  const isTry = (entry: AuditEntry) => !withdrawals.has(entry.eventId)
  const wrong = since.filter((entry) => isFailure(entry.type) && isTry(entry))
  return {
    begunAtMs: sends.map(({ occurredAt }) => Date.parse(occurredAt)),
    sent: kept.map((send) => ({
      sendId: send.eventId,
      sentAtMs: Date.parse(send.occurredAt),
    })),
    wrongTries: wrong.length,
    wrongInRow: countWrongInRow(own.filter(isTry), invitedAgainAtMs(participantId, invitations)),
    isUsed: since.some(({ type }) => type === 'participant.otp_verified'),
  }
}

/** Returns when the sliding window has room for another code. */
function roomAtMs(
  timesMs: readonly number[],
  maximum: number,
  windowMs: number = limits.CODE_WINDOW_MS,
): number {
  const blocking = timesMs.at(-maximum)
  return blocking === undefined ? Number.NEGATIVE_INFINITY : blocking + windowMs
}

/**
 * Refuses a code over the limit. After many wrong codes in a row, at most one code is sent each
 * day: without this rule, a case that is open for a year allows guesses for a chance of one in five
 * (decision 278).
 *
 * @throws ServiceError OTP_RATE_LIMITED with `retryAfterSeconds`
 */
export function assertMaySend(history: CodeHistory, nowMs: number): void {
  const { begunAtMs, sent, wrongInRow } = history
  const sentAtMs = sent.map((code) => code.sentAtMs)
  const isGuessed = wrongInRow >= limits.MAXIMUM_WRONG_CODES
  const waitsForMs = Math.max(
    isGuessed ? roomAtMs(sentAtMs, 1, limits.GUESSED_CODE_WINDOW_MS) : Number.NEGATIVE_INFINITY,
    roomAtMs(sentAtMs, limits.MAXIMUM_CODES_PER_WINDOW),
    roomAtMs(begunAtMs, limits.MAXIMUM_CODE_SENDS_PER_WINDOW),
  )
  if (nowMs >= waitsForMs) return
  throw new ServiceError('OTP_RATE_LIMITED', {
    retryAfterSeconds: secondsUntil(waitsForMs, nowMs),
  })
}

/** When the code expires, in milliseconds since 1970. */
export const codeExpiresAtMs = ({ sentAtMs }: SentCode) => sentAtMs + limits.CODE_LIFE_MS

/**
 * Refuses a try when no valid code exists.
 *
 * @returns the valid code
 * @throws ServiceError OTP_NOT_REQUESTED, OTP_EXPIRED, OTP_LOCKED
 */
export function assertMayTry({ sent, isUsed, wrongTries }: CodeHistory, nowMs: number): SentCode {
  const current = sent.at(-1)
  if (!current || isUsed) throw new ServiceError('OTP_NOT_REQUESTED')
  if (nowMs >= codeExpiresAtMs(current)) throw new ServiceError('OTP_EXPIRED')
  if (wrongTries >= limits.MAXIMUM_CODE_TRIES) throw new ServiceError('OTP_LOCKED')
  return current
}

/** Number of remaining tries. */
export function codeAttemptsLeft({ wrongTries }: CodeHistory): number {
  return limits.MAXIMUM_CODE_TRIES - wrongTries
}

/**
 * Returns replaced codes of the last hour, which a participant may still enter; none of them is
 * valid.
 */
export function replacedCodes({ sent }: CodeHistory, nowMs: number): readonly SentCode[] {
  return sent.slice(0, -1).filter(({ sentAtMs }) => sentAtMs > nowMs - limits.CODE_WINDOW_MS)
}
