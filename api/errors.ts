/** The one place where an error becomes an answer (specification 7). */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ERRORS, ServiceError, ValidationError, type ErrorCode } from '../domain/errors.ts'

/** No such case or participant; answered as plain text. */
export class NotFoundError extends Error {
  override readonly name = 'NotFoundError'

  constructor(what: 'Case' | 'Participant') {
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
export function problemsOf(error: Pick<FastifyError, 'validation'>) {
  return (error.validation ?? []).map(({ instancePath, keyword, params, message = '' }) => ({
    instancePath,
    keyword,
    params,
    message,
  }))
}

function sendService(reply: FastifyReply, code: ErrorCode, details: object): FastifyReply {
  const { status, message } = ERRORS[code]
  return reply.code(status).send({ code, message, ...details })
}

function sendText(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).type('text/plain; charset=utf-8').serializer(String).send(text)
}

function answer(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof ServiceError) {
    if (error.cause !== undefined) request.log.warn({ err: error.cause }, error.message)
    return sendService(reply, error.code, error.details)
  }
  if (error instanceof NotFoundError) return sendText(reply, 404, error.message)
  if (error instanceof AuthenticationError) {
    if (error.statusCode === 401) reply.header('www-authenticate', 'Bearer')
    return reply.code(error.statusCode).send({ message: error.message })
  }
  if (error instanceof ValidationError) {
    return reply.code(400).send({ message: error.message, validationErrors: error.problems })
  }
  if (error.validation) {
    // A malformed id names no case: nothing can be found under it.
    if (error.validationContext === 'params') return sendText(reply, 404, 'Case not found')
    return reply
      .code(400)
      .send({ message: 'Validation failed', validationErrors: problemsOf(error) })
  }
  if (error.code === HANDLER_TIMEOUT) return sendService(reply, 'TIMEOUT', {})
  const status = error.statusCode ?? 500
  // Fastify's own refusals: malformed JSON, a body too large, another media type.
  if (status >= 400 && status < 500) return reply.code(status).send({ message: error.message })
  request.log.error({ err: error }, 'unexpected failure')
  return reply.code(500).send({ message: 'Internal Server Error' })
}

export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler<FastifyError>(answer)
  app.setNotFoundHandler((_request, reply) => sendText(reply, 404, 'Not found'))
}
