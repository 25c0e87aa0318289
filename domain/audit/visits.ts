/** Bounds how much of the trail the visits of one participant can fill (decision 8). */
import type { AuditEntry, AuditEvent, AuditEventType } from './entry.ts'

/** Addresses of one participant in one hour; an attacker with a link has as many as he likes. */
export const MAXIMUM_VISITS_AN_HOUR = 20
/** `2026-11-21T09` */
const HOUR_LENGTH = 13
const VISITS: ReadonlySet<AuditEventType> = new Set([
  'participant.viewed',
  'participant.downloaded',
])

/** The hour (UTC) of an instant: a visit from one address is recorded once in it. */
export const hourOf = (instant: string) => instant.slice(0, HOUR_LENGTH)

/** Whether the trail tells enough visits of this kind, participant and hour already. */
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
