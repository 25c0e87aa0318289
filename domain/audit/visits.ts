/** Limits how many entries the visits of one participant can add to the trail (decision 141). */
import { createHmac } from 'node:crypto'
import { canonicalJson } from '../canonical-json.ts'
import type { Keyring } from '../ports/keyring.ts'
import type { CaseKey } from '../ports/stores.ts'
import type { AuditEntry, AuditEvent, AuditEventType } from './entry.ts'

/**
 * Addresses of one participant in one hour; an attacker with a link can use any number of
 * addresses.
 */
export const MAXIMUM_VISITS_AN_HOUR = 20
/** `2026-11-21T09` */
const HOUR_LENGTH = 13
const VISIT_DOMAIN = 'sigcase/visit/v1'
const VISITS: ReadonlySet<AuditEventType> = new Set([
  'participant.viewed',
  'participant.downloaded',
])

/** The hour (UTC) of an instant; a visit from one address is recorded once per hour. */
const hourOf = (instant: string) => instant.slice(0, HOUR_LENGTH)

/**
 * Identifies a visit by hour, address and the site around the page. The event id derives from it
 * and outlives the erasure of the address, so it is a keyed MAC: without the key, all addresses
 * could be tried.
 */
export function visitOccurrence(
  keyring: Keyring<'request-mac'>,
  { tenant, caseId }: CaseKey,
  visit: { occurredAt: string; ip: string; embeddingOrigin?: string | undefined },
): string {
  const { occurredAt, ip, embeddingOrigin } = visit
  const site = embeddingOrigin === undefined ? [] : [embeddingOrigin]
  const value = [VISIT_DOMAIN, tenant, caseId, hourOf(occurredAt), ip, ...site]
  const { secret } = keyring.current('request-mac')
  return createHmac('sha256', secret).update(canonicalJson(value)).digest('hex')
}

/** Whether the trail already contains the maximum of visits of this kind, participant and hour. */
export function isVisitTooMany(event: AuditEvent, entries: readonly AuditEntry[]): boolean {
  if (!VISITS.has(event.type)) return false
  const alike = entries.filter(
    ({ type, participantId, occurredAt }) =>
      type === event.type &&
      participantId === event.participantId &&
      hourOf(occurredAt) === hourOf(event.occurredAt),
  )
  return alike.length >= MAXIMUM_VISITS_AN_HOUR
}
