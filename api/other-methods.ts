/** A path that leads somewhere says which methods it takes (RFC 9110, 15.5.6; decision 152). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../domain/errors.ts'
import { answerUnknownPath } from './errors.ts'

/** @throws ServiceError METHOD_NOT_ALLOWED */
async function refuse(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  // `POST /cases/` means another path than `/cases/{caseId}`, and there is none.
  if (Object.values(request.params as object).includes('')) return answerUnknownPath(reply)
  reply.header('allow', request.routeOptions.config.allow)
  throw new ServiceError('METHOD_NOT_ALLOWED')
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The methods that the path takes, where this one is none of them. */
    allow?: string
  }
}

/**
 * Notes the paths of the routes that are declared from now on. @returns declares, on each of them,
 * the methods that no route takes: every caller gets 405 with `Allow` for these
 */
export function recordRoutes(app: FastifyInstance): () => void {
  const paths = new Set<string>()
  app.addHook('onRoute', ({ url }) => void paths.add(url))
  return () => {
    for (const url of [...paths]) {
      const taken = app.supportedMethods.filter((method) => app.hasRoute({ method, url }))
      app.route({
        method: app.supportedMethods.filter((method) => !taken.includes(method)),
        url,
        schema: { hide: true },
        config: { allow: taken.toSorted().join(', ') },
        // Before the body is read, which may be of any type and size.
        onRequest: refuse,
        handler: refuse,
      })
    }
  }
}
