/** The webhooks of a case: a pure function of facts and status (specification 6.2). */
import { eventId } from './due-audit-events.ts'
import type { SignatureCase } from './signature-case.ts'
import type { SignatureFact } from './spec.ts'
import type { CaseStatus } from './status.ts'

export const WEBHOOK_TYPES = [
  'participant-signed',
  'case-completed',
  'case-failed',
  'case-expired',
  'case-cancelled',
] as const
export type WebhookType = (typeof WEBHOOK_TYPES)[number]

/** A webhook that is due until its receipt exists under `eventId`. */
export interface DueWebhook {
  eventId: string
  type: WebhookType
  occurredAt: string
  /** The participant who signed, with `participant-signed`. */
  participantId?: string
}

/** The webhook for each end of a case; a rejected upload has none. */
const ENDS: readonly (readonly [WebhookType, (status: CaseStatus) => string | undefined])[] = [
  ['case-completed', ({ completedAt }) => completedAt],
  ['case-failed', ({ failedAt }) => failedAt],
  ['case-expired', ({ expiredAt }) => expiredAt],
  ['case-cancelled', ({ cancelledAt }) => cancelledAt],
]

/**
 * Returns all webhooks of a case, including those that already have a receipt, in the order of
 * their first attempts: signatures in signing order, then the end. A case without a callback has
 * none.
 *
 * @param accepted result of `acceptedSignatures`
 */
export function dueWebhooks(
  { metadata, spec, status }: SignatureCase,
  accepted: readonly SignatureFact[],
): DueWebhook[] {
  if (!spec.definition.callback) return []
  const due = (type: WebhookType, occurredAt: string, fact?: SignatureFact): DueWebhook => ({
    eventId: eventId(metadata.name, `webhook.${type}`, fact?.participantId, fact?.factId),
    type,
    occurredAt,
    ...(fact ? { participantId: fact.participantId } : {}),
  })
  const signed = accepted.map((fact) => due('participant-signed', fact.signedAt, fact))
  const ended = ENDS.flatMap(([type, instantOf]) => {
    const occurredAt = status && instantOf(status)
    return occurredAt === undefined ? [] : [due(type, occurredAt)]
  })
  return [...signed, ...ended]
}
