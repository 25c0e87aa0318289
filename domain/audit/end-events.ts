/** The events of the trail with which a case ends. */
import type { AuditEntry, AuditEventType } from './entry.ts'

const END_EVENTS: ReadonlySet<AuditEventType> = new Set([
  'case.completed',
  'case.expired',
  'case.cancelled',
  'case.failed',
])

/** Whether one of the entries ended the case. */
export const hasEndEvent = (entries: readonly AuditEntry[]): boolean =>
  entries.some(({ type }) => END_EVENTS.has(type))
