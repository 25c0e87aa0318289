/** Lets only tenants with a valid token into the routes of a plugin, before anything is parsed. */
import type { FastifyInstance } from 'fastify'
import { authenticateTenant } from './authentication.ts'
import type { ApiDeps } from './deps.ts'
import { caseIdInPath, logIds } from './logging.ts'
import { countingGuesses, countTenant } from './throttle.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose token was presented; set on tenants' routes alone. */
    tenant: string
  }
}

/** Sets `request.tenant` for every route of the plugin, and throttles them. */
export function tenantRoute(app: FastifyInstance, deps: ApiDeps): void {
  app.decorateRequest('tenant', '')
  app.addHook('onRequest', async (request) => {
    request.tenant = await countingGuesses(request, deps, () => authenticateTenant(request, deps))
    const caseId = caseIdInPath(request)
    logIds(request, { tenant: request.tenant, ...(caseId === undefined ? {} : { caseId }) })
    await countTenant(request, deps)
  })
}
