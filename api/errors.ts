/** The one place where an error becomes an answer (specification 7). */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import {
  ERRORS,
  ServiceError,
  ValidationError,
  type ErrorCode,
  type ErrorDetails,
  type ValidationProblem,
} from '../domain/errors.ts'
import { NotFoundError, ThrottledError } from '../application/errors.ts'
import { BoundReachedError } from '../application/limits/bounds.ts'

/** A token that is missing, forged or of an unknown tenant; answered with the message alone. */
export class AuthenticationError extends Error {
  override readonly name = 'AuthenticationError'
  readonly statusCode: 401 | 403

  constructor(statusCode: 401 | 403, message: string) {
    super(message)
    this.statusCode = statusCode
  }
}

/** Maximum number of problems in one response, so that it is not much larger than the request. */
const MAXIMUM_PROBLEMS = 1_000

/** What ajv found, in the contract's words. */
export function problemsOf({ validation = [] }: Pick<FastifyError, 'validation'>) {
  return validation
    .slice(0, MAXIMUM_PROBLEMS)
    .map(({ instancePath, keyword, params, message = '' }): ValidationProblem => ({
      instancePath,
      keyword,
      params,
      message,
    }))
}

/** Errors are few and small: they need no serialiser made for a route's schema. */
function sendJson(reply: FastifyReply, status: number, body: object): FastifyReply {
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(body)
}

function sendNotFound(reply: FastifyReply, text: string): FastifyReply {
  return reply.code(404).type('text/plain; charset=utf-8').serializer(String).send(text)
}

/**
 * What a 401 asks for (RFC 9110, 15.5.2): a token, or beside a good one the code or PIN of the case
 * (RFC 9470, 3).
 */
const CHALLENGES = {
  token: 'Bearer',
  factor: 'Bearer error="insufficient_user_authentication"',
} as const

function challenge(reply: FastifyReply, status: number, kind: keyof typeof CHALLENGES): void {
  if (status === 401) reply.header('www-authenticate', CHALLENGES[kind])
}

/** RFC 9110, 10.2.3: wherever it is known when another attempt can succeed. */
function setRetryAfter(reply: FastifyReply, retryAfterSeconds: number | undefined): void {
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
}

function sendService(reply: FastifyReply, code: ErrorCode, details: ErrorDetails): FastifyReply {
  const { status, message } = ERRORS[code]
  setRetryAfter(reply, details.retryAfterSeconds)
  challenge(reply, status, 'factor')
  return sendJson(reply, status, { code, message, ...details })
}

function sendProblems(reply: FastifyReply, problems: readonly ValidationProblem[]): FastifyReply {
  const { message } = new ValidationError(problems)
  return sendJson(reply, 400, { message, validationErrors: problems })
}

function nothingAt({ params }: FastifyRequest): string {
  const isDevice = Object.hasOwn(params as object, 'deviceId')
  return new NotFoundError(isDevice ? 'Device' : 'Case').message
}

/** The answers about a body that are given before it is read. */
const BODY_REFUSALS: Readonly<Record<number, ErrorCode>> = {
  413: 'BODY_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
}

/** What was wrong with the body; the framework's own words name the status alone. */
function refusalOf(error: FastifyError, code: ErrorCode): string {
  return String(error.code).startsWith('FST_') ? ERRORS[code].message : error.message
}

function logCause({ cause, code }: ServiceError, { log }: Pick<FastifyRequest, 'log'>): void {
  if (cause !== undefined) log.warn({ err: cause, code }, 'request failed')
}

