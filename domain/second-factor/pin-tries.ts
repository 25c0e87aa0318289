/** Wrong PINs of a participant, counted from the trail, and the lock that follows (decision 42). */
import type { AuditEntry } from '../audit/entry.ts'
import { ServiceError } from '../errors.ts'
import { MAXIMUM_PIN_TRIES, PIN_LOCK_MS } from '../limits.ts'
import { secondsUntil } from './seconds.ts'

export interface PinTries {
  /** Wrong ones in a row that count now. */
  wrong: number
  /** In milliseconds since 1970; passed or absent: not locked. */
  lockedUntilMs?: number
}

/**
 * Five wrong ones lock for fifteen minutes from the fifth. Fewer are forgotten when none follows
 * for as long, which makes guessing no faster than the lock does.
 *
 * @param entries of the trail of a case with a PIN, where every failure is one of a PIN
 */
export function pinTries(
  participantId: string,
  entries: readonly AuditEntry[],
  nowMs: number,
): PinTries {
  const failures = entries.filter(
    (entry) => entry.type === 'participant.otp_failed' && entry.participantId === participantId,
  )
  let tries: PinTries = { wrong: 0 }
  let lastMs = Number.NEGATIVE_INFINITY
  for (const { occurredAt } of failures) {
    const atMs = Date.parse(occurredAt)
    const wrong = (atMs - lastMs < PIN_LOCK_MS ? tries.wrong : 0) + 1
    tries = wrong < MAXIMUM_PIN_TRIES ? { wrong } : { wrong: 0, lockedUntilMs: atMs + PIN_LOCK_MS }
    lastMs = atMs
  }
  return nowMs - lastMs < PIN_LOCK_MS ? tries : { wrong: 0 }
}

/** @throws ServiceError PIN_LOCKED with `retryAfterSeconds` */
export function assertPinNotLocked({ lockedUntilMs }: PinTries, nowMs: number): void {
  if (lockedUntilMs === undefined || nowMs >= lockedUntilMs) return
  throw new ServiceError('PIN_LOCKED', { retryAfterSeconds: secondsUntil(lockedUntilMs, nowMs) })
}

/** How many wrong PINs more are looked at after these. */
export function pinAttemptsLeft({ wrong }: PinTries): number {
  return MAXIMUM_PIN_TRIES - wrong
}
