/** Webhooks of all cases of a tenant that were given up (decision 31). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { DeliveryLog, LISTED_STATES } from '../../application/webhooks/delivery-log.ts'
import { stringEnum } from '../../domain/schema-parts.ts'
import { WebhookEventsAnswer } from '../../domain/contract/answers.ts'
import * as examples from '../../domain/contract/examples.ts'
import { sealCursor } from '../../domain/cursor.ts'
import { ValidationError } from '../../domain/errors.ts'
import type { ApiDeps } from '../deps.ts'
import { problemsOf } from '../errors.ts'
import { limitOf, PAGE_QUERY, positionOf } from '../paging.ts'
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
    const log = new DeliveryLog(deps.objects)
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
        const { status } = query
        const limit = limitOf(query)
        const listing = ['webhook-events', tenant, status]
        const after = positionOf<string>(query, listing, deps.keyring)
        // One more tells whether there is another page.
        const found = await log.ended(tenant, status, {
          limit: limit + 1,
          ...(after === undefined ? {} : { after }),
        })
        const page = found.slice(0, limit)
        const last = found.length > limit ? page.at(-1) : undefined
        return {
          events: page.map(({ event }) => ({ ...event, state: status })),
          ...(last ? { nextCursor: sealCursor(deps.keyring, listing, last.name) } : {}),
        }
      },
    )
  }
