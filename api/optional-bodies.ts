/** A body of which nothing is required may be left out; the OpenAPI document says so, too. */
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Whether requests may leave out a body with this schema. */
export const isOptional = ({ required }: { required?: unknown }): boolean => required === undefined

/** `null` is a body, and a wrong one. */
async function setEmptyBody(request: FastifyRequest): Promise<void> {
  if (request.body === undefined) request.body = {}
}

/** Gives the routes that are declared from now on an empty object for an optional body. */
export function acceptAbsentBodies(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const body = route.schema?.body as object | undefined
    if (body === undefined || !isOptional(body)) return
    route.preValidation = [setEmptyBody, ...[route.preValidation ?? []].flat()]
  })
}
