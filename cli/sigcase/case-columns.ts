/** Columns of cases, audit events, webhooks and kiosks in the tables of `sigcase`. */
import type {
  AuditEvent,
  Case,
  Delivery,
  Device,
  WebhookEvent,
} from '../../clients/typescript/src/types.ts'
import type { Column } from './output.ts'

/** Formats how many participants have signed: `1/2`. */
export function formatProgress({ participants }: Case): string {
  return `${participants.filter(({ status }) => status === 'SIGNED').length}/${participants.length}`
}

/** Lists the participants with what they have still to do. The signing links are secrets. */
function formatParticipants({ participants }: Case): string {
  return participants
    .map(({ id, firstName, lastName, status }) => `${firstName} ${lastName} (${id}) ${status}`)
    .join('; ')
}

export const CASE_COLUMNS: readonly Column<Case>[] = [
  { heading: 'ID', read: ({ id }) => id },
  { heading: 'STATUS', read: ({ status }) => status },
  { heading: 'SIGNED', read: formatProgress },
  { heading: 'CREATED', read: ({ created }) => created },
  { heading: 'VALID UNTIL', read: ({ validUntil }) => validUntil },
  { heading: 'TITLE', read: ({ title }) => title },
]

/** Columns of one case. */
export const CASE_DETAILS: readonly Column<Case>[] = [
  ...CASE_COLUMNS,
  {
    heading: 'REASON',
    read: ({ rejectReason, failureReason, cancelReason }) =>
      rejectReason ?? failureReason ?? cancelReason,
  },
  { heading: 'LEVEL', read: ({ signedDocument }) => signedDocument?.level },
  { heading: 'PARTICIPANTS', read: formatParticipants },
]

export const EVENT_COLUMNS: readonly Column<AuditEvent>[] = [
  { heading: 'OCCURRED AT', read: ({ occurredAt }) => occurredAt },
  { heading: 'TYPE', read: ({ type }) => type },
  { heading: 'ACTOR', read: ({ actor }) => actor },
  { heading: 'PARTICIPANT', read: ({ participantId }) => participantId },
  { heading: 'IP', read: ({ ip }) => ip },
]

export const DELIVERY_COLUMNS: readonly Column<Delivery>[] = [
  { heading: 'EVENT ID', read: ({ eventId }) => eventId },
  { heading: 'TYPE', read: ({ type }) => type },
  { heading: 'STATE', read: ({ state }) => state },
  { heading: 'ATTEMPTS', read: ({ attempts }) => attempts.length },
  { heading: 'LAST', read: ({ attempts }) => attempts.at(-1)?.startedAt },
  { heading: 'NEXT', read: ({ nextAttemptAt }) => nextAttemptAt },
]

export const FAILED_WEBHOOK_COLUMNS: readonly Column<WebhookEvent>[] = [
  { heading: 'EVENT ID', read: ({ eventId }) => eventId },
  { heading: 'CASE', read: ({ caseId }) => caseId },
  { heading: 'TYPE', read: ({ type }) => type },
  { heading: 'STATE', read: ({ state }) => state },
  { heading: 'ENDED AT', read: ({ endedAt }) => endedAt },
]

export const DEVICE_COLUMNS: readonly Column<Device>[] = [
  { heading: 'ID', read: ({ deviceId }) => deviceId },
  { heading: 'CREATED', read: ({ created }) => created },
  { heading: 'NAME', read: ({ name }) => name },
]

/** Only a listing says which kiosks listen, and only where it is known. */
export const LISTED_DEVICE_COLUMNS: readonly Column<Device>[] = [
  ...DEVICE_COLUMNS,
  { heading: 'CONNECTED', read: ({ connected }) => connected?.toString() },
]
