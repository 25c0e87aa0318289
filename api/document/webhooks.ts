/** The webhooks of the OpenAPI document: requests that the service sends to the tenant. */
import type { WebhookType } from '../../domain/cases/webhooks.ts'
import { WEBHOOK_EXAMPLES, WebhookBody } from '../../domain/contract/webhook-body.ts'
import { MAXIMUM_WEBHOOK_ATTEMPTS } from '../../domain/limits.ts'

const TEXTS: Readonly<Record<WebhookType, { summary: string; when: string }>> = {
  'participant-signed': { summary: 'A participant signed', when: 'A participant signed.' },
  'case-completed': {
    summary: 'Everyone signed',
    when: 'Everyone signed and the signed PDF is ready: the case is DONE.',
  },
  'case-failed': {
    summary: 'The document could not be signed',
    when: 'Everyone signed, but the document could not be signed: the case is FAILED.',
  },
  'case-expired': {
    summary: 'The case expired',
    when: '`validUntil` passed before everyone signed: the case is EXPIRED.',
  },
  'case-cancelled': {
    summary: 'The case was cancelled',
    when: 'The tenant cancelled the case: the case is CANCELLED.',
  },
}

const COMMON =
  'The service POSTs this event to `callback.url` of the case. Verify `Service-Signature` over ' +
  'the raw body before you parse it, answer 2xx within 10 seconds, and do the work afterwards. ' +
  'Drop events whose `id` you know, and do not rely on the order.'

interface Header {
  name: string
  description: string
  example: string
  isRequired: boolean
  /** Whether the header carries a UUID. */
  isUuid?: boolean
}

const headersOf = (type: WebhookType): readonly Header[] => [
  { name: 'Service-Event', description: 'Type of the event', example: type, isRequired: true },
  {
    name: 'Service-Delivery',
    description: 'Id of this attempt, new for every attempt',
    example: '6f1f7b0e-7c1c-5b0e-9c55-2b0a7f3d4e01',
    isRequired: true,
    isUuid: true,
  },
  {
    name: 'Service-Signature',
    description:
      '`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `t`, a dot and the raw body, with ' +
      '`callback.signingSecret` as key. Compare in constant time, and refuse a `t` that differs ' +
      'by more than 300 seconds from your clock. Absent without a signing secret',
    example: `t=1793610847,v1=${'ae6ba85a'.repeat(8)}`,
    isRequired: false,
  },
  {
    name: 'webhook-id',
    description: '`id` of the event (Standard Webhooks)',
    example: WEBHOOK_EXAMPLES[type].id,
    isRequired: true,
    isUuid: true,
  },
  {
    name: 'webhook-timestamp',
    description: 'Time of this attempt in Unix seconds (Standard Webhooks)',
    example: '1793610847',
    isRequired: true,
  },
  {
    name: 'webhook-signature',
    description: '`v1,<base64>`: signature of Standard Webhooks. Absent without a signing secret',
    example: 'v1,T0urpS0+6zWVtQFePDLvJ5NeeDVzqTMmEYXbaBLZC3U=',
    isRequired: false,
  },
  {
    name: 'traceparent',
    description:
      'The attempt in the trace of the case (W3C Trace Context). Absent if the service exports ' +
      'no traces',
    example: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    isRequired: false,
  },
]

const parameterOf = ({ name, description, example, isRequired, isUuid }: Header) => ({
  name,
  in: 'header',
  description,
  required: isRequired,
  schema: { type: 'string', ...(isUuid ? { format: 'uuid' } : {}) },
  example,
})

const answer = (description: string) => ({ description })

/** What the service does after each answer of the endpoint. */
const RESPONSES = {
  '2XX': answer('Delivered.'),
  '401': answer(
    'With OAUTH_CLIENT_CREDENTIALS, the service sends the webhook once more with a new token. ' +
      'Otherwise the delivery failed.',
  ),
  '408': answer('Retried like 5XX.'),
  '429': answer('Retried like 5XX.'),
  '5XX': answer(
    `Retried every 90 seconds. After ${MAXIMUM_WEBHOOK_ATTEMPTS} attempts the event is dead.`,
  ),
  default: answer('The delivery failed and is not retried. Redirects are not followed.'),
}

const operationIdOf = (type: WebhookType) =>
  type.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())

const webhookOf = (type: WebhookType) => ({
  post: {
    operationId: `on${operationIdOf(type)}`,
    tags: ['Webhooks'],
    summary: TEXTS[type].summary,
    description: `${TEXTS[type].when} ${COMMON}`,
    security: [],
    parameters: headersOf(type).map(parameterOf),
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: WebhookBody, example: WEBHOOK_EXAMPLES[type] },
      },
    },
    responses: RESPONSES,
  },
})

/** Adds the five webhooks of specification 6.2. */
export function withWebhooks<D extends object>(document: D): D {
  const types = Object.keys(TEXTS) as WebhookType[]
  const webhooks = Object.fromEntries(types.map((type) => [type, webhookOf(type)]))
  return { ...document, webhooks }
}
