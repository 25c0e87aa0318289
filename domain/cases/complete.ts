/**
 * Completes a case that was applied with kubectl. Ids derive from the case's id and a position, so
 * that the definition does not have to contain them (decision 2).
 */
import { uuidV5 } from '../ids.ts'
import type { ParticipantDefinition } from './definition.ts'
import type { SignatureField } from './rectangle.ts'
import type { SignatureCase } from './signature-case.ts'
import type { CaseStatus } from './status.ts'

/** Keeps a resource until everything that belongs to it is deleted. */
export const FINALIZER = 'sigcase.dev/secrets'

/** An applied case may lack the members that its definition leaves optional. */
type Applied<T, K extends keyof T> = Omit<T, K> & Partial<Pick<T, K>>
type AppliedField = Applied<SignatureField, 'id'>
type AppliedParticipant = Applied<ParticipantDefinition, 'id' | 'signatureFields'>

/** Default id of the participant at a position. */
export const deriveParticipantId = (caseId: string, position: number) =>
  uuidV5(caseId, 'participant', String(position))

/** Default id of the signature field at a position. */
export const deriveFieldId = (participantId: string, position: number) =>
  uuidV5(participantId, 'field', String(position))

function nameField(participantId: string, field: AppliedField, index: number): SignatureField {
  return { ...field, id: field.id ?? deriveFieldId(participantId, index) }
}

function nameParticipant(
  caseId: string,
  participant: AppliedParticipant,
  position: number,
): ParticipantDefinition {
  const id = participant.id ?? deriveParticipantId(caseId, position)
  const { signatureFields = [] } = participant
  return { ...participant, id, signatureFields: signatureFields.map((f, i) => nameField(id, f, i)) }
}

/** Whether the case was created through the API, which records the caller's address. */
export const isFromApi = ({ spec }: SignatureCase) =>
  (spec.creation as typeof spec.creation | undefined)?.ip !== undefined

/**
 * Whether the service processes the case. A case from the API is accepted from the start, an
 * applied one once the controller found its definition valid.
 */
export const isAccepted = ({ spec }: SignatureCase) =>
  (spec.creation as typeof spec.creation | undefined) !== undefined

function areNamed({ spec }: SignatureCase): boolean {
  return (spec.definition.participants as AppliedParticipant[]).every(
    ({ id, signatureFields }) =>
      id !== undefined &&
      signatureFields?.every((field: AppliedField) => field.id !== undefined) === true,
  )
}

/**
 * Completes a stored case: missing ids are derived, and a missing creation time is read from its
 * status. Stores call this for every case that they return.
 *
 * @returns the same object when nothing is missing
 */
export function completed(signatureCase: SignatureCase): SignatureCase {
  const { metadata, spec, status } = signatureCase
  const at = isAccepted(signatureCase) ? undefined : status?.createdAt
  if (at === undefined && areNamed(signatureCase)) return signatureCase
  const participants = spec.definition.participants.map((participant, position) =>
    nameParticipant(metadata.name, participant, position),
  )
  const definition = { ...spec.definition, participants }
  return {
    ...signatureCase,
    spec: { ...spec, definition, ...(at === undefined ? {} : { creation: { at } }) },
  }
}

/** Returns the case as it is once accepted; its creation time is that of its resource. */
export function accept(signatureCase: SignatureCase): SignatureCase {
  if (isAccepted(signatureCase)) return signatureCase
  const creation = { at: signatureCase.metadata.creationTimestamp ?? '' }
  return { ...signatureCase, spec: { ...signatureCase.spec, creation } }
}

/** Adds the finalizer; without it, a removal would leave data of the case behind. */
export function withFinalizer({ metadata, ...rest }: SignatureCase): SignatureCase {
  const finalizers = [...new Set([...(metadata.finalizers ?? []), FINALIZER])]
  return { ...rest, metadata: { ...metadata, finalizers } }
}

/**
 * Status members of an applied case: that it is accepted, and the ids of its participants. Field
 * ids are listed for participants with at least one derived field id.
 */
export function acceptedStatus(
  signatureCase: SignatureCase,
): Pick<CaseStatus, 'createdAt' | 'participants'> {
  if (isFromApi(signatureCase)) return {}
  const { creation, definition } = signatureCase.spec
  const participants = definition.participants.map(({ id, signatureFields }) => {
    const isDerived = signatureFields.some((field, index) => field.id === deriveFieldId(id, index))
    const signatureFieldIds = signatureFields.map((field) => field.id)
    return { id, ...(isDerived && { signatureFieldIds }) }
  })
  return { createdAt: creation.at, participants }
}
