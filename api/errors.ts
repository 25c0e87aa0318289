/** The one place where an error becomes an answer (specification 7). */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  ERRORS,
  ServiceError,
  ValidationError,
  type ErrorCode,
  type ValidationProblem,
} from '../domain/errors.ts'

/** No such case, participant or event; answered as plain text. */
export class NotFoundError extends Error {
  override readonly name = 'NotFoundError'

  constructor(what: 'Case' | 'Participant' | 'Event') {
    super(`${what} not found`)
  }
}

/** A token that is missing, forged or names nobody; answered with the message alone. */
export class AuthenticationError extends Error {
  override readonly name = 'AuthenticationError'
  readonly statusCode: 401 | 403

  constructor(statusCode: 401 | 403, message: string) {
    super(message)
    this.statusCode = statusCode
  }
}

const HANDLER_TIMEOUT = 'FST_ERR_HANDLER_TIMEOUT'

/** What ajv found, in the contract's words. */
export function problemsOf({ validation = [] }: Pick<FastifyError, 'validation'>) {
  return validation.map(({ instancePath, keyword, params, message = '' }): ValidationProblem => ({
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

function sendText(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).type('text/plain; charset=utf-8').serializer(String).send(text)
}

function sendService(reply: FastifyReply, code: ErrorCode, details: object): FastifyReply {
  const { status, message } = ERRORS[code]
  return sendJson(reply, status, { code, message, ...details })
}

function sendProblems(reply: FastifyReply, problems: readonly ValidationProblem[]): FastifyReply {
  const { message } = new ValidationError(problems)
  return sendJson(reply, 400, { message, validationErrors: problems })
}

function answer(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof ServiceError) {
    if (error.cause !== undefined) request.log.warn({ err: error.cause }, error.message)
    return sendService(reply, error.code, error.details)
  }
  if (error instanceof NotFoundError) return sendText(reply, 404, error.message)
  if (error instanceof AuthenticationError) {
    if (error.statusCode === 401) reply.header('www-authenticate', 'Bearer')
    return sendJson(reply, error.statusCode, { message: error.message })
  }
  if (error instanceof ValidationError) return sendProblems(reply, error.problems)
  if (error.validation) {
    // A malformed id names no case: nothing can be found under it.
    if (error.validationContext === 'params') return sendText(reply, 404, 'Case not found')
    return sendProblems(reply, problemsOf(error))
  }
  if (error.code === HANDLER_TIMEOUT) return sendService(reply, 'TIMEOUT', {})
  const status = error.statusCode ?? 500
  // The framework's own refusals: a body too large, another media type.
  if (status >= 400 && status < 500) return sendJson(reply, status, { message: error.message })
  request.log.error({ err: error }, 'unexpected failure')
  return sendJson(reply, 500, { message: 'Internal Server Error' })
}

/** A path that leads nowhere, or that is no path at all. */
export function answerUnknownPath(reply: FastifyReply): FastifyReply {
  return sendText(reply, 404, 'Not found')
}

export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler<FastifyError>(answer)
  app.setNotFoundHandler((_request, reply) => answerUnknownPath(reply))
}
