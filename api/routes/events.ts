/** The audit trail of a case, newest first (specification 4.4). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { EventsAnswer } from '../../domain/contract/answers.ts'
import { EVENTS_ANSWER } from '../../domain/contract/examples.ts'
import type { ApiDeps } from '../deps.ts'
import { listEvents } from '../../application/audit/list-events.ts'
import { PAGE_QUERY } from '../paging.ts'
import { CASE_PARAMS, refusals, shownBy, TENANT_REFUSALS } from '../route-schemas.ts'
import { tenantRoute } from '../tenant-route.ts'

/** What the case shows already is in the trail before it is read. */
export const eventRoutes =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    tenantRoute(app, deps)

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
            200: shownBy(
              EventsAnswer,
              EVENTS_ANSWER,
              'Events, the last recorded first; `occurredAt` never runs backwards in the trail',
            ),
            ...refusals(...TENANT_REFUSALS, 'not-found', 'INVALID_LIMIT', 'INVALID_CURSOR'),
          },
        },
      },
      async (request) => {
        const { params, query, tenant, method } = request
        return listEvents({ tenant, caseId: params.caseId }, query, deps, method === 'HEAD')
      },
    )
  }
