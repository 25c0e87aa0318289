/**
 * Lets only participants with a link that leads somewhere into the routes of a plugin (design 6).
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ParticipantView } from '../domain/cases/lifecycle.ts'
import { assertOpenToParticipants, isLinkActive } from '../domain/cases/refusals.ts'
import { authenticateParticipant, refuseInactiveLink } from './authentication.ts'
import type { ApiDeps } from './deps.ts'
import { participantOf, readCase, type SeenCase } from '../application/cases/read-case.ts'
import { throttlePublic } from './throttle.ts'

/** The case and the participant whose link was used, as they were when the request came. */
export interface Visit {
  seen: SeenCase
  participant: ParticipantView
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on participants' routes alone. */
    visit: Visit
  }
}

/**
 * Refuses in the order 401 token, 404, 401 while NEW, 410.
 * @throws AuthenticationError, NotFoundError, ServiceError CASE_NOT_ACTIVE, LINK_EXPIRED
 */
async function readVisit(request: FastifyRequest, deps: ApiDeps): Promise<Visit> {
  const { participantId, ...key } = await authenticateParticipant(request, deps)
  const seen = await readCase(key, deps)
  const participant = participantOf(seen, { participantId })
  if (!isLinkActive(seen.view)) refuseInactiveLink()
  const { definition } = seen.signatureCase.spec
  assertOpenToParticipants(seen.view, definition, deps.now().getTime())
  return { seen, participant }
}

/** Throttles the routes of the plugin, and sets `request.visit` before a body is read. */
export function participantRoute(app: FastifyInstance, deps: ApiDeps): void {
  app.decorateRequest('visit')
  throttlePublic(app, deps)
  app.addHook('onRequest', async (request) => {
    request.visit = await readVisit(request, deps)
  })
}
