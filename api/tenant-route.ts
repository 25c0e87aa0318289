/** Lets only tenants with a valid token into the routes of a plugin, before anything is parsed. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { authenticateTenant } from './authentication.ts'
import type { ApiDeps } from './deps.ts'
import { AuthenticationError } from './errors.ts'
import { countPublic, throttleTenant } from './throttle.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose token was presented; empty on routes that are not a tenant's. */
    tenant: string
  }
}

/** Guesses of tokens count for the address that they come from. @throws as its two parts do */
async function identify(request: FastifyRequest, deps: ApiDeps): Promise<string> {
  try {
    return await authenticateTenant(request, deps)
  } catch (error) {
    if (error instanceof AuthenticationError) await countPublic(request, deps)
    throw error
  }
}

/** Sets `request.tenant` for every route of the plugin, and throttles them. */
export function tenantRoute(app: FastifyInstance, deps: ApiDeps): void {
  app.decorateRequest('tenant', '')
  app.addHook('onRequest', async (request) => {
    request.tenant = await identify(request, deps)
  })
  throttleTenant(app, deps)
}