function answer(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // The framework hangs up on a body that it refuses. Most clients read no answer before they have
  // sent all, and would find a broken connection: the rest is read, as after a 401 or 404.
  if (reply.hasHeader('connection')) reply.removeHeader('connection')
  if (error instanceof ServiceError) {
    logCause(error, request)
    return sendService(reply, error.code, error.details)
  }
  if (error instanceof NotFoundError) return sendNotFound(reply, error.message)
  if (error instanceof AuthenticationError) {
    challenge(reply, error.statusCode, 'token')
    return sendJson(reply, error.statusCode, { message: error.message })
  }
  if (error instanceof ThrottledError || error instanceof BoundReachedError) {
    setRetryAfter(reply, error.retryAfterSeconds)
    return sendJson(reply, 429, { message: error.message })
  }
  if (error instanceof ValidationError) return sendProblems(reply, error.problems)
  if (error.validation) {
    // A malformed id names nothing: nothing can be found under it.
    if (error.validationContext === 'params') return sendNotFound(reply, nothingAt(request))
    return sendProblems(reply, problemsOf(error))
  }
  const status = error.statusCode ?? 500
  const code = BODY_REFUSALS[status]
  if (code) return sendJson(reply, status, { code, message: refusalOf(error, code) })
  // The framework's own refusals.
  if (status >= 400 && status < 500) return sendJson(reply, status, { message: error.message })
  request.log.error({ err: error }, 'unexpected failure')
  return sendJson(reply, 500, { message: 'Internal Server Error' })
}

/**
 * An error as GraphQL reports it: the message of REST, with its code beside it. Internal details
 * are only logged.
 */
export function presentError(error: Error, { log }: Pick<FastifyRequest, 'log'>) {
  const { message } = error
  if (error instanceof ServiceError) {
    logCause(error, { log })
    const { code, details } = error
    return { message: ERRORS[code].message, extensions: { code, ...details } }
  }
  if (error instanceof NotFoundError) return { message }
  if (error instanceof ValidationError) {
    return { message, extensions: { validationErrors: error.problems } }
  }
  if (error instanceof ThrottledError) {
    return { message, extensions: { retryAfterSeconds: error.retryAfterSeconds } }
  }
  log.error({ err: error }, 'unexpected failure')
  return { message: 'Internal Server Error' }
}

/** A path that no route has, or that is not a valid path. */
export function answerUnknownPath(reply: FastifyReply): FastifyReply {
  return sendService(reply, 'PATH_NOT_FOUND', {})
}

/** Refuses a path that no route has before its body is read; goes after the hooks of headers. */
export function refuseUnknownPaths(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) void answerUnknownPath(reply)
    else done()
  })
}

/** What is not HTTP at all gets an answer in the contract's shape as well (specification 7). */
const BROKEN_REQUESTS: Readonly<Record<string, { status: number; message: string }>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long' },
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers are too large' },
}
const NO_HTTP = { status: 400, message: 'The request is not valid HTTP' }

/** The last request of each connection, with its response. */
const exchanges = new WeakMap<Socket, { request: IncomingMessage; response: ServerResponse }>()

/**
 * Whether an answer would be the only one to what cannot be read: the last request has come whole
 * and is answered, or nothing was sent in answer to it.
 */
function isUnanswered(socket: Socket): boolean {
  const last = exchanges.get(socket)
  if (!last?.response.headersSent) return true
  return last.request.complete && last.response.writableEnded
}

/** Answers before a route is known, and hangs up: without a word where there is an answer. */
export function answerBrokenRequest(
  error: Error & { code?: string },
  socket: Socket,
  { now, headers }: { now: Date; headers: Readonly<Record<string, string>> },
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const { status, message } = BROKEN_REQUESTS[error.code ?? ''] ?? NO_HTTP
  const body = JSON.stringify({ message })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${body.length}`,
    `Date: ${now.toUTCString()}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ]
  if (socket.writable && isUnanswered(socket)) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  socket.destroy()
}

/** Every error of a route, and every unknown path, is answered as this file says. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler<FastifyError>(answer)
  app.addHook('onRequest', ({ raw: request }, { raw: response }, done) => {
    exchanges.set(request.socket, { request, response })
    done()
  })
  app.setNotFoundHandler((_request, reply) => answerUnknownPath(reply))
}
