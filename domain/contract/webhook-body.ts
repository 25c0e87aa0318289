/** Schema and examples of a webhook request (specification 6.2). */
import { Type, type Static } from '@sinclair/typebox'
import { PHASES } from '../cases/status.ts'
import { WEBHOOK_TYPES, type WebhookType } from '../cases/webhooks.ts'
import { stringEnum, timestamp, uuid } from '../schema-parts.ts'
import { optional, string } from './answer-parts.ts'
import { CASE_ID, JANA_ID, presigned } from './examples.ts'

const WebhookDocument = Type.Object(
  { url: string('Presigned link for a download without a token, valid for one hour') },
  { description: 'A document of the case' },
)

export const WebhookBody = Type.Object(
  {
    id: uuid('Id of the event, the same for every attempt: use it to drop duplicates'),
    type: stringEnum(WEBHOOK_TYPES, { description: 'Type of the event, as in `Service-Event`' }),
    occurredAt: timestamp('When the event happened'),
    tenantId: string('Id of the tenant'),
    caseId: uuid('Id of the case'),
    status: stringEnum(PHASES, { description: 'Status of the case at the time of this attempt' }),
    data: optional(
      Type.Object(
        {},
        { additionalProperties: true, description: '`callback.data` of the case, unchanged' },
      ),
    ),
    participantId: optional(uuid('The participant who signed; set with participant-signed')),
    signedDocument: optional({
      ...WebhookDocument,
      description: 'The signed PDF, once the case is DONE; downloads as `<title>-signed.pdf`',
    }),
    evidenceDocument: optional({
      ...WebhookDocument,
      description: 'The evidence; comes with `signedDocument`',
    }),
  },
  { description: 'Body of a webhook' },
)
export type WebhookBody = Static<typeof WebhookBody>

const example = (type: WebhookType, more: Partial<WebhookBody>): WebhookBody => ({
  id: '0b8a4c55-62f7-5d5e-8d0b-6f0f8a1c7e11',
  type,
  occurredAt: '2026-11-02T09:14:07.512Z',
  tenantId: 'acme',
  caseId: CASE_ID,
  status: 'IN_PROGRESS',
  data: { contract: '2026/118' },
  ...more,
})

/** A body of each type. */
export const WEBHOOK_EXAMPLES: Readonly<Record<WebhookType, WebhookBody>> = {
  'participant-signed': example('participant-signed', { participantId: JANA_ID }),
  'case-completed': example('case-completed', {
    status: 'DONE',
    signedDocument: { url: presigned('outcome') },
    evidenceDocument: { url: presigned('evidence.pdf') },
  }),
  'case-failed': example('case-failed', { status: 'FAILED' }),
  'case-expired': example('case-expired', { status: 'EXPIRED' }),
  'case-cancelled': example('case-cancelled', { status: 'CANCELLED' }),
}

/** The schemas of this file by the names that the OpenAPI document gives them. */
export const WEBHOOK_SCHEMAS = { WebhookBody, WebhookDocument } as const
