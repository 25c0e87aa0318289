/** `GET /cases`: a tenant's own cases, beyond the specification (decision 52). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { PHASES, stringEnum, type Phase } from '../../domain/cases/schema.ts'
import { CasesAnswer } from '../../domain/contract/answers.ts'
import { CASES_ANSWER } from '../../domain/contract/examples.ts'
import { ValidationError } from '../../domain/errors.ts'
import type { ApiDeps } from '../deps.ts'
import { listCases } from '../list-cases.ts'
import { limitOf, PAGE_QUERY } from '../paging.ts'
import { presentListedCase } from '../present/case.ts'
import { refusals, shownBy, TENANT_REFUSALS } from '../route-schemas.ts'
import { tenantRoute } from '../tenant-route.ts'

const QUERY = Type.Object({
  ...PAGE_QUERY,
  status: Type.Optional(stringEnum(PHASES, { description: 'Only cases that read so now' })),
})

/** Not validated by the schema, so that `limit` and `cursor` keep codes of their own. */
function statusOf({ status }: { status?: unknown }): { status?: Phase } {
  if (status === undefined) return {}
  const known = PHASES.find((phase) => phase === status)
  if (known) return { status: known }
  const params = { allowedValues: PHASES }
  const message = 'must be equal to one of the allowed values'
  throw new ValidationError([{ instancePath: '/status', keyword: 'enum', params, message }])
}

export const caseListRoutes =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
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
      async ({ query, tenant }) => {
        const { cursor } = query
        const asked = { tenant, limit: limitOf(query), ...statusOf(query), cursor }
        const { cases, ...more } = await listCases(asked, deps)
        return {
          cases: await Promise.all(cases.map((seen) => presentListedCase(seen, deps))),
          ...more,
        }
      },
    )
  }
