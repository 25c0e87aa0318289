/** What the API writes to its log: routes and outcomes, never a token or a presigned address. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Span } from '../domain/ports/tracing.ts'
import { addressOf } from './origin.ts'

/** Header of requests and answers with the id of the request. */
export const REQUEST_ID_HEADER = 'x-request-id'
/** Member of every log line of a request. */
export const REQUEST_ID_MEMBER = 'requestId'
/**
 * Ids that a proxy or client may choose: long enough to be unique, and nothing that could be an
 * e-mail address, a URL or a signed token. Other ids are replaced.
 */
const SAFE_ID = /^[A-Za-z0-9_-]{8,64}$/
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Returns the id of a request: the given one if it is safe to log, otherwise a new UUID. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers[REQUEST_ID_HEADER]
  return typeof given === 'string' && SAFE_ID.test(given) ? given : randomUUID()
}

/** Adds the id of the request to every answer. */
export function addRequestIdHeader(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(REQUEST_ID_HEADER, request.id)
    done()
  })
}

/** The route's pattern instead of the path. */
export const describeRequest = (request: FastifyRequest) => ({
  method: request.method,
  route: request.routeOptions?.url,
  ip: addressOf(request),
})

/** Ids for all further log lines of a request; absent members are unknown. */
interface LoggedIds {
  tenant?: string
  caseId?: string
}

/** Adds the trace to all further log lines of the request. */
export function logTrace(request: FastifyRequest, { traceId }: Pick<Span, 'traceId'>): void {
  request.log = request.log.child({ traceId })
}

/** Adds tenant and case to all further log lines of the request, and to its span. */
export function logIds(request: FastifyRequest, { tenant, caseId }: LoggedIds): void {
  request.log = request.log.child({
    ...(tenant === undefined ? {} : { tenant }),
    ...(caseId === undefined ? {} : { caseId }),
  })
  request.span?.set({
    ...(tenant === undefined ? {} : { 'sigcase.tenant': tenant }),
    ...(caseId === undefined ? {} : { 'sigcase.case_id': caseId }),
  })
}

/** Returns the id of the case in the path, unless it is not an id. */
export function caseIdInPath({ params }: Pick<FastifyRequest, 'params'>): string | undefined {
  const { caseId } = Object(params) as { caseId?: unknown }
  const id = typeof caseId === 'string' ? caseId.toLowerCase() : ''
  return UUID.test(id) ? id : undefined
}

/** One line for each answer. */
export function logAnswer(request: FastifyRequest, reply: FastifyReply): void {
  const { statusCode, elapsedTime } = reply
  const details = { statusCode, durationMs: Math.round(elapsedTime) }
  request.log.info({ ...describeRequest(request), ...details }, 'answered')
}
