/** The events of the trail that follow from a signed PDF. Pure, so every run records the same. */
import type { AuditEvent } from '../../domain/audit/entry.ts'
import { auditEvent } from '../../domain/cases/due-audit-events.ts'
import type { OwnOutput, OwnSignature } from './own-output.ts'

/** Returns the latest of the instants, each ISO 8601 in UTC with milliseconds. */
const latestOf = (...instants: readonly string[]): string => [...instants].sort().at(-1) as string

/**
 * Keeps one signature per participant, because further ones use the same certificate (decision 4).
 */
export const onePerParticipant = (signatures: readonly OwnSignature[]): OwnSignature[] =>
  signatures.filter(
    ({ participantId }, index) =>
      signatures.findIndex((one) => one.participantId === participantId) === index,
  )

/**
 * Returns the certificates, then the signatures, then the seal. A signature is complete with its
 * time-stamp, and the sealed document contains all of them, so neither event is dated before the
 * time-stamps that it follows.
 *
 * @param causedAt when the last participant signed, ISO 8601; a PDF has times in whole seconds,
 *   which must not appear to be before it
 * @param originalSha256 digest of the document before signing, hex
 */
export function signatureEvents(
  caseId: string,
  { document, signatures }: Pick<OwnOutput, 'document' | 'signatures'>,
  causedAt: string,
  originalSha256: string,
): AuditEvent[] {
  const { sha256, size, level } = document
  const system = { actor: 'system' as const, documentSha256: sha256 }
  const byParticipants = onePerParticipant(signatures).flatMap(({ participantId, ...rest }) =>
    participantId === undefined ? [] : [{ participantId, ...rest }],
  )
  const issued = byParticipants.map(({ participantId, certificateSerial, ...signature }) => {
    const { subject, certificateSha256, notBefore, notAfter, signedAt } = signature
    return auditEvent(caseId, 'participant.certificate_issued', {
      ...system,
      occurredAt: latestOf(signedAt, causedAt),
      participantId,
      occurrence: certificateSerial,
      data: { subject, certificateSerial, certificateSha256, notBefore, notAfter },
    })
  })
  const applied = byParticipants.map(({ participantId, certificateSerial, ...signature }) => {
    const { timeStampedAt, signedAt, level: ownLevel } = signature
    const [fieldName, ...furtherFieldNames] = signatures.flatMap((one) =>
      one.participantId === participantId ? [one.fieldName] : [],
    )
    const fields = { fieldName, ...(furtherFieldNames.length > 0 ? { furtherFieldNames } : {}) }
    return auditEvent(caseId, 'participant.signature_applied', {
      ...system,
      occurredAt: latestOf(signedAt, causedAt, timeStampedAt),
      participantId,
      occurrence: certificateSerial,
      data: { ...fields, certificateSerial, timeStampedAt, level: ownLevel },
    })
  })
  const instants = signatures.flatMap(({ signedAt, timeStampedAt }) => [signedAt, timeStampedAt])
  const finalised = auditEvent(caseId, 'case.finalised', {
    ...system,
    occurredAt: latestOf(causedAt, ...instants),
    data: { size, level, originalSha256 },
  })
  return [...issued, ...applied, finalised]
}
