/** Pages of the audit trail of a case, newest first (specification 4.4). */
import { eventOf } from '../domain/audit/entry.ts'
import { sealCursor } from '../domain/cursor.ts'
import type { CaseKey } from '../domain/ports/stores.ts'
import type { ApiDeps } from './deps.ts'
import { limitOf, positionOf, type PageQuery } from './paging.ts'
import { readCase, recordEvents } from './read-case.ts'

/**
 * A page of events; what the case shows already is appended to the trail first.
 *
 * @throws NotFoundError, ServiceError INVALID_LIMIT, INVALID_CURSOR, TIMEOUT
 */
export async function listEvents(
  asked: CaseKey,
  query: PageQuery,
  deps: Pick<ApiDeps, 'cases' | 'keyring' | 'now' | 'trail'>,
) {
  const { trail, keyring } = deps
  const seen = await readCase(asked, deps)
  const limit = limitOf(query)
  await recordEvents(seen, [], deps)
  const entries = await trail.entries(seen.key)
  const listing = ['events', seen.key.tenant, seen.key.caseId]
  const end = positionOf<number>(query, listing, keyring) ?? entries.length
  const page = entries.slice(Math.max(end - limit, 0), end).reverse()
  const oldest = page.at(-1)
  const events = page.map(async (entry) =>
    eventOf(entry, await trail.opening(seen.key, entry.eventId)),
  )
  return {
    events: await Promise.all(events),
    ...(oldest && oldest.sequence > 1
      ? { nextCursor: sealCursor(keyring, listing, oldest.sequence - 1) }
      : {}),
  }
}
