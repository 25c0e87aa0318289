/** Converts waiting times to seconds for responses. */

const MILLISECONDS_PER_SECOND = 1000

/** Whole seconds until the instant, rounded up. */
export function secondsUntil(instantMs: number, nowMs: number): number {
  return Math.ceil((instantMs - nowMs) / MILLISECONDS_PER_SECOND)
}
