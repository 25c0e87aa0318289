/**
 * Lets only participants with a link that leads somewhere into the routes of a plugin (design 6).
 */
import { Buffer } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { assertOpenToParticipants, isLinkActive } from '../domain/cases/refusals.ts'
import { authenticateParticipant, refuseInactiveLink } from './authentication.ts'
import type { ApiDeps } from './deps.ts'
import { participantOf, readCase } from '../application/cases/read-case.ts'
import type { ParticipantRequest, Visit } from '../application/cases/participant-request.ts'
import { TRACE_ANNOTATION } from '../domain/ports/tracing.ts'
import { logIds } from './logging.ts'
import { originOf } from './origin.ts'
import { assertMayBeEmbedded, embeddingOriginOf } from './embedding.ts'
import { throttlePublic } from './throttle.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route also answers after the end of the case, without content of the document. */
    isOpenAfterEnd?: boolean
  }
  interface FastifyRequest {
    /** Set on participants' routes alone. */
    visit: Visit
  }
}

/**
 * Refuses in the order 401 token, 404, 401 while NEW, 403 of a frame, 410.
 * @throws AuthenticationError, NotFoundError, ServiceError EMBEDDING_NOT_ALLOWED, CASE_NOT_ACTIVE,
 *   LINK_EXPIRED
 */
async function readVisit(request: FastifyRequest, deps: ApiDeps): Promise<Visit> {
  const { participantId, ...key } = await authenticateParticipant(request, deps)
  logIds(request, key)
  const seen = await readCase(key, deps)
  // The request of a person has a trace of its own.
  request.span?.link(seen.signatureCase.metadata.annotations?.[TRACE_ANNOTATION] ?? '')
  const participant = participantOf(seen, { participantId })
  if (!isLinkActive(seen.view)) refuseInactiveLink()
  await assertMayBeEmbedded(request, key.tenant, deps)
  if (request.routeOptions.config.isOpenAfterEnd) return { seen, participant }
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

const SESSION_HEADER = 'service-otp-session'
const PIN_HEADER = 'service-pin'

/** Browsers and tools send what is beyond Latin-1 as UTF-8; Node reads all of it as Latin-1. */
function headerText({ headers }: FastifyRequest, name: string): string {
  const value = headers[name]
  const octets = Buffer.from(typeof value === 'string' ? value : '', 'latin1')
  const text = octets.toString('utf8')
  return text.includes('\ufffd') ? octets.toString('latin1') : text
}

/** What a request on a participant's route brings to a use case. */
export const participantRequestOf = (request: FastifyRequest): ParticipantRequest => ({
  visit: request.visit,
  origin: originOf(request),
  session: headerText(request, SESSION_HEADER),
  pin: headerText(request, PIN_HEADER).trim(),
  embeddingOrigin: embeddingOriginOf(request),
  isReadOnly: request.method === 'HEAD',
})
