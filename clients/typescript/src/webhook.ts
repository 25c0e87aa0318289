/** Verifies webhooks (specification 5.6 and 6.2). */
import { SigcaseError } from './errors.ts'
import type { Case, Delivery } from './types.ts'

/** Older webhooks are refused, because an attacker could replay them. */
const TOLERANCE_SECONDS = 300
/** `callback.data` has at most 16 KiB; links and ids add a few KiB. */
const MAXIMUM_BODY_BYTES = 1024 * 1024
const HEADER = /^t=([0-9]{1,12}),v1=([0-9a-f]{64})(?:,|$)/

/** The body of a webhook. */
export interface WebhookEvent {
  /** The same for every attempt; use it to drop duplicates. */
  id: string
  type: Delivery['type']
  occurredAt: string
  tenantId: string
  caseId: string
  /** Status of the case at the time of the attempt. */
  status: Case['status']
  /** `callback.data` of the case, unchanged. */
  data?: Record<string, unknown>
  /** With `participant-signed`. */
  participantId?: string
  /** Once the case is DONE; the link works for one hour. */
  signedDocument?: { url: string }
  /** Once the case is DONE; the link works for one hour. */
  evidenceDocument?: { url: string }
}

export interface WebhookToVerify {
  /** `callback.signingSecret` of the case. */
  secret: string
  /** Value of the header `Service-Signature`. */
  header: string | null | undefined
  /** The body as it was received, before it is parsed. */
  rawBody: Uint8Array
  /** Accepted difference of the clocks, 300 seconds by default. */
  toleranceSeconds?: number
  /** Seconds since 1970; the current time by default. */
  nowSeconds?: number
}

function bytesOfHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

/** Returns whether a webhook is genuine and recent. Compares in constant time. */
export async function verifyWebhook(webhook: WebhookToVerify): Promise<boolean> {
  const { secret, header, rawBody, toleranceSeconds = TOLERANCE_SECONDS } = webhook
  const { nowSeconds = Date.now() / 1000 } = webhook
  const [, t = '', v1 = ''] = HEADER.exec(header ?? '') ?? []
  if (t === '' || secret === '') return false
  if (Math.abs(nowSeconds - Number(t)) > toleranceSeconds) return false
  const encoder = new TextEncoder()
  const prefix = encoder.encode(`${t}.`)
  const message = new Uint8Array(prefix.length + rawBody.length)
  message.set(prefix)
  message.set(rawBody, prefix.length)
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, [
    'verify',
  ])
  return crypto.subtle.verify('HMAC', key, bytesOfHex(v1), message)
}

/** @throws SigcaseError WEBHOOK_INVALID when there is more than a webhook can have */
async function readBody({ body }: Request): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  const reader = body?.getReader()
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true }
    if (done) break
    bytes += value.length
    if (bytes > MAXIMUM_BODY_BYTES) {
      await reader?.cancel()
      throw new SigcaseError('WEBHOOK_INVALID', 'The webhook is too large')
    }
    pieces.push(value)
  }
  return new Uint8Array(await new Blob(pieces as BlobPart[]).arrayBuffer())
}

/**
 * Reads a webhook from a request and verifies it. Answer 2xx at once and do the work afterwards;
 * ignore an event whose `id` you have processed.
 *
 * @param secret `callback.signingSecret` of the case
 * @throws SigcaseError WEBHOOK_INVALID when it is not genuine, too old or too large: answer 401
 */
export async function readWebhook(request: Request, secret: string): Promise<WebhookEvent> {
  const rawBody = await readBody(request)
  const header = request.headers.get('service-signature')
  if (!(await verifyWebhook({ secret, header, rawBody }))) {
    throw new SigcaseError('WEBHOOK_INVALID', 'The webhook is not genuine or too old')
  }
  return JSON.parse(new TextDecoder().decode(rawBody)) as WebhookEvent
}
