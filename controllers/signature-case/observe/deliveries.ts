/** Reads the delivery log of the webhooks that have not ended. */
import type { DeliveryTimes } from '../../../domain/cases/webhook-attempts.ts'
import { readAttempts, readRequests } from '../../../application/webhooks/delivery-log.ts'
import type { Receipts } from '../../../domain/cases/due-mails.ts'
import type { DueWebhook } from '../../../domain/cases/webhooks.ts'
import type { ObjectStore } from '../../../domain/ports/object-store.ts'
import type { CaseKey } from '../../../domain/ports/stores.ts'
import type { DeliveriesObservation } from '../observation.ts'

/**
 * Reads the attempts of events without a receipt, and of those with a requested redelivery.
 *
 * @param due webhooks that follow from the current status; others cannot have been attempted yet
 */
export async function observeDeliveries(
  key: CaseKey,
  due: readonly DueWebhook[],
  receipts: Receipts,
  {
    objects,
    deliveryTimes: times,
  }: { objects: Pick<ObjectStore, 'get' | 'list'>; deliveryTimes: DeliveryTimes },
): Promise<DeliveriesObservation> {
  const requests = await readRequests(key, objects)
  const asked = new Set(requests.map(({ eventId }) => eventId))
  const open = due.filter(({ eventId }) => !receipts.has(eventId) || asked.has(eventId))
  const attempts = await Promise.all(
    open.map(async ({ eventId }) => [eventId, await readAttempts(key, eventId, objects)] as const),
  )
  return { times, requests, attempts: new Map(attempts) }
}
