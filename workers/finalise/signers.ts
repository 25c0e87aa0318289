/** Turns what a participant stated into what the PDF library is asked to sign. */
import type { Drawing, Placement, SignerRequest } from '../../pades/index.ts'
import type { Language, ParticipantDefinition } from '../../domain/cases/definition.ts'
import type { SignatureFact } from '../../domain/cases/spec.ts'
import type { CredentialSource } from './work.ts'

/** The field of a participant's signature; the name leads from the PDF back to the trail. */
export const fieldNameOf = (participantId: string) => `sigcase-${participantId}`
/** A name that was taken is followed by a number. */
const FIELD_NAME =
  /^sigcase-([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?![0-9a-f])/
/** The participant whose signature stands in the field, or undefined. */
export const participantOfField = (name: string) => FIELD_NAME.exec(name)?.[1]

export const SEAL_FIELD_NAME = 'sigcase-seal'
/** Who seals, as `/Name` says it. */
export const SEAL_NAME = 'sigcase'

const SIGNED_ELECTRONICALLY: Readonly<Record<Language, (at: string) => string>> = {
  sk: (at) => `Podpísané ${at}`,
  en: (at) => `Signed ${at}`,
}

/** `2026-11-02 09:00:00 UTC` for everybody: a signature is read in court, in any country. */
function inUtc(instant: string): string {
  return `${new Date(instant).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

type Statement = Pick<SignatureFact, 'fieldIds' | 'rectangles' | 'pageSize'>

/** Where the participant's drawing goes: own rectangles, named fields, or all predefined ones. */
function placesOf(fact: Statement, participant: ParticipantDefinition): Placement[] {
  const { fieldIds, rectangles, pageSize } = fact
  const fields = participant.signatureFields.filter(({ id }) => fieldIds?.includes(id) ?? true)
  const places = fieldIds ? fields : (rectangles ?? fields)
  return places.map(({ page, x, y, width, height, unit }) => {
    const measured = pageSize && rectangles && !fieldIds && unit === 'pt' ? { pageSize } : {}
    return { page, x, y, width, height, unit, ...measured }
  })
}

/** What is told and where, of a signature that was stated or is foreseen. */
export function signatureContent(statement: Statement, participant: ParticipantDefinition) {
  return {
    fieldName: fieldNameOf(participant.id),
    name: `${participant.firstName} ${participant.lastName}`,
    places: placesOf(statement, participant),
  }
}

/**
 * One participant's signature, as the signing library is asked for it.
 *
 * @param drawing goes into every place, above the name and the time, which is of the fact; a place
 *   that the participant chose is framed
 * @param credential the key and the certificate that were made for this signature
 */
export function signerRequest(
  fact: SignatureFact,
  participant: ParticipantDefinition,
  drawing: Drawing,
  credential: CredentialSource,
): SignerRequest {
  const content = signatureContent(fact, participant)
  const signed = SIGNED_ELECTRONICALLY[participant.language](inUtc(fact.signedAt))
  const isFramed = fact.rectangles !== undefined && fact.fieldIds === undefined
  const appearance = { drawing, lines: [content.name, signed], isFramed }
  return { ...content, appearance, credential }
}
