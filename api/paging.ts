/** What the queries of listings have in common: `limit` and `cursor` (specification 4.4). */
import { Type } from '@sinclair/typebox'
import { ServiceError } from '../domain/errors.ts'
import { MAXIMUM_PAGE_SIZE } from '../domain/limits.ts'

const DIGITS = /^\d{1,3}$/

/** Not validated by its schema: a member that comes twice is a list. */
export interface PageQuery {
  limit?: unknown
  cursor?: unknown
}

export const PAGE_QUERY = {
  limit: Type.Optional(Type.String({ description: 'Digits, 1 to 100; 100 when absent' })),
  cursor: Type.Optional(Type.String({ description: '`nextCursor` of the page before' })),
}

/** @throws ServiceError INVALID_LIMIT */
export function limitOf({ limit }: PageQuery): number {
  if (limit === undefined) return MAXIMUM_PAGE_SIZE
  const value = Number(limit)
  const isDigits = typeof limit === 'string' && DIGITS.test(limit)
  if (isDigits && value >= 1 && value <= MAXIMUM_PAGE_SIZE) return value
  throw new ServiceError('INVALID_LIMIT')
}
