/** Waiting times as answers tell them. */

const MILLISECONDS_PER_SECOND = 1000

/** Whole seconds after which the instant has come, never too few. */
export function secondsUntil(instantMs: number, nowMs: number): number {
  return Math.ceil((instantMs - nowMs) / MILLISECONDS_PER_SECOND)
}
