/** Pages of the audit trail of a case, newest first (specification 4.4). */
import { eventOf, hasErased, type AuditEntry, type AuditEvent } from '../../domain/audit/entry.ts'
import { AuditTrailError, type TrailFault } from '../../domain/audit/fault.ts'
import { findHeadFault, seenHeads } from '../../domain/audit/signature-check.ts'
import type { CheckedTrail } from './trail.ts'
import { dueAuditEvents } from '../../domain/cases/due-audit-events.ts'
import { sealCursor } from '../../domain/cursor.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import type { UseCaseDeps } from '../deps.ts'
import { limitOf, positionOf, type PageQuery } from '../paging.ts'
import { orTimeout, readCase, type ObservedCase } from '../cases/read-case.ts'

type EventDeps = Pick<UseCaseDeps, 'cases' | 'keyring' | 'now' | 'trail'>

/**
 * The entries that hold; what the case shows already is appended to a trail without fault, unless
 * nothing may be written.
 */
async function readTrail(
  seen: ObservedCase,
  { trail }: EventDeps,
  isReadOnly: boolean,
): Promise<CheckedTrail> {
  const { key, signatureCase, accepted } = seen
  return orTimeout(async () => {
    const checked = await trail.check(key)
    const fault =
      checked.fault ?? findHeadFault(checked.entries, seenHeads(signatureCase, accepted))
    if (!fault) {
      if (isReadOnly) return checked
      return { entries: await trail.append(key, dueAuditEvents(signatureCase, accepted)) }
    }
    if (!checked.fault) trail.report(key, fault)
    return { ...checked, fault }
  })
}

/**
 * One event; values that differ from the commitments of the entry are left out, and are a fault.
 */
async function readEvent(
  { key, view }: ObservedCase,
  entry: AuditEntry,
  { trail }: EventDeps,
): Promise<{ event: AuditEvent; fault?: TrailFault }> {
  const { sequence } = entry
  try {
    const opening = await trail.readOpening(key, entry)
    // Somebody may have written erased values again.
    const event = eventOf(entry, view.isErased ? undefined : opening)
    if (view.isErased || !hasErased(entry, opening)) return { event }
    const fault: TrailFault = { sequence, fault: 'missingOpening' }
    trail.report(key, fault)
    return { event, fault }
  } catch (error) {
    if (!(error instanceof AuditTrailError)) throw error
    return { event: eventOf(entry, undefined), fault: error.fault }
  }
}

/**
 * A page of events. When the trail is not sound, only the entries before the fault are listed, and
 * `trailFault` says where and why they end. Entries that this service did not write are not shown.
 *
 * @param isReadOnly for HEAD: events that the trail lacks are not appended
 * @throws NotFoundError, ServiceError INVALID_LIMIT, INVALID_CURSOR, TIMEOUT
 */
export async function listEvents(
  asked: CaseKey,
  query: PageQuery,
  deps: EventDeps,
  isReadOnly = false,
) {
  const { keyring } = deps
  const seen = await readCase(asked, deps)
  const limit = limitOf(query)
  const { entries, fault } = await readTrail(seen, deps, isReadOnly)
  const listing = ['events', seen.key.tenant, seen.key.caseId]
  const end = positionOf<number>(query, listing, keyring) ?? entries.length
  const page = entries.slice(Math.max(end - limit, 0), end).reverse()
  const oldest = page.at(-1)
  const read = await Promise.all(page.map((entry) => readEvent(seen, entry, deps)))
  const trailFault = fault ?? read.findLast((one) => one.fault)?.fault
  return {
    events: read.map(({ event }) => event),
    ...(oldest && oldest.sequence > 1
      ? { nextCursor: sealCursor(keyring, listing, oldest.sequence - 1) }
      : {}),
    ...(trailFault && { trailFault }),
  }
}
