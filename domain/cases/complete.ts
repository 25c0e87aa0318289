/** Fills in what a person who applies a case leaves out, as the API does for its callers. */
import { uuidV5 } from '../ids.ts'
import type { ParticipantDefinition } from './definition.ts'
import type { SignatureField } from './rectangle.ts'
import type { SignatureCase } from './signature-case.ts'

/** Keeps a resource until what belongs to it is gone. */
export const FINALIZER = 'sigcase.dev/secrets'

/** A case may have been applied past the API, as far as its definition leaves that open. */
type Applied<T, K extends keyof T> = Omit<T, K> & Partial<Pick<T, K>>

function fieldOf(participantId: string, field: Applied<SignatureField, 'id'>, index: number) {
  return { ...field, id: field.id ?? uuidV5(participantId, 'field', String(index)) }
}

function participantOf(
  caseId: string,
  participant: Applied<ParticipantDefinition, 'id'>,
  position: number,
): ParticipantDefinition {
  const id = participant.id ?? uuidV5(caseId, 'participant', String(position))
  const signatureFields = participant.signatureFields.map((field, index) =>
    fieldOf(id, field, index),
  )
  return { ...participant, id, signatureFields }
}

/** Whether the case came through the API, which notes from where. */
export const isFromApi = ({ spec }: SignatureCase) =>
  (spec.creation as typeof spec.creation | undefined)?.ip !== undefined

/** @returns whether ids, time of creation and finalizer are there */
function isComplete({ metadata, spec }: SignatureCase): boolean {
  const creation = spec.creation as typeof spec.creation | undefined
  const participants = spec.definition.participants as Applied<ParticipantDefinition, 'id'>[]
  const areNamed = participants.every(
    ({ id, signatureFields }) =>
      id !== undefined &&
      signatureFields.every((field: Applied<SignatureField, 'id'>) => field.id !== undefined),
  )
  return creation !== undefined && areNamed && metadata.finalizers?.includes(FINALIZER) === true
}

/**
 * @returns the case with ids, time of creation and finalizer; the same object when nothing is
 *   missing, or when it came through the API
 */
export function completed(signatureCase: SignatureCase): SignatureCase {
  if (isFromApi(signatureCase) || isComplete(signatureCase)) return signatureCase
  const { metadata, spec } = signatureCase
  const { definition, creation = { at: metadata.creationTimestamp ?? '' } } = spec
  const finalizers = [...new Set([...(metadata.finalizers ?? []), FINALIZER])]
  const participants = definition.participants.map((participant, position) =>
    participantOf(metadata.name, participant, position),
  )
  return {
    ...signatureCase,
    metadata: { ...metadata, finalizers },
    spec: { ...spec, creation, definition: { ...definition, participants } },
  }
}
