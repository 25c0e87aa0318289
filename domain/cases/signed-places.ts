/** Where a participant's drawing is shown. */
import type { ParticipantDefinition } from './definition.ts'
import type { Rectangle } from './rectangle.ts'
import type { SignatureFact } from './spec.ts'

/** The members of a signature that say where it is. */
export type PlaceStatement = Pick<SignatureFact, 'fieldIds' | 'rectangles' | 'pageSize'>

/** A place, with the size that its page had on the screen where that is its measure. */
export interface SignedPlace extends Rectangle {
  pageSize?: NonNullable<SignatureFact['pageSize']>
}

/**
 * Returns chosen rectangles, named fields, or all predefined fields; what a statement without
 * members says.
 */
export function signedPlaces(
  { fieldIds, rectangles, pageSize }: PlaceStatement,
  { signatureFields }: Pick<ParticipantDefinition, 'signatureFields'>,
): SignedPlace[] {
  const fields = signatureFields.filter(({ id }) => fieldIds?.includes(id) ?? true)
  const places = fieldIds ? fields : (rectangles ?? fields)
  return places.map(({ page, x, y, width, height, unit }) => {
    const measured = pageSize && rectangles && !fieldIds && unit === 'pt' ? { pageSize } : {}
    return { page, x, y, width, height, unit, ...measured }
  })
}

/** The place in fractions of its page when that is known without the document. */
export function withoutPageSize({ pageSize, ...place }: SignedPlace): Rectangle {
  if (!pageSize) return place
  const { width, height } = pageSize
  return {
    page: place.page,
    x: place.x / width,
    y: place.y / height,
    width: place.width / width,
    height: place.height / height,
    unit: 'fraction',
  }
}
