/** Rectangles on pages, as tenants and signers specify them. */
import { Type, type Static } from '@sinclair/typebox'
import * as limits from '../limits.ts'
import { stringEnum, text } from '../schema-parts.ts'

const coordinate = (description: string) =>
  Type.Number({ minimum: 0, maximum: limits.MAXIMUM_COORDINATE, description })
/** A length greater than zero. */
export const extent = (description: string) =>
  Type.Number({ exclusiveMinimum: 0, maximum: limits.MAXIMUM_COORDINATE, description })

/** A rectangle on a page as displayed: origin at its top left corner, y downwards. */
const rectangle = {
  page: Type.Integer({
    minimum: 1,
    maximum: limits.MAXIMUM_PAGE_NUMBER,
    description: 'Page number, from 1',
  }),
  x: coordinate('Distance from the left edge of the page as displayed'),
  y: coordinate('Distance from the top edge of the page as displayed'),
  width: extent('Width of the rectangle'),
  height: extent('Height of the rectangle'),
  unit: stringEnum(['pt', 'fraction'], {
    description: 'pt: 1/72 inch; fraction: of the width and height of the page',
  }),
}

export const Rectangle = Type.Object(rectangle, {
  insidePage: true,
  description: 'A rectangle on a page as displayed: origin at its top left corner',
})
export type Rectangle = Static<typeof Rectangle>

export const SignatureField = Type.Object(
  {
    id: text(limits.MAXIMUM_NAME_LENGTH, 'Id of the field, unique for its participant'),
    ...rectangle,
  },
  { insidePage: true, description: 'Place of a drawing on a page as displayed' },
)
export type SignatureField = Static<typeof SignatureField>
