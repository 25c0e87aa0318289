/**
 * The audit entries that a case must have: a pure function of facts and status. Entries that are
 * not recorded yet are pending work (design 3); mails are in `due-mails.ts`.
 */
import type { AuditEvent, AuditEventType } from '../audit/entry.ts'
import { uuidV5 } from '../ids.ts'
import { TRANSITIONS } from './lifecycle.ts'
import type { SignatureCase } from './signature-case.ts'
import type { SignatureFact } from './spec.ts'
import { cancellationTime } from './stated-times.ts'
import type { CaseStatus } from './status.ts'

/** Occurrence key of events that happen once. */
const ONCE = '-'

/** At most; each takes about 300 octets. */
const MAXIMUM_KEPT_IDS = 5_000
/** Each run of the controller, job and request of a case derives the same ids. */
const keptIds = new Map<string, string>()

/** The id of an event of a case; it is always derived from the same values. */
export function eventId(
  caseId: string,
  type: string,
  participantId = ONCE,
  occurrence = ONCE,
): string {
  const name = `${caseId}\u0000${type}\u0000${participantId}\u0000${occurrence}`
  const known = keptIds.get(name)
  if (known !== undefined) return known
  if (keptIds.size >= MAXIMUM_KEPT_IDS) keptIds.clear()
  const id = uuidV5(caseId, type, participantId, occurrence)
  keptIds.set(name, id)
  return id
}

/** Id of the receipt that records how far the trail is sealed, or that it will not be sealed. */
export const trailSealReceiptId = (caseId: string) => eventId(caseId, 'trail-seal', undefined)

/** Builds an audit event of a case, with its derived id. */
export function auditEvent(
  caseId: string,
  type: AuditEventType,
  event: Omit<AuditEvent, 'eventId' | 'type' | 'data'> & {
    data?: Record<string, unknown>
    occurrence?: string
  },
): AuditEvent {
  const { occurrence, data = {}, ...rest } = event
  return { eventId: eventId(caseId, type, event.participantId, occurrence), type, ...rest, data }
}

function creationEvents({ metadata, spec }: SignatureCase): AuditEvent[] {
  const { definition, creation } = spec
  const { at: occurredAt, ...origin } = creation
  const { title, validUntil, quickSign, participants } = definition
  return [
    auditEvent(metadata.name, 'case.created', {
      occurredAt,
      actor: 'tenant',
      ...origin,
      data: { title, validUntil, quickSign, participants: participants.length },
    }),
    ...participants.map(({ id, firstName, lastName, email, phone, language, notify }) =>
      auditEvent(metadata.name, 'participant.created', {
        occurredAt,
        actor: 'tenant',
        participantId: id,
        data: {
          ...{ firstName, lastName, email, language, notify },
          ...(phone === undefined ? {} : { phone }),
        },
      }),
    ),
  ]
}

function intakeEvents(caseId: string, status: CaseStatus): AuditEvent[] {
  const { document, rejectedAt, rejectReason, rejectedSha256 } = status
  if (document) {
    const { acceptedAt, sha256, size, pageCount } = document
    return [
      auditEvent(caseId, 'document.uploaded', {
        occurredAt: acceptedAt,
        actor: 'tenant',
        documentSha256: sha256,
        data: { size, pageCount },
      }),
    ]
  }
  if (rejectedAt === undefined) return []
  return [
    auditEvent(caseId, 'document.rejected', {
      occurredAt: rejectedAt,
      actor: 'system',
      ...(rejectedSha256 === undefined ? {} : { documentSha256: rejectedSha256 }),
      data: { reason: rejectReason },
    }),
  ]
}

/** Id of the audit event of a signature. */
export const signedEventId = (caseId: string, { participantId, factId }: SignatureFact) =>
  eventId(caseId, 'participant.signed', participantId, factId)

/** Id of the audit event of the consent that came with a signature. */
export const consentedEventId = (caseId: string, { participantId, factId }: SignatureFact) =>
  eventId(caseId, 'participant.consented', participantId, factId)

function signatureEvents(caseId: string, fact: SignatureFact): AuditEvent[] {
  const { participantId, factId, signedAt, documentSha256, consent, client, drawing } = fact
  const { ip, userAgent } = fact
  const common = {
    occurredAt: signedAt,
    actor: 'participant' as const,
    participantId,
    ip,
    ...(userAgent === undefined ? {} : { userAgent }),
    documentSha256,
    occurrence: factId,
  }
  return [
    auditEvent(caseId, 'participant.consented', { ...common, data: { ...consent } }),
    auditEvent(caseId, 'participant.signed', {
      ...common,
      data: { drawing, ...(client ? { client } : {}) },
      fact,
    }),
  ]
}

/**
 * When the case was cancelled. A cancellation that counts is recorded even before the status has
 * it.
 */
function cancelledAtOf({ spec, status }: SignatureCase): string | undefined {
  const takesCancellation = TRANSITIONS[status?.phase ?? 'NEW'].on.cancelled
  return status?.cancelledAt ?? (takesCancellation && cancellationTime(spec))
}

function endEvents(signatureCase: SignatureCase): AuditEvent[] {
  const { metadata, spec, status } = signatureCase
  const { completedAt, expiredAt, failedAt, failureReason, signedDocument } = status ?? {}
  const cancelledAt = cancelledAtOf(signatureCase)
  const system = { actor: 'system' as const }
  if (completedAt !== undefined) {
    const documentSha256 = signedDocument?.sha256
    return [
      auditEvent(metadata.name, 'case.completed', {
        occurredAt: completedAt,
        ...system,
        ...(documentSha256 === undefined ? {} : { documentSha256 }),
      }),
    ]
  }
  if (expiredAt !== undefined) {
    return [auditEvent(metadata.name, 'case.expired', { occurredAt: expiredAt, ...system })]
  }
  if (cancelledAt !== undefined) {
    const { ip, userAgent, reason } = spec.cancellation ?? {}
    return [
      auditEvent(metadata.name, 'case.cancelled', {
        occurredAt: cancelledAt,
        actor: 'tenant',
        ...(ip === undefined ? {} : { ip }),
        ...(userAgent === undefined ? {} : { userAgent }),
        data: reason === undefined ? {} : { reason },
        ...(spec.cancellation && { fact: spec.cancellation }),
      }),
    ]
  }
  if (failedAt === undefined) return []
  return [
    auditEvent(metadata.name, 'case.failed', {
      occurredAt: failedAt,
      ...system,
      data: { reason: failureReason },
    }),
  ]
}

/**
 * Returns the audit events that follow from spec and status, in trail order.
 *
 * @param accepted result of `acceptedSignatures`
 */
export function dueAuditEvents(
  signatureCase: SignatureCase,
  accepted: readonly SignatureFact[],
): AuditEvent[] {
  const { metadata, status } = signatureCase
  return [
    ...creationEvents(signatureCase),
    ...(status ? intakeEvents(metadata.name, status) : []),
    ...accepted.flatMap((fact) => signatureEvents(metadata.name, fact)),
    ...endEvents(signatureCase),
  ]
}
