/** Records in the trail what a participant was shown or given (specification 6.1). */
import type { AuditEvent, AuditEventType } from '../../domain/audit/entry.ts'
import { visitOccurrence } from '../../domain/audit/visits.ts'
import { outcomeKey } from '../../domain/cases/keys.ts'
import { documentNames } from '../../domain/cases/document-names.ts'
import { auditEvent } from '../../domain/cases/due-audit-events.ts'
import { assertCompleted } from '../../domain/cases/refusals.ts'
import { DOWNLOAD_URL_LIFE_MS } from '../../domain/limits.ts'
import type { SecondFactor } from '../../domain/second-factor/factor.ts'
import type { UseCaseDeps } from '../deps.ts'
import { recordEvents } from './read-case.ts'
import { missingFactor, requireFactor } from '../second-factor/require-factor.ts'
import type { ParticipantRequest } from './participant-request.ts'

function visitEvent(
  type: AuditEventType,
  { visit, origin, embeddingOrigin }: ParticipantRequest,
  documentSha256: string | undefined,
  { keyring, now }: Pick<UseCaseDeps, 'keyring' | 'now'>,
): AuditEvent {
  const { seen, participant } = visit
  const occurredAt = now().toISOString()
  return auditEvent(seen.key.caseId, type, {
    occurredAt,
    actor: 'participant',
    participantId: participant.definition.id,
    ...origin,
    ...(documentSha256 === undefined ? {} : { documentSha256 }),
    ...(embeddingOrigin === undefined ? {} : { data: { embeddingOrigin } }),
    occurrence: visitOccurrence(keyring, seen.key, { occurredAt, ...origin, embeddingOrigin }),
  })
}

/** A read-only request is given nothing, so nothing is recorded for it. */
async function recordVisit(
  { isReadOnly, visit }: ParticipantRequest,
  events: readonly AuditEvent[],
  deps: UseCaseDeps,
): Promise<void> {
  if (!isReadOnly) await recordEvents(visit.seen, events, deps)
}

/**
 * Records that the participant sees the document, unless the second factor is missing: then the
 * answer has no link to it.
 *
 * @returns what the participant still has to show
 * @throws ServiceError PIN_LOCKED, PIN_REQUIRED, TIMEOUT when the trail cannot be written
 */
export async function viewCase(
  request: ParticipantRequest,
  deps: UseCaseDeps,
): Promise<SecondFactor | undefined> {
  const missing = await missingFactor(request, deps)
  const { document, signedDocument } = request.visit.seen.signatureCase.status ?? {}
  const sha256 = (signedDocument ?? document)?.sha256
  const viewed = visitEvent('participant.viewed', request, sha256, deps)
  await recordVisit(request, missing ? [] : [viewed], deps)
  return missing
}

/**
 * Records a download of the signed document, and presigns it for 15 minutes.
 *
 * @returns the presigned URL
 * @throws ServiceError OTP_REQUIRED, PIN_LOCKED, PIN_REQUIRED, NOT_COMPLETED, TIMEOUT
 */
export async function downloadSignedDocument(
  request: ParticipantRequest,
  deps: UseCaseDeps,
): Promise<string> {
  const { key, signatureCase, view } = request.visit.seen
  // Specification 5.3 states this refusal without a condition: it goes first (decision 40).
  await requireFactor(request, deps)
  assertCompleted(view)
  const sha256 = signatureCase.status?.signedDocument?.sha256
  const downloaded = visitEvent('participant.downloaded', request, sha256, deps)
  await recordVisit(request, [downloaded], deps)
  return deps.objects.presignGet(outcomeKey(key), {
    expiresAt: new Date(deps.now().getTime() + DOWNLOAD_URL_LIFE_MS),
    downloadName: documentNames(signatureCase.spec.definition.title).signed,
  })
}
