/** How the participants reached the signing page, as far as the service observed it. */
import { eventOf, type AuditEntry } from '../../domain/audit/entry.ts'
import { signedEventId } from '../../domain/cases/due-audit-events.ts'
import type { ParticipantView } from '../../domain/cases/lifecycle.ts'
import type { Evidence } from './input.ts'
import type { Identification, Manner } from './texts.ts'

/** Returns the entries about one participant that the trail has before the signature, in order. */
export function entriesBeforeSignature(
  { entries, input }: Evidence,
  { definition: { id }, signature }: ParticipantView,
): AuditEntry[] {
  const own = entries.filter(({ participantId }) => participantId === id)
  if (!signature) return own
  const eventId = signedEventId(input.signatureCase.metadata.name, signature)
  const signed = entries.find((entry) => entry.eventId === eventId)
  return own.filter(({ sequence }) => sequence < (signed?.sequence ?? 0))
}

/** Whether a mail with the signing link went out before the signature. */
function wasMailed(evidence: Evidence, participant: ParticipantView): boolean {
  return entriesBeforeSignature(evidence, participant).some((entry) => {
    if (entry.type !== 'participant.invited') return false
    return eventOf(entry, evidence.openings[entry.eventId]).data['refused'] === undefined
  })
}

/** Returns how the participant reached the signing page. */
export function identificationOf(evidence: Evidence, participant: ParticipantView): Identification {
  const { definition, invitations = [] } = evidence.input.signatureCase.spec
  const { id, notify } = participant.definition
  if (wasMailed(evidence, participant)) return 'mailedLink'
  if (invitations.some(({ participantId }) => participantId === id)) return 'unsentLink'
  if (definition.quickSign) return 'inPerson'
  return notify ? 'unsentLink' : 'handedLink'
}

/** Returns how the case was signed; a case that names a kiosk opens there and by its links. */
export function mannerOf(evidence: Evidence): Manner {
  const { participants } = evidence.input.view
  const { device } = evidence.input.signatureCase.spec.definition
  const inPerson = participants.filter(
    (participant) => identificationOf(evidence, participant) === 'inPerson',
  )
  if (inPerson.length === participants.length) return 'inPerson'
  return inPerson.length > 0 || device ? 'eitherWay' : 'remote'
}
