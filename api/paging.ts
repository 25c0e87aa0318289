/** Pages of listings: how many at once, and from where on. */
import { EVENTS_PAGE_SIZE } from '../domain/limits.ts'
import { ServiceError } from '../domain/errors.ts'

const DIGITS = /^\d{1,3}$/

/** Not validated by its schema: a member that comes twice is a list. */
export interface PageQuery {
  limit?: unknown
  cursor?: unknown
}

/** @throws ServiceError INVALID_LIMIT */
export function limitOf({ limit }: PageQuery): number {
  if (limit === undefined) return EVENTS_PAGE_SIZE
  const value = Number(limit)
  const isDigits = typeof limit === 'string' && DIGITS.test(limit)
  if (isDigits && value >= 1 && value <= EVENTS_PAGE_SIZE) return value
  throw new ServiceError('INVALID_LIMIT')
}
