/** How the webhooks of a case fared, and redelivery of one (decision 31). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { redeliveryRound, roundsOf } from '../../domain/cases/deliveries.ts'
import { DeliveryLog } from '../../application/webhooks/delivery-log.ts'
import { owedWebhooks } from '../../domain/cases/webhooks.ts'
import { DeliveriesAnswer, DeliveryAnswer } from '../../domain/contract/answers.ts'
import * as examples from '../../domain/contract/examples.ts'
import { CASE_BELL } from '../../domain/ports/ephemeral.ts'
import type { ApiDeps } from '../deps.ts'
import { NotFoundError } from '../errors.ts'
import { listDeliveries, readEvents } from '../../application/webhooks/list-deliveries.ts'
import { presentDelivery, type LoggedEvent } from '../present/delivery.ts'
import { readCase } from '../../application/cases/read-case.ts'
import {
  BODY_REFUSALS,
  CASE_PARAMS,
  DELIVERY_PARAMS,
  refusals,
  shownBy,
  TENANT_REFUSALS,
} from '../route-schemas.ts'
import { tenantRoute } from '../tenant-route.ts'

/**
 * A round that is asked for is noted here and begun by the controller; the bell only hastens it.
 */
export const deliveryRoutes =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { objects, deliveryTimes, ephemeral, now } = deps
    const log = new DeliveryLog(objects)
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
      async ({ tenant, params }) => listDeliveries({ tenant, caseId: params.caseId }, deps),
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
        const { tenant, params } = request
        const { key, signatureCase, accepted, view } = await readCase(
          { tenant, caseId: params.caseId },
          deps,
        )
        const eventId = params.eventId.toLowerCase()
        const event = owedWebhooks(signatureCase, accepted).find((one) => one.eventId === eventId)
        // The log of an erased case is gone, and so is what a webhook would link to.
        if (!event || view.isErased) throw new NotFoundError('Event')
        const [logged = { event, attempts: [] }] = await readEvents(key, [event], log)
        const round = redeliveryRound(roundsOf(logged, deliveryTimes, now().getTime()))
        await log.request(key, { eventId, round }, now())
        await ephemeral.ring(CASE_BELL, JSON.stringify(key)).catch((error: unknown) => {
          request.log.warn({ err: error }, 'the bell could not be rung')
        })
        const open: LoggedEvent = { ...logged, askedRound: round }
        return reply.code(202).send(presentDelivery(open, deliveryTimes, now().getTime()))
      },
    )
  }
