/** Pages of the webhooks of a tenant that were given up (decision 30). */
import type { ListedState } from '../../domain/cases/webhook-attempts.ts'
import { sealCursor } from '../../domain/cursor.ts'
import type { UseCaseDeps } from '../deps.ts'
import { limitOf, positionOf, type PageQuery } from '../paging.ts'
import { DeliveryLog } from './delivery-log.ts'

/** @throws ServiceError INVALID_LIMIT, INVALID_CURSOR */
export async function listEndedWebhooks(
  { tenant, status }: { tenant: string; status: ListedState },
  query: PageQuery,
  { objects, keyring }: Pick<UseCaseDeps, 'objects' | 'keyring'>,
) {
  const limit = limitOf(query)
  const listing = ['webhook-events', tenant, status]
  const after = positionOf<string>(query, listing, keyring)
  // One more shows whether there is another page.
  const found = await new DeliveryLog(objects).ended(tenant, status, {
    limit: limit + 1,
    ...(after === undefined ? {} : { after }),
  })
  const page = found.slice(0, limit)
  const last = found.length > limit ? page.at(-1) : undefined
  return {
    events: page.flatMap(({ event }) => (event ? [{ ...event, state: status }] : [])),
    ...(last ? { nextCursor: sealCursor(keyring, listing, last.name) } : {}),
  }
}
