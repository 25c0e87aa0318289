/** Webhooks of all cases of a tenant that were given up (decision 30). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { LISTED_STATES } from '../../domain/cases/webhook-attempts.ts'
import { stringEnum } from '../../domain/schema-parts.ts'
import { WebhookEventsAnswer } from '../../domain/contract/delivery-answers.ts'
import * as examples from '../../domain/contract/examples.ts'
import { ValidationError } from '../../domain/errors.ts'
import type { ApiDeps } from '../deps.ts'
import { problemsOf } from '../errors.ts'
import { listEndedWebhooks } from '../../application/webhooks/list-ended-webhooks.ts'
import { PAGE_QUERY } from '../paging.ts'
import { refusals, shownBy, TENANT_REFUSALS } from '../route-schemas.ts'
import { tenantRoute } from '../tenant-route.ts'

/**
 * A limit and a cursor have codes of their own.
 * @throws ValidationError
 */
function refuseOtherStates({ validationError }: FastifyRequest): void {
  const problems = problemsOf(validationError ?? {})
  const others = problems.filter(({ instancePath }) => !/^\/(limit|cursor)/.test(instancePath))
  if (others.length > 0) throw new ValidationError(others)
}

/** One state at a time, in order of occurrence. */
export const webhookEventRoutes =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    tenantRoute(app, deps)

    app.get(
      '/tenant/webhook-events',
      {
        attachValidation: true,
        schema: {
          operationId: 'listWebhookEvents',
          tags: ['webhooks'],
          summary: 'List the webhooks of all cases that were given up',
          security: [{ tenant: [] }],
          querystring: Type.Object({
            status: stringEnum(LISTED_STATES, {
              description: 'dead: after all attempts; failed: refused by the endpoint',
            }),
            ...PAGE_QUERY,
          }),
          response: {
            200: shownBy(
              WebhookEventsAnswer,
              examples.WEBHOOK_EVENTS_ANSWER,
              'A page of events, the first to occur first',
            ),
            ...refusals('validation', ...TENANT_REFUSALS, 'INVALID_LIMIT', 'INVALID_CURSOR'),
          },
        },
      },
      async (request) => {
        const { tenant, query } = request
        refuseOtherStates(request)
        return listEndedWebhooks({ tenant, status: query.status }, query, deps)
      },
    )
  }
