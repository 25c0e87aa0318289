/** What the API writes to its log: routes and outcomes, never a token or a presigned address. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { addressOf } from './origin.ts'

/** The route's pattern instead of the path. */
export const describeRequest = (request: FastifyRequest) => ({
  method: request.method,
  route: request.routeOptions?.url,
  ip: addressOf(request),
})

/** One line for each answer. */
export function logAnswer(request: FastifyRequest, reply: FastifyReply): void {
  const { statusCode, elapsedTime } = reply
  const details = { statusCode, durationMs: Math.round(elapsedTime) }
  request.log.info({ ...describeRequest(request), ...details }, 'answered')
}
