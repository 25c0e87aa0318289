/** Answers 503 TIMEOUT when a request takes too long (specification 7). */
import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../domain/errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How long the route may take to begin its answer, when it is not as long as all others. */
    budgetMs?: number
  }
}

/**
 * Gives every route `budgetMs` to begin its answer. What the route does is not stopped.
 *
 * Fastify's own `handlerTimeout` ends with the request's stream: that is when a body has been read,
 * so that a route with a body never times out.
 */
export function limitTime(app: FastifyInstance, budgetMs: number): void {
  app.addHook('onRequest', (request, reply, done) => {
    const answerTimeout = () => {
      if (!reply.raw.headersSent && !reply.sent) reply.send(new ServiceError('TIMEOUT'))
    }
    const timer = setTimeout(answerTimeout, request.routeOptions.config.budgetMs ?? budgetMs)
    reply.raw.on('close', () => clearTimeout(timer))
    done()
  })
}
