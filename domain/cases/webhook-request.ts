/** Body and headers of a webhook request (specification 5.6 and 6.2). */
import { Buffer } from 'node:buffer'
import { createHmac } from 'node:crypto'
import type { CaseSecrets } from '../ports/secret-store.ts'
import type { Callback } from './definition.ts'
import type { SignatureCase } from './signature-case.ts'
import type { Phase } from './status.ts'
import type { DueWebhook, WebhookType } from './webhooks.ts'

/** Presigned URLs of both documents, once the case is DONE. */
export interface DocumentLinks {
  signed: string
  evidence: string
}

/** The body of specification 6.2. */
export interface WebhookBody {
  id: string
  type: WebhookType
  occurredAt: string
  tenantId: string
  caseId: string
  status: Phase
  data?: unknown
  participantId?: string
  signedDocument?: { url: string }
  evidenceDocument?: { url: string }
}

/**
 * @param phase current phase of the case
 * @param links absent unless the case is DONE
 */
export function webhookBody(
  { eventId, type, occurredAt, participantId }: DueWebhook,
  { metadata, spec }: SignatureCase,
  phase: Phase,
  links?: DocumentLinks,
): WebhookBody {
  const { data } = spec.definition.callback ?? {}
  return {
    id: eventId,
    type,
    occurredAt,
    tenantId: metadata.namespace,
    caseId: metadata.name,
    status: phase,
    ...(data === undefined ? {} : { data: JSON.parse(data) as unknown }),
    ...(participantId === undefined ? {} : { participantId }),
    ...(links
      ? { signedDocument: { url: links.signed }, evidenceDocument: { url: links.evidence } }
      : {}),
  }
}

/** Returns `t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `t`, a dot and the raw body. */
export function serviceSignature(secret: string, seconds: number, body: string): string {
  const hmac = createHmac('sha256', secret).update(`${seconds}.${body}`)
  return `t=${seconds},v1=${hmac.digest('hex')}`
}

/**
 * Returns the signature of the Standard Webhooks specification, version 1: HMAC-SHA256 over id,
 * time and body. The key is the octets of the signing secret, as in {@link serviceSignature}.
 */
export function standardSignature(
  secret: string,
  { id, seconds, body }: { id: string; seconds: number; body: string },
): string {
  const hmac = createHmac('sha256', secret).update(`${id}.${seconds}.${body}`)
  return `v1,${hmac.digest('base64')}`
}

export interface Sending {
  event: DueWebhook
  /** Id of this attempt. */
  deliveryId: string
  body: string
  now: Date
  signingSecret?: string | undefined
}

/** Headers of every webhook, regardless of its authentication; the time is that of this attempt. */
export function webhookHeaders(sending: Sending): Record<string, string> {
  const { event, deliveryId, body, now, signingSecret } = sending
  const seconds = Math.floor(now.getTime() / 1000)
  const id = event.eventId
  return {
    'Content-Type': 'application/json',
    'Service-Event': event.type,
    'Service-Delivery': deliveryId,
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    ...(signingSecret === undefined
      ? {}
      : {
          'Service-Signature': serviceSignature(signingSecret, seconds, body),
          'webhook-signature': standardSignature(signingSecret, { id, seconds, body }),
        }),
  }
}

/**
 * Headers that authenticate a webhook (specification 5.6).
 *
 * @param accessToken for OAUTH_CLIENT_CREDENTIALS
 */
export function authenticationHeaders(
  { authType, apiKeyHeader }: Callback,
  { clientId, clientSecret, apiKeyValue }: CaseSecrets,
  accessToken?: string,
): Record<string, string> {
  switch (authType) {
    case 'BASIC': {
      const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
      return { Authorization: `Basic ${credentials}` }
    }
    case 'API_KEY':
      return apiKeyHeader === undefined || apiKeyValue === undefined
        ? {}
        : { [apiKeyHeader]: apiKeyValue }
    case 'OAUTH_CLIENT_CREDENTIALS':
      return accessToken === undefined ? {} : { Authorization: `Bearer ${accessToken}` }
    default:
      return {}
  }
}
