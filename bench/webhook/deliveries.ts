/** Whole jobs `webhook`, each of a case of its own, on stores that the caller chooses. */
import { randomUUID } from 'node:crypto'
import type { GuardedHttp } from '../../adapters/outbound-http/guarded-http.ts'
import { DELIVERY_TIMES, type DeliveryReceipt } from '../../domain/cases/deliveries.ts'
import { receiptKey } from '../../domain/cases/keys.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import { owedWebhooks } from '../../domain/cases/webhooks.ts'
import type { JobPayloads } from '../../domain/ports/jobs.ts'
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
/** Where the case, its secrets and the bells are. */
export type Stores = Pick<WebhookDeps, 'cases' | 'secrets' | 'ephemeral'>

const { now } = new FrozenTimers(VALID_UNTIL)
export const SECRETS = { signingSecret: 's'.repeat(32) }

/** A cancelled case, of which its tenant is to hear. */
export function cancelledCase(url: string): SignatureCase {
  const definition = { callback: callback({ url, data: JSON.stringify({ contract: '2026/118' }) }) }
  const made = signatureCase({ phase: 'CANCELLED', definition })
  return { ...made, metadata: { ...made.metadata, name: randomUUID() } }
}

/** The one event that the case owes. */
export function payloadOf(owing: SignatureCase): JobPayloads['webhook'] {
  const [event] = owedWebhooks(owing, [])
  return { tenant: TENANT, caseId: owing.metadata.name, eventId: event?.eventId ?? '' }
}

/**
 * Runs the job on a delivery log of its own, which is in memory.
 *
 * @returns whether the receipt says that it was delivered
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
    accessTokens: new FakeTokens() as unknown as WebhookDeps['accessTokens'],
    deliveryTimes: DELIVERY_TIMES,
    now,
    log: { info: () => undefined, warn: () => undefined },
  })
  const receipt = objects.json<DeliveryReceipt>(receiptKey(payload, payload.eventId))
  return receipt?.state === 'delivered'
}
