/** Asks for another delivery of a webhook that has ended (decision 30). */
import { redeliveryRound, roundsOf } from '../../domain/cases/webhook-attempts.ts'
import { dueWebhooks } from '../../domain/cases/webhooks.ts'
import { CASE_CHANGED } from '../../domain/ports/pub-sub.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import { readCase } from '../cases/read-case.ts'
import type { UseCaseDeps } from '../deps.ts'
import { NotFoundError } from '../errors.ts'
import { DeliveryLog } from './delivery-log.ts'
import { readEvents, type LoggedEvent } from './list-deliveries.ts'

/**
 * Records the request, which the controller acts on, and notifies it. A notification that is lost
 * only delays the delivery.
 *
 * @param onNotNotified reports why the controller could not be notified
 * @throws NotFoundError when the case has no such webhook, or was erased
 * @throws ServiceError WEBHOOK_PENDING, REDELIVERIES_EXHAUSTED
 */
export async function redeliver(
  asked: CaseKey & { eventId: string },
  deps: Pick<UseCaseDeps, 'cases' | 'keyring' | 'now' | 'objects' | 'deliveryTimes' | 'ephemeral'>,
  onNotNotified: (error: unknown) => void,
): Promise<LoggedEvent> {
  const { deliveryTimes, ephemeral, now, objects } = deps
  const { key, signatureCase, accepted, view } = await readCase(asked, deps)
  const eventId = asked.eventId.toLowerCase()
  const event = dueWebhooks(signatureCase, accepted).find((one) => one.eventId === eventId)
  // The log of an erased case is gone, and so are the documents that a webhook links to.
  if (!event || view.isErased) throw new NotFoundError('Event')
  const log = new DeliveryLog(objects)
  const [logged = { event, attempts: [] }] = await readEvents(key, [event], log)
  const round = redeliveryRound(roundsOf(logged, deliveryTimes, now().getTime()))
  await log.request(key, { eventId, round }, now())
  await ephemeral.publish(CASE_CHANGED, JSON.stringify(key)).catch(onNotNotified)
  return { ...logged, askedRound: round }
}
