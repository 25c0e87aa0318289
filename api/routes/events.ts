/** The audit trail of a case, newest first (specification 4.4). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { eventOf, type AuditEntry } from '../../domain/audit/entry.ts'
import { EventsAnswer } from '../../domain/contract/answers.ts'
import { EVENTS_ANSWER } from '../../domain/contract/examples.ts'
import { sealCursor } from '../../domain/cursor.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import type { ApiDeps } from '../deps.ts'
import { limitOf, PAGE_QUERY, positionOf } from '../paging.ts'
import { readCase, recordEvents } from '../read-case.ts'
import { CASE_PARAMS, refusals, shownBy, TENANT_REFUSALS } from '../route-schemas.ts'
import { tenantRoute } from '../tenant-route.ts'

export const eventRoutes =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { trail, keyring } = deps
    tenantRoute(app, deps)

    const present = async (key: CaseKey, entry: AuditEntry) =>
      eventOf(entry, await trail.opening(key, entry.eventId))

    app.get(
      '/cases/:caseId/events',
      {
        attachValidation: true,
        schema: {
          operationId: 'listEvents',
          tags: ['cases'],
          summary: 'Read the audit trail of a case, newest first',
          security: [{ tenant: [] }],
          params: CASE_PARAMS,
          querystring: Type.Object(PAGE_QUERY),
          response: {
            200: shownBy(EventsAnswer, EVENTS_ANSWER, 'A page of events, the newest first'),
            ...refusals(...TENANT_REFUSALS, 'not-found', 'INVALID_LIMIT', 'INVALID_CURSOR'),
          },
        },
      },
      async (request) => {
        const { params, query, tenant } = request
        const seen = await readCase({ tenant, caseId: params.caseId }, deps)
        const limit = limitOf(query)
        await recordEvents(seen, [], deps)
        const entries = await trail.entries(seen.key)
        const listing = ['events', seen.key.tenant, seen.key.caseId]
        const end = positionOf<number>(query, listing, keyring) ?? entries.length
        const page = entries.slice(Math.max(end - limit, 0), end).reverse()
        const oldest = page.at(-1)
        return {
          events: await Promise.all(page.map((entry) => present(seen.key, entry))),
          ...(oldest && oldest.sequence > 1
            ? { nextCursor: sealCursor(keyring, listing, oldest.sequence - 1) }
            : {}),
        }
      },
    )
  }
