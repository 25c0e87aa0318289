/** Asks a service again that could not answer, a few times, with growing pauses. */
import { setTimeout as delay } from 'node:timers/promises'

/** In all, with the first. */
const MAXIMUM_ATTEMPTS = 4
const FIRST_PAUSE_MS = 100
/** Each pause is so many times the one before. */
const PAUSE_FACTOR = 3

/**
 * Does the work until it succeeds, four times at most.
 *
 * @param work is told whether it was begun before, so that the effect may be there already
 * @param mayRepeat whether another attempt can help after this error
 * @throws what the last attempt threw
 */
export async function repeated<T>(
  work: (isRepeated: boolean) => Promise<T>,
  mayRepeat: (error: unknown) => boolean,
): Promise<T> {
  for (let number = 1, pauseMs = FIRST_PAUSE_MS; ; number++, pauseMs *= PAUSE_FACTOR) {
    try {
      return await work(number > 1)
    } catch (error) {
      if (number === MAXIMUM_ATTEMPTS || !mayRepeat(error)) throw error
    }
    await delay(pauseMs)
  }
}
