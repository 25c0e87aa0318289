/** How the webhooks of a case fared (decision 30). */
import { DeliveryLog } from './delivery-log.ts'
import type { DeliveryRecord } from '../../domain/cases/webhook-attempts.ts'
import { dueWebhooks, type DueWebhook } from '../../domain/cases/webhooks.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import type { UseCaseDeps } from '../deps.ts'
import { readCase } from '../cases/read-case.ts'

/** An event and what the log holds of it. */
export interface LoggedEvent extends DeliveryRecord {
  event: DueWebhook
}

async function readEvent(
  key: CaseKey,
  event: DueWebhook,
  askedRound: number | undefined,
  log: DeliveryLog,
): Promise<LoggedEvent> {
  const [receipt, attempts] = await Promise.all([
    log.receipt(key, event.eventId),
    log.attempts(key, event.eventId),
  ])
  return { event, attempts, receipt, askedRound }
}

/** The events with what the log holds of each. */
export async function readEvents(
  key: CaseKey,
  events: readonly DueWebhook[],
  log: DeliveryLog,
): Promise<LoggedEvent[]> {
  const requests = await log.requests(key)
  const asked = new Map(requests.map(({ eventId, round }) => [eventId, round]))
  return Promise.all(events.map((event) => readEvent(key, event, asked.get(event.eventId), log)))
}

/** Every webhook of the case. @throws NotFoundError */
export async function listDeliveries(
  asked: CaseKey,
  deps: Pick<UseCaseDeps, 'cases' | 'keyring' | 'now' | 'objects'>,
): Promise<LoggedEvent[]> {
  const { key, signatureCase, accepted } = await readCase(asked, deps)
  const events = dueWebhooks(signatureCase, accepted)
  return readEvents(key, events, new DeliveryLog(deps.objects))
}
