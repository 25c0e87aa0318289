/** Webhooks of all cases of a tenant that were given up (decision 31). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { Buffer } from 'node:buffer'
import { DeliveryLog, LISTED_STATES, type ListedState } from '../../domain/cases/delivery-log.ts'
import { stringEnum } from '../../domain/cases/schema.ts'
import { WebhookEventsAnswer } from '../../domain/contract/answers.ts'
import * as examples from '../../domain/contract/examples.ts'
import { ServiceError, ValidationError } from '../../domain/errors.ts'
import type { ApiDeps } from '../deps.ts'
import { problemsOf } from '../errors.ts'
import { limitOf, PAGE_QUERY } from '../paging.ts'
import { refusals, shownBy, TENANT_REFUSALS } from '../route-schemas.ts'
import { tenantRoute } from '../tenant-route.ts'

const PLACE = /^\d{15}-[0-9a-f-]{36}$/

/** A cursor names a list and the last event of a page of it. */
const encodeCursor = (state: ListedState, name: string) =>
  Buffer.from(`${state}/${name}`).toString('base64url')

/** @throws ServiceError INVALID_CURSOR */
function placeOf(state: ListedState, cursor: unknown): { after?: string } {
  if (cursor === undefined) return {}
  const [list, name = ''] = Buffer.from(String(cursor), 'base64url').toString().split('/')
  const isOurs = list === state && PLACE.test(name) && encodeCursor(state, name) === cursor
  if (!isOurs) throw new ServiceError('INVALID_CURSOR')
  return { after: name }
}

/**
 * A limit and a cursor have codes of their own.
 * @throws ValidationError
 */
function refuseOtherStates({ validationError }: FastifyRequest): void {
  const problems = problemsOf(validationError ?? {})
  const others = problems.filter(({ instancePath }) => !/^\/(limit|cursor)/.test(instancePath))
  if (others.length > 0) throw new ValidationError(others)
}

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
        const place = placeOf(status, query.cursor)
        // One more tells whether there is another page.
        const found = await log.ended(tenant, status, { limit: limit + 1, ...place })
        const page = found.slice(0, limit)
        const last = found.length > limit ? page.at(-1) : undefined
        return {
          events: page.map(({ event }) => ({ ...event, state: status })),
          ...(last ? { nextCursor: encodeCursor(status, last.name) } : {}),
        }
      },
    )
  }
