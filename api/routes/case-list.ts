/** `GET /cases`: a tenant's own cases, beyond the specification (decision 52). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { PHASES } from '../../domain/cases/status.ts'
import { stringEnum } from '../../domain/schema-parts.ts'
import { CasesAnswer } from '../../domain/contract/answers.ts'
import { CASES_ANSWER } from '../../domain/contract/examples.ts'
import { abortWhenAnswered } from '../answer-signal.ts'
import { PAGE_QUERY } from '../paging.ts'
import { presentCases, type ListingDeps } from '../present/cases.ts'
import { refusals, shownBy, TENANT_REFUSALS } from '../route-schemas.ts'
import { tenantRoute } from '../tenant-route.ts'

const QUERY = Type.Object({
  ...PAGE_QUERY,
  status: Type.Optional(stringEnum(PHASES, { description: 'Only cases that read so now' })),
})

/** Without links to documents: a page would mint hundreds. */
export const caseListRoutes =
  (deps: ListingDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    tenantRoute(app, deps)

    app.get(
      '/cases',
      {
        attachValidation: true,
        schema: {
          operationId: 'listCases',
          tags: ['cases'],
          summary: 'List the cases, in order of their ids',
          security: [{ tenant: [] }],
          querystring: QUERY,
          response: {
            200: shownBy(
              CasesAnswer,
              CASES_ANSWER,
              'A page of cases without links to their documents. With `status` it may have fewer ' +
                'than `limit`, also none: go on while there is a `nextCursor`',
            ),
            ...refusals('validation', ...TENANT_REFUSALS, 'INVALID_LIMIT', 'INVALID_CURSOR'),
          },
        },
      },
      async ({ query: { status, limit, cursor }, tenant }, reply) => {
        const caller = { tenant, awaited: abortWhenAnswered(reply) }
        return presentCases(caller, { status, limit, cursor }, deps)
      },
    )
  }
