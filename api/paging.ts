/** What listings have in common: `limit`, and a cursor that belongs to one listing alone. */
import { Type } from '@sinclair/typebox'
import { Buffer } from 'node:buffer'
import { ServiceError } from '../domain/errors.ts'
import { EVENTS_PAGE_SIZE } from '../domain/limits.ts'

const DIGITS = /^\d{1,3}$/

/** Not validated by its schema: a member that comes twice is a list. */
export interface PageQuery {
  limit?: unknown
  cursor?: unknown
}

/** For the documentation; the routes set `attachValidation` and judge the members themselves. */
export const PAGE_QUERY = Type.Object({
  limit: Type.Optional(Type.String({ description: 'Digits, 1 to 100; 100 when absent' })),
  cursor: Type.Optional(Type.String({ description: '`nextCursor` of the page before' })),
})

/** @throws ServiceError INVALID_LIMIT */
export function limitOf({ limit }: PageQuery): number {
  if (limit === undefined) return EVENTS_PAGE_SIZE
  const value = Number(limit)
  const isDigits = typeof limit === 'string' && DIGITS.test(limit)
  if (isDigits && value >= 1 && value <= EVENTS_PAGE_SIZE) return value
  throw new ServiceError('INVALID_LIMIT')
}

/** @param parts what names the listing, and where it goes on */
export function encodeCursor(...parts: readonly string[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

/**
 * Where the listing goes on, or undefined at its beginning.
 *
 * @param listing what names it: a cursor of another one is refused
 * @throws ServiceError INVALID_CURSOR
 */
export function decodeCursor({ cursor }: PageQuery, listing: string): string | undefined {
  if (cursor === undefined) return undefined
  const place = placeOf(String(cursor), listing)
  if (place === undefined || encodeCursor(listing, place) !== cursor) {
    throw new ServiceError('INVALID_CURSOR')
  }
  return place
}

function placeOf(cursor: string, listing: string): string | undefined {
  try {
    const [name, place] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
    return name === listing && typeof place === 'string' ? place : undefined
  } catch {
    return undefined
  }
}
