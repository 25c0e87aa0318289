/** Runs whole jobs `webhook`, each for its own case, on given stores. */
import { randomUUID } from 'node:crypto'
import type { GuardedHttp } from '../../adapters/outbound-http/guarded-http.ts'
import { DELIVERY_TIMES, type DeliveryReceipt } from '../../domain/cases/webhook-attempts.ts'
import { receiptKey } from '../../domain/cases/keys.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import { dueWebhooks } from '../../domain/cases/webhooks.ts'
import type { JobPayloads } from '../../domain/ports/jobs.ts'
import { NO_METRICS } from '../../domain/ports/metrics.ts'
import { FakeTokens } from '../../test/fixtures/endpoint.ts'
import { FrozenTimers } from '../../test/fixtures/frozen-timers.ts'
import { MemoryObjectStore } from '../../test/fixtures/memory-objects.ts'
import {
  callback,
  keyring,
  signatureCase,
  TENANT,
  VALID_UNTIL,
} from '../../test/fixtures/signature-case.ts'
import { webhook as deliver } from '../../workers/webhook/webhook.ts'

type WebhookDeps = Parameters<typeof deliver>[1]
/** Stores of the case and its secrets, and the notifications. */
export type Stores = Pick<WebhookDeps, 'cases' | 'secrets' | 'ephemeral'>

const timers = new FrozenTimers(VALID_UNTIL)
const { now } = timers
export const SECRETS = { signingSecret: 's'.repeat(32) }

/** Builds a cancelled case with a pending webhook. */
export function cancelledCase(url: string): SignatureCase {
  const definition = { callback: callback({ url, data: JSON.stringify({ contract: '2026/118' }) }) }
  const made = signatureCase({ phase: 'CANCELLED', definition })
  return { ...made, metadata: { ...made.metadata, name: randomUUID() } }
}

/** The only pending event of the case. */
export function payloadOf(cancelled: SignatureCase): JobPayloads['webhook'] {
  const [event] = dueWebhooks(cancelled, [])
  return { tenant: TENANT, caseId: cancelled.metadata.name, eventId: event?.eventId ?? '' }
}

/**
 * Runs the job with a separate delivery log in memory.
 *
 * @returns whether the receipt records a delivery
 */
export async function delivered(
  payload: JobPayloads['webhook'],
  stores: Stores,
  http: GuardedHttp,
): Promise<boolean> {
  const objects = new MemoryObjectStore(now)
  await deliver(payload, {
    ...stores,
    objects,
    keyring,
    outboundHttp: http,
    metrics: NO_METRICS,
    accessTokens: new FakeTokens() as unknown as WebhookDeps['accessTokens'],
    deliveryTimes: DELIVERY_TIMES,
    now,
    timers,
    log: { info: () => undefined, warn: () => undefined },
  })
  const receipt = objects.json<DeliveryReceipt>(receiptKey(payload, payload.eventId))
  return receipt?.state === 'delivered'
}
