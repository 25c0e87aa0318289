/**
 * Adds what a person who applies a case may leave out. Ids follow from the case's id and a
 * position, so that nobody has to write them into the definition (decision 182).
 */
import { uuidV5 } from '../ids.ts'
import type { ParticipantDefinition } from './definition.ts'
import type { SignatureField } from './rectangle.ts'
import type { SignatureCase } from './signature-case.ts'
import type { CaseStatus } from './status.ts'

/** Keeps a resource until what belongs to it is gone. */
export const FINALIZER = 'sigcase.dev/secrets'

/** A case may have been applied past the API, as far as its definition leaves that open. */
type Applied<T, K extends keyof T> = Omit<T, K> & Partial<Pick<T, K>>
type AppliedField = Applied<SignatureField, 'id'>
type AppliedParticipant = Applied<ParticipantDefinition, 'id' | 'signatureFields'>

/** Id of the participant at a position, unless the definition states another. */
export const deriveParticipantId = (caseId: string, position: number) =>
  uuidV5(caseId, 'participant', String(position))

/** Id of a signature field at a position, unless the definition states another. */
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

/** Whether the case came through the API, which notes from where. */
export const isFromApi = ({ spec }: SignatureCase) =>
  (spec.creation as typeof spec.creation | undefined)?.ip !== undefined

/**
 * Whether the service works with the case. A case from the API is accepted from the start; an
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
 * Reads a stored case: ids that its definition leaves out are derived, and the time of its creation
 * is the one in its status when its spec has none. Stores do this wherever they give a case.
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

/** The case as it reads once it is accepted: it was created when its resource was. */
export function accept(signatureCase: SignatureCase): SignatureCase {
  if (isAccepted(signatureCase)) return signatureCase
  const creation = { at: signatureCase.metadata.creationTimestamp ?? '' }
  return { ...signatureCase, spec: { ...signatureCase.spec, creation } }
}

/** Gives the case the finalizer; without it, a removal would leave what belongs to the case. */
export function withFinalizer({ metadata, ...rest }: SignatureCase): SignatureCase {
  const finalizers = [...new Set([...(metadata.finalizers ?? []), FINALIZER])]
  return { ...rest, metadata: { ...metadata, finalizers } }
}

/**
 * What the status tells of an applied case: that it is accepted, and which ids it has. The ids of
 * fields are listed where at least one of a participant's is derived.
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
