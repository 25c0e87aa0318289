/** Schemas of the responses about webhooks (decision 30). */
import { Type, type Static } from '@sinclair/typebox'
import { ATTEMPT_KINDS, DELIVERY_STATES, LISTED_STATES } from '../cases/webhook-attempts.ts'
import { WEBHOOK_TYPES } from '../cases/webhooks.ts'
import { stringEnum, timestamp, uuid } from '../schema-parts.ts'
import { nextCursor, optional, string } from './answer-parts.ts'

const AttemptAnswer = Type.Object(
  {
    deliveryId: uuid('`Service-Delivery` of the request'),
    round: Type.Integer({ description: '1, plus 1 for each redelivery' }),
    kind: stringEnum(ATTEMPT_KINDS, {
      description: 'resend: sent again at once with a new access token after a 401; not counted',
    }),
    startedAt: timestamp('When the request was sent'),
    durationMs: optional(Type.Number({ description: 'Duration in milliseconds' })),
    statusCode: optional(Type.Integer({ description: 'HTTP status; absent without an answer' })),
    error: optional(string('Why there was no answer, such as `timeout` or `tls-failed`')),
  },
  { description: 'One request of a webhook' },
)

const webhookEvent = {
  eventId: uuid('`id` of the webhook, the same for every attempt'),
  type: stringEnum(WEBHOOK_TYPES, { description: 'Type of the webhook' }),
  occurredAt: timestamp('When the event happened'),
  participantId: optional(string('Participant who signed; set with participant-signed')),
}

export const DeliveryAnswer = Type.Object(
  {
    ...webhookEvent,
    state: stringEnum(DELIVERY_STATES, {
      description:
        'pending: attempts continue; delivered: your endpoint answered 2xx; failed: it refused ' +
        'the webhook; dead: all attempts failed',
    }),
    endedAt: optional(timestamp('When the last attempt ended; absent while pending')),
    nextAttemptAt: optional(timestamp('When the next attempt is due')),
    attempts: Type.Array(AttemptAnswer, {
      description: 'Attempts in order; the service keeps them for 90 days',
    }),
  },
  { description: 'A webhook of a case and its delivery' },
)
export type DeliveryAnswer = Static<typeof DeliveryAnswer>

export const DeliveriesAnswer = Type.Object(
  { deliveries: Type.Array(DeliveryAnswer, { description: 'Every webhook of the case' }) },
  { description: 'The webhooks of a case' },
)

const WebhookEventAnswer = Type.Object(
  {
    ...webhookEvent,
    caseId: uuid('Case of the webhook'),
    state: stringEnum(LISTED_STATES, { description: 'How the delivery ended' }),
    endedAt: timestamp('When the last attempt ended'),
  },
  { description: 'A webhook that was not delivered' },
)

export const WebhookEventsAnswer = Type.Object(
  {
    events: Type.Array(WebhookEventAnswer, { description: 'Webhooks in order of occurrence' }),
    nextCursor: nextCursor(),
  },
  { description: 'A page of webhooks that were not delivered' },
)

/** The schemas of this file by the names that the OpenAPI document gives them. */
export const DELIVERY_SCHEMAS = {
  Delivery: DeliveryAnswer,
  DeliveryAttempt: AttemptAnswer,
  DeliveryList: DeliveriesAnswer,
  WebhookEvent: WebhookEventAnswer,
  WebhookEventList: WebhookEventsAnswer,
} as const
