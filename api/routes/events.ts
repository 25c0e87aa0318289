/** The audit trail of a case, newest first (specification 4.4). */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Buffer } from 'node:buffer'
import { eventOf, type AuditEntry } from '../../domain/audit/entry.ts'
import { EventsAnswer } from '../../domain/contract/answers.ts'
import { EVENTS_ANSWER } from '../../domain/contract/examples.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import type { ApiDeps } from '../deps.ts'
import { limitOf, PAGE_QUERY, type PageQuery } from '../paging.ts'
import { readCase, recordEvents } from '../read-case.ts'
import { CASE_PARAMS, refusals, shownBy, TENANT_REFUSALS } from '../route-schemas.ts'
import { tenantRoute } from '../tenant-route.ts'

/** A cursor names the oldest entry of its page, and that entry belongs to one case alone. */
function encodeCursor({ sequence, eventId }: AuditEntry): string {
  return Buffer.from(`${sequence}/${eventId}`).toString('base64url')
}

/**
 * @returns how many of the entries, the oldest first, are still to be listed
 * @throws ServiceError INVALID_CURSOR
 */
function remainingAt({ cursor }: PageQuery, entries: readonly AuditEntry[]): number {
  if (cursor === undefined) return entries.length
  const decoded = Buffer.from(String(cursor), 'base64url').toString()
  const sequence = Number(decoded.split('/')[0])
  const entry = entries[sequence - 1]
  if (!entry || encodeCursor(entry) !== cursor) throw new ServiceError('INVALID_CURSOR')
  return sequence - 1
}

export const eventRoutes =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { trail } = deps
    tenantRoute(app, deps)

    const present = async (key: CaseKey, entry: AuditEntry) =>
      eventOf(entry, await trail.opening(key, entry.eventId))

    app.get(
      '/cases/:caseId/events',
      {
        attachValidation: true,
        schema: {
          operationId: 'listEvents',
          tags: ['cases'],
          summary: 'Read the audit trail of a case, newest first',
          security: [{ tenant: [] }],
          params: CASE_PARAMS,
          querystring: PAGE_QUERY,
          response: {
            200: shownBy(EventsAnswer, EVENTS_ANSWER, 'A page of events, the newest first'),
            ...refusals(...TENANT_REFUSALS, 'not-found', 'INVALID_LIMIT', 'INVALID_CURSOR'),
          },
        },
      },
      async (request) => {
        const { params, query, tenant } = request
        const seen = await readCase({ tenant, caseId: params.caseId }, deps)
        const limit = limitOf(query)
        await recordEvents(seen, [], deps)
        const entries = await trail.entries(seen.key)
        const end = remainingAt(query, entries)
        const page = entries.slice(Math.max(end - limit, 0), end).reverse()
        const oldest = page.at(-1)
        return {
          events: await Promise.all(page.map((entry) => present(seen.key, entry))),
          ...(oldest && oldest.sequence > 1 ? { nextCursor: encodeCursor(oldest) } : {}),
        }
      },
    )
  }
