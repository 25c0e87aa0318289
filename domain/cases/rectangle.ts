/** Rectangles on pages, as tenants and signers specify them. */
import { Type, type Static } from '@sinclair/typebox'
import * as limits from '../limits.ts'
import { stringEnum, text } from '../schema-parts.ts'

const coordinate = (description: string) =>
  Type.Number({ minimum: 0, maximum: limits.MAXIMUM_COORDINATE, description })
/** Schema of a length greater than 0, in the unit of the rectangle. */
export const extent = (description: string) =>
  Type.Number({ exclusiveMinimum: 0, maximum: limits.MAXIMUM_COORDINATE, description })

/** A rectangle on a page as displayed: origin at its top left corner, y downwards. */
const rectangle = {
  page: Type.Integer({
    minimum: 1,
    maximum: limits.MAXIMUM_PAGE_NUMBER,
    description: 'Page number; the first page is 1',
  }),
  x: coordinate('Distance from the left edge of the displayed page'),
  y: coordinate('Distance from the top edge of the displayed page'),
  width: extent('Width of the rectangle'),
  height: extent('Height of the rectangle'),
  unit: stringEnum(['pt', 'fraction'], {
    description: 'pt: 1/72 inch; fraction: fraction of the page width and height',
  }),
}

export const Rectangle = Type.Object(rectangle, {
  insidePage: true,
  description: 'Rectangle on the displayed page; the origin is the top left corner',
})
export type Rectangle = Static<typeof Rectangle>

export const SignatureField = Type.Object(
  {
    id: text(limits.MAXIMUM_NAME_LENGTH, 'Id of the field, unique for its participant'),
    ...rectangle,
  },
  { insidePage: true, description: 'Rectangle for a drawing on the displayed page' },
)
export type SignatureField = Static<typeof SignatureField>
