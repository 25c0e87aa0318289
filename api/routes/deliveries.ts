/** How the webhooks of a case fared, and redelivery of one (decision 30). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { DeliveriesAnswer, DeliveryAnswer } from '../../domain/contract/delivery-answers.ts'
import * as examples from '../../domain/contract/examples.ts'
import type { ApiDeps } from '../deps.ts'
import { listDeliveries } from '../../application/webhooks/list-deliveries.ts'
import { redeliver } from '../../application/webhooks/redeliver.ts'
import { presentDeliveries, presentDelivery } from '../present/delivery.ts'
import {
  BODY_REFUSALS,
  CASE_PARAMS,
  DELIVERY_PARAMS,
  refusals,
  shownBy,
  TENANT_REFUSALS,
} from '../route-schemas.ts'
import { tenantRoute } from '../tenant-route.ts'

/** Reads the delivery log of a case, and asks for redeliveries. */
export const deliveryRoutes =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    tenantRoute(app, deps)

    app.get(
      '/cases/:caseId/deliveries',
      {
        schema: {
          operationId: 'listDeliveries',
          tags: ['webhooks'],
          summary: 'Read how the webhooks of a case fared',
          security: [{ tenant: [] }],
          params: CASE_PARAMS,
          response: {
            200: shownBy(DeliveriesAnswer, examples.DELIVERIES_ANSWER, 'Every webhook of the case'),
            ...refusals(...TENANT_REFUSALS, 'not-found'),
          },
        },
      },
      async ({ tenant, params: { caseId } }) =>
        presentDeliveries(await listDeliveries({ tenant, caseId }, deps), deps),
    )

    app.post(
      '/cases/:caseId/deliveries/:eventId/redeliver',
      {
        schema: {
          operationId: 'redeliver',
          tags: ['webhooks'],
          summary: 'Deliver a webhook again that has been delivered or given up',
          security: [{ tenant: [] }],
          params: DELIVERY_PARAMS,
          response: {
            202: shownBy(DeliveryAnswer, examples.REDELIVERY_ANSWER, 'It will be delivered again'),
            ...refusals(
              ...BODY_REFUSALS,
              ...TENANT_REFUSALS,
              'not-found',
              'WEBHOOK_PENDING',
              'REDELIVERIES_EXHAUSTED',
            ),
          },
        },
      },
      async (request, reply) => {
        const { tenant, params, log } = request
        const open = await redeliver({ tenant, ...params }, deps, (err) =>
          log.warn({ err }, 'the controller could not be notified'),
        )
        return reply.code(202).send(presentDelivery(open, deps.deliveryTimes, deps.now().getTime()))
      },
    )
  }
