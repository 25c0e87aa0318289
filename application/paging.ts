/** Parts that listings share: `limit`, and a cursor that only works in its own listing. */
import { openCursor } from '../domain/cursor.ts'
import { ServiceError } from '../domain/errors.ts'
import { MAXIMUM_PAGE_SIZE } from '../domain/limits.ts'
import type { Keyring } from '../domain/ports/keyring.ts'

const DIGITS = /^\d+$/

/** Not validated by its schema: a member that comes twice is a list. */
export interface PageQuery {
  limit?: unknown
  cursor?: unknown
}

/** @throws ServiceError INVALID_LIMIT */
export function limitOf({ limit }: PageQuery): number {
  if (limit === undefined) return MAXIMUM_PAGE_SIZE
  const value = Number(limit)
  const isDigits = typeof limit === 'string' && DIGITS.test(limit)
  if (isDigits && value >= 1 && value <= MAXIMUM_PAGE_SIZE) return value
  throw new ServiceError('INVALID_LIMIT')
}

/**
 * Where the listing goes on, or undefined at its beginning.
 *
 * @param listing as it was when the cursor was sealed
 * @throws ServiceError INVALID_CURSOR
 */
export function positionOf<T>(
  { cursor }: PageQuery,
  listing: readonly string[],
  keyring: Keyring<'request-mac'>,
): T | undefined {
  if (cursor === undefined) return undefined
  const isText = typeof cursor === 'string'
  const position = isText ? openCursor<T>(keyring, listing, cursor) : undefined
  if (position === undefined) throw new ServiceError('INVALID_CURSOR')
  return position
}
