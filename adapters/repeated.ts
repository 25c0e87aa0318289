/** Repeats requests to a service that could not answer, a few times, with growing pauses. */
import { setTimeout as delay } from 'node:timers/promises'

/** In all, with the first. */
const MAXIMUM_ATTEMPTS = 4
const FIRST_PAUSE_MS = 100
/** Each pause is so many times the one before. */
const PAUSE_FACTOR = 3
/** When the service asks for a longer pause, the caller is told instead of kept waiting. */
const LONGEST_PAUSE_MS = 2_000

/**
 * Does the work until it succeeds, four times at most.
 *
 * @param work is told whether it was begun before, so that the effect may be there already
 * @param mayRepeat whether another attempt can help after this error
 * @param pauseMsOf for how long the service asked to wait, in milliseconds
 * @throws what the last attempt threw
 */
export async function repeated<T>(
  work: (isRepeated: boolean) => Promise<T>,
  mayRepeat: (error: unknown) => boolean,
  pauseMsOf: (error: unknown) => number | undefined = () => undefined,
): Promise<T> {
  for (let number = 1, pauseMs = FIRST_PAUSE_MS; ; number++, pauseMs *= PAUSE_FACTOR) {
    let askedMs = 0
    try {
      return await work(number > 1)
    } catch (error) {
      askedMs = pauseMsOf(error) ?? 0
      const isLast = number === MAXIMUM_ATTEMPTS || askedMs > LONGEST_PAUSE_MS
      if (isLast || !mayRepeat(error)) throw error
    }
    await delay(Math.max(pauseMs, askedMs))
  }
}
