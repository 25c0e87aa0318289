/** Does work in turns of a fair queue and refuses callers for whom the queue has no place. */
import { ServiceError } from './errors.ts'
import { QueueFullError, type Caller, type FairQueue } from './fair-queue.ts'

/** What a queue answers when there is no place to wait. */
interface Refusals {
  /** About how long a turn takes: a client that is refused may try again then. */
  retryAfterSeconds: number
  /** To a caller that has too many turns waiting; all others get 503 TIMEOUT. */
  ofMember?(retryAfterSeconds: number): Error
}

/**
 * Does the work when it is the caller's turn.
 *
 * @param turn `awaited` gives up a turn that still waits
 * @param work gets whether it had to wait
 * @throws ServiceError TIMEOUT with `retryAfterSeconds` when there is no place to wait, or what
 *   `refusals` say; what `work` throws
 */
export async function runInTurn<T>(
  { queue, caller, awaited }: { queue: FairQueue; caller: Caller; awaited?: AbortSignal },
  { retryAfterSeconds, ofMember }: Refusals,
  work: (hasWaited: boolean) => Promise<T>,
): Promise<T> {
  try {
    return await queue.run(caller, work, awaited)
  } catch (error) {
    if (!(error instanceof QueueFullError)) throw error
    if (error.by === 'member' && ofMember) throw ofMember(retryAfterSeconds)
    throw new ServiceError('TIMEOUT', { retryAfterSeconds })
  }
}
