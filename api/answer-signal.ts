/** Signals that a request no longer waits, so that its turn is given up (decision 172). */
import type { FastifyReply } from 'fastify'
import { ServiceError } from '../domain/errors.ts'

/**
 * Makes a signal that is aborted, with ServiceError TIMEOUT, when the answer was sent or the client
 * closed the connection.
 */
export function abortWhenAnswered({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const end = () => controller.abort(new ServiceError('TIMEOUT'))
  if (raw.closed) end()
  else raw.once('close', end)
  return controller.signal
}
