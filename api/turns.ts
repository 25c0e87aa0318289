/** Turns at work that a few hostile callers could otherwise take from all others (decision 172). */
import type { FastifyReply } from 'fastify'
import { ServiceError } from '../domain/errors.ts'
import { QueueFullError, type Caller, type FairQueue } from '../domain/fair-queue.ts'

/** What a queue answers when there is no place to wait. */
interface Refusals {
  /** About how long a turn takes: a client that is refused may try again then. */
  retryAfterSeconds: number
  /** To a caller that has too many turns waiting; the others get 503 TIMEOUT, as all do without. */
  ofMember?(retryAfterSeconds: number): Error
}

/**
 * A signal that is aborted when the answer was given, or the client hung up. A turn that still
 * waits is then given up.
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
 * @throws ServiceError TIMEOUT with `retryAfterSeconds` when there is no place to wait, or what
 *   `refusals` say; what `work` throws
 */
export async function inTurn<T>(
  { queue, caller, awaited }: { queue: FairQueue; caller: Caller; awaited: AbortSignal },
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
