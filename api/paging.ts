/** Query parameters of listings. */
import { Type } from '@sinclair/typebox'

/** For the documentation; the routes set `attachValidation` and judge the members themselves. */
export const PAGE_QUERY = {
  limit: Type.Optional(Type.String({ description: 'Digits, 1 to 100; 100 when absent' })),
  cursor: Type.Optional(Type.String({ description: '`nextCursor` of the page before' })),
}
