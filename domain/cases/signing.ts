/** Validates a signing request beyond its schema, and converts it to a fact. */
import type { SigningInput } from '../contract/signing-input.ts'
import type { ValidationProblem } from '../errors.ts'
import type { OccupiedPlace, PageSize } from '../ports/pdf-sandbox.ts'
import {
  areaFault,
  COVERS_FIELD_MESSAGE,
  coversField,
  doOverlap,
  isTooSmall,
  reachesBeyond,
  TOO_SMALL,
} from './placement.ts'
import type { ParticipantDefinition } from './definition.ts'
import type { SignatureFact } from './spec.ts'

/** The members of the body that say where to sign. */
export type PlaceInput = Pick<SigningInput, 'fieldIds' | 'signatures' | 'pageSize'>

/** What decides where a signature can go. */
export interface PlacedDocument {
  /** In points, as displayed. */
  pages: readonly PageSize[]
  /** Form fields of a document that carries signatures. */
  occupied?: readonly OccupiedPlace[]
}

/** Fields that the participant does not have, and those named twice. */
function fieldProblems(fieldIds: readonly string[], ids: readonly string[]): ValidationProblem[] {
  return fieldIds.flatMap((id, index): ValidationProblem[] => {
    const instancePath = `/fieldIds/${index}`
    if (!ids.includes(id)) {
      const message = 'must be one of the signature fields of the participant'
      return [{ instancePath, keyword: 'enum', params: { allowedValues: ids }, message }]
    }
    const first = fieldIds.indexOf(id)
    if (first === index) return []
    const params = { i: index, j: first }
    return [{ instancePath, keyword: 'uniqueItems', params, message: 'must not be listed twice' }]
  })
}

/**
 * Own rectangles that lie on no page, reach beyond it, are too large, cover a field of a signed
 * document, or lie over each other.
 */
function rectangleProblems(
  { signatures = [], pageSize }: PlaceInput,
  { pages, occupied = [] }: PlacedDocument,
): ValidationProblem[] {
  return signatures.flatMap((rectangle, index): ValidationProblem[] => {
    const page = pages[rectangle.page - 1]
    const instancePath = `/signatures/${index}`
    if (!page) {
      const params = { pageCount: pages.length }
      const message = 'must be on a page of the document'
      return [{ instancePath: `${instancePath}/page`, keyword: 'insidePage', params, message }]
    }
    if (isTooSmall(rectangle, page, pageSize)) {
      return [{ instancePath, keyword: 'minimumSize', ...TOO_SMALL }]
    }
    if (reachesBeyond(rectangle, pageSize ?? page)) {
      const params = { unit: rectangle.unit }
      return [{ instancePath, keyword: 'insidePage', params, message: 'must be inside the page' }]
    }
    const tooLarge = areaFault(rectangle, page, pageSize)
    if (tooLarge) return [{ instancePath, keyword: 'maxArea', ...tooLarge }]
    if (coversField(rectangle, page, occupied, pageSize)) {
      return [{ instancePath, keyword: 'overlap', params: {}, message: COVERS_FIELD_MESSAGE }]
    }
    const below = signatures
      .slice(0, index)
      .findIndex((earlier) => doOverlap(earlier, rectangle, page, pageSize))
    if (below < 0) return []
    const params = { i: index, j: below }
    const message = 'must not overlap another rectangle of the request'
    return [{ instancePath, keyword: 'overlap', params, message }]
  })
}

/** Whether the participant chose rectangles, which depend on the pages of the document. */
export const choosesPlaces = ({ fieldIds, signatures }: PlaceInput) =>
  !fieldIds && signatures !== undefined

/**
 * Returns all problems with the places that the participant wants to sign.
 *
 * @param document what intake found; it is used only if {@link choosesPlaces}
 * @param ownPlaces whether the tenant lets participants choose places
 */
export function placeProblems(
  input: PlaceInput,
  participant: ParticipantDefinition,
  document: PlacedDocument,
  ownPlaces = true,
): ValidationProblem[] {
  const ids = participant.signatureFields.map(({ id }) => id)
  if (input.fieldIds) return fieldProblems(input.fieldIds, ids)
  if (input.signatures && !ownPlaces) {
    const message = 'must be absent: the sender of the case sets the places of signatures'
    return [{ instancePath: '/signatures', keyword: 'ownPlaces', params: {}, message }]
  }
  if (input.signatures) return rectangleProblems(input, document)
  if (ids.length > 0) return []
  return [
    {
      instancePath: '',
      keyword: 'required',
      params: { missingProperty: 'signatures' },
      message: 'must have fieldIds or signatures: the participant has no predefined fields',
    },
  ]
}

/** Places of the drawing for the fact; `signatures` count when `fieldIds` is absent. */
function placeOf({ fieldIds, signatures, pageSize }: PlaceInput) {
  if (fieldIds) return { fieldIds }
  if (!signatures) return {}
  return { rectangles: signatures, ...(pageSize ? { pageSize } : {}) }
}

/** The participant's statement for the fact: consent, client and places. */
export function statementOf(
  input: SigningInput,
): Pick<SignatureFact, 'consent' | 'client' | 'fieldIds' | 'rectangles' | 'pageSize'> {
  const { consent, client } = input
  const { textVersion, acceptedAt } = consent
  return {
    consent: { textVersion, acceptedAt: new Date(acceptedAt).toISOString() },
    ...(client ? { client } : {}),
    ...placeOf(input),
  }
}
