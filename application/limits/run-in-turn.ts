/** Runs work in turns of a fair queue, and refuses callers when the queue is full. */
import { ServiceError } from '../../domain/errors.ts'
import { QueueFullError, type Caller, type FairQueue } from './fair-queue.ts'

/** Errors when the queue is full. */
interface Refusals {
  /** Approximate duration of a turn, after which a refused client may retry. */
  retryAfterSeconds: number
  /** Error for a caller with too many waiting turns; other refused callers get 503 TIMEOUT. */
  ofMember?(retryAfterSeconds: number): Error
}

/**
 * Runs the work when it is the caller's turn.
 *
 * @param turn `awaited` cancels a turn that still waits
 * @param work receives whether it had to wait
 * @throws ServiceError TIMEOUT with `retryAfterSeconds` when the queue is full, or the error of
 *   `refusals`; errors of `work`
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
