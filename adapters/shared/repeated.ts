/** Retries requests to a service a few times, with increasing pauses. */
import { setTimeout as delay } from 'node:timers/promises'

/** Total number, including the first. */
const MAXIMUM_ATTEMPTS = 4
const FIRST_PAUSE_MS = 100
/** Factor between two pauses. */
const PAUSE_FACTOR = 3
/** When the service requests a longer pause, the error is returned instead of waiting. */
const LONGEST_PAUSE_MS = 2_000

/**
 * Runs the work until it succeeds, at most four times.
 *
 * @param work receives whether it ran before, because its effect may already exist
 * @param mayRepeat whether a retry can help after this error
 * @param pauseMsOf the delay that the service requested, in milliseconds
 * @throws the error of the last attempt
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
