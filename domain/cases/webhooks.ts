/**
 * What a case owes to its tenant's endpoint: a pure function of what was stated and what was made
 * of it (specification 6.2).
 */
import { eventId } from './owed.ts'
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

/** A webhook that is owed until its receipt exists under `eventId`. */
export interface OwedWebhook {
  eventId: string
  type: WebhookType
  occurredAt: string
  /** Who signed, with `participant-signed`. */
  participantId?: string
}

/** Which end is told by which webhook; a rejected upload has none. */
const ENDS: readonly (readonly [WebhookType, (status: CaseStatus) => string | undefined])[] = [
  ['case-completed', ({ completedAt }) => completedAt],
  ['case-failed', ({ failedAt }) => failedAt],
  ['case-expired', ({ expiredAt }) => expiredAt],
  ['case-cancelled', ({ cancelledAt }) => cancelledAt],
]

/**
 * The webhooks of a case, those already receipted among them, in the order in which their first
 * attempts are made: signatures as they were given, then the end. A case without callback owes
 * none.
 *
 * @param accepted what `acceptedSignatures` found
 */
export function owedWebhooks(
  { metadata, spec, status }: SignatureCase,
  accepted: readonly SignatureFact[],
): OwedWebhook[] {
  if (!spec.definition.callback) return []
  const owed = (type: WebhookType, occurredAt: string, fact?: SignatureFact): OwedWebhook => ({
    eventId: eventId(metadata.name, `webhook.${type}`, fact?.participantId, fact?.factId),
    type,
    occurredAt,
    ...(fact ? { participantId: fact.participantId } : {}),
  })
  const signed = accepted.map((fact) => owed('participant-signed', fact.signedAt, fact))
  const ended = ENDS.flatMap(([type, instantOf]) => {
    const occurredAt = status && instantOf(status)
    return occurredAt === undefined ? [] : [owed(type, occurredAt)]
  })
  return [...signed, ...ended]
}
