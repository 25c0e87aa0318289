/** What the API writes to its log: routes and outcomes, never a token or a presigned address. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { addressOf } from './origin.ts'

/** A chain of causes ends somewhere. */
const MAXIMUM_CAUSES = 4
const QUERY = /\?[^\s'"]+/g

/** Messages of the framework name addresses; the query of a presigned one opens its object. */
const withoutQueries = (text: string) => text.replace(QUERY, '?…')

/** The route's pattern instead of the path. */
export const describeRequest = (request: FastifyRequest) => ({
  method: request.method,
  route: request.routeOptions?.url,
  ip: addressOf(request),
})

export interface ErrorDescription {
  type: string
  message: string
  stack: string
  code?: unknown
  cause?: ErrorDescription
}

/** @param causes how many causes may follow */
export function describeError(error: unknown, causes = MAXIMUM_CAUSES): ErrorDescription {
  const known = error instanceof Error ? error : new Error(String(error))
  const { name, message, stack = '', cause } = known
  return {
    type: name,
    message: withoutQueries(message),
    stack: withoutQueries(stack),
    ...('code' in known ? { code: known.code } : {}),
    ...(cause === undefined || causes === 0 ? {} : { cause: describeError(cause, causes - 1) }),
  }
}

/** One line for each answer. */
export function logAnswer(request: FastifyRequest, reply: FastifyReply): void {
  const { statusCode, elapsedTime } = reply
  const details = { statusCode, durationMs: Math.round(elapsedTime) }
  request.log.info({ ...describeRequest(request), ...details }, 'answered')
}
