/** Counts wrong PINs of a participant from the trail, and derives the lock (decision 40). */
import type { AuditEntry } from '../audit/entry.ts'
import { ServiceError } from '../errors.ts'
import type { InvitationRequest } from '../cases/spec.ts'
import { MAXIMUM_PIN_TRIES, MAXIMUM_WRONG_PINS, PIN_LOCK_MS } from '../limits.ts'
import { invitedAgainAtMs } from './invited-again.ts'
import { secondsUntil } from './seconds.ts'

/** Inputs of the count. */
export interface PinHistory {
  entries: readonly AuditEntry[]
  invitations?: readonly InvitationRequest[] | undefined
}

export interface PinTries {
  /** Current number of consecutive wrong PINs. */
  wrong: number
  /**
   * Wrong PINs since the tenant last invited the participant again, or since the case was created.
   */
  wrongInAll: number
  /** End of the lock in milliseconds since 1970; not locked when it has passed or is absent. */
  lockedUntilMs?: number
}

/**
 * Counts wrong PINs of a participant. Five in a row lock the PIN for fifteen minutes from the
 * fifth. Fewer are forgotten when none follows for as long, which makes guessing no faster than the
 * lock. After twenty in total, the PIN stays locked until the tenant invites the participant again,
 * which resets the count (decision 172).
 *
 * @param history `entries` of the trail of a case with a PIN, so that every failure is one of a
 *   PIN; `invitations` that the tenant requested in addition to the first
 */
export function pinTries(participantId: string, history: PinHistory, nowMs: number): PinTries {
  const failures = history.entries.filter(
    (entry) => entry.type === 'participant.otp_failed' && entry.participantId === participantId,
  )
  const sinceMs = invitedAgainAtMs(participantId, history.invitations)
  const counted = failures.filter(({ occurredAt }) => Date.parse(occurredAt) > sinceMs)
  const wrongInAll = counted.length
  let row: Omit<PinTries, 'wrongInAll'> = { wrong: 0 }
  let lastMs = Number.NEGATIVE_INFINITY
  for (const { occurredAt } of failures) {
    const atMs = Date.parse(occurredAt)
    const wrong = (atMs - lastMs < PIN_LOCK_MS ? row.wrong : 0) + 1
    row = wrong < MAXIMUM_PIN_TRIES ? { wrong } : { wrong: 0, lockedUntilMs: atMs + PIN_LOCK_MS }
    lastMs = atMs
  }
  if (nowMs - lastMs >= PIN_LOCK_MS) row = { wrong: 0 }
  return { ...row, wrongInAll }
}

/**
 * @throws ServiceError PIN_LOCKED with `retryAfterSeconds`; without it when only the tenant can
 *   unlock the PIN
 */
export function assertPinNotLocked({ lockedUntilMs, wrongInAll }: PinTries, nowMs: number): void {
  if (wrongInAll >= MAXIMUM_WRONG_PINS) throw new ServiceError('PIN_LOCKED')
  if (lockedUntilMs === undefined || nowMs >= lockedUntilMs) return
  throw new ServiceError('PIN_LOCKED', { retryAfterSeconds: secondsUntil(lockedUntilMs, nowMs) })
}

/** How many more wrong PINs are accepted before the PIN is locked. */
export function pinAttemptsLeft({ wrong, wrongInAll }: PinTries): number {
  return Math.min(MAXIMUM_PIN_TRIES - wrong, MAXIMUM_WRONG_PINS - wrongInAll)
}
