/** Converts a participant's signature fact into a request to the PDF library. */
import type { Credential, Drawing, SignerRequest } from '../../pades/index.ts'
import type { Language, ParticipantDefinition } from '../../domain/cases/definition.ts'
import { signedPlaces, type PlaceStatement } from '../../domain/cases/signed-places.ts'
import type { SignatureFact } from '../../domain/cases/spec.ts'

/** Name of a participant's signature field; it links the PDF to the trail. */
export const fieldNameOf = (participantId: string) => `sigcase-${participantId}`
/** When a field name is already in use, a number is appended. */
const FIELD_NAME =
  /^sigcase-([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?![0-9a-f])/
/** Returns the participant to whom the field belongs, or undefined. */
export const participantOfField = (name: string) => FIELD_NAME.exec(name)?.[1]

export const SEAL_FIELD_NAME = 'sigcase-seal'
/** Name of the sealing party, as in `/Name`. */
export const SEAL_NAME = 'sigcase'

const SIGNED_ELECTRONICALLY: Readonly<Record<Language, (at: string) => string>> = {
  sk: (at) => `Podpísané ${at}`,
  en: (at) => `Signed ${at}`,
}

/**
 * Formats an instant in UTC for every reader, such as `2026-11-02 09:00:00 UTC`, because courts in
 * any country may read it.
 */
function inUtc(instant: string): string {
  return `${new Date(instant).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** Field name, signer and places of a signature, made or foreseen. */
export function signatureContent(statement: PlaceStatement, participant: ParticipantDefinition) {
  return {
    fieldName: fieldNameOf(participant.id),
    name: `${participant.firstName} ${participant.lastName}`,
    places: signedPlaces(statement, participant),
  }
}

/**
 * Builds the library's request for one participant's signature.
 *
 * @param drawing shown in every place above the name and the signing time; a place that the
 *   participant chose gets a frame
 * @param credential the key and the certificate that were made for this signature
 */
export function signerRequest(
  fact: SignatureFact,
  participant: ParticipantDefinition,
  drawing: Drawing,
  credential: () => Promise<Credential>,
): SignerRequest {
  const content = signatureContent(fact, participant)
  const signed = SIGNED_ELECTRONICALLY[participant.language](inUtc(fact.signedAt))
  const isFramed = fact.rectangles !== undefined && fact.fieldIds === undefined
  const appearance = { drawing, lines: [content.name, signed], isFramed }
  return { ...content, appearance, credential }
}
