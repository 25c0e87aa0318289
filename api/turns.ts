/** Turns at work that a few hostile callers could otherwise take from all others (decision 172). */
import type { FastifyReply } from 'fastify'
import { ServiceError } from '../domain/errors.ts'
import { QueueFullError, type Caller, type FairQueue } from '../domain/fair-queue.ts'

/** A turn takes a second or less: a client that is refused may try again soon. */
const RETRY_AFTER_SECONDS = 2

/**
 * A signal that is aborted when nobody waits for the answer any more: it was given, or the client
 * hung up. A turn that still waits is then given up.
 */
export function answerAwaited({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const end = () => controller.abort(new ServiceError('TIMEOUT'))
  if (raw.closed) end()
  else raw.once('close', end)
  return controller.signal
}

/**
 * Does the work when it is the caller's turn.
 *
 * @throws ServiceError TIMEOUT with `retryAfterSeconds` when there is no place to wait; what `work`
 *   throws
 */
export async function inTurn<T>(
  queue: FairQueue,
  caller: Caller,
  work: (hasWaited: boolean) => Promise<T>,
  awaited: AbortSignal,
): Promise<T> {
  try {
    return await queue.run(caller, work, awaited)
  } catch (error) {
    if (!(error instanceof QueueFullError)) throw error
    throw new ServiceError('TIMEOUT', { retryAfterSeconds: RETRY_AFTER_SECONDS })
  }
}
