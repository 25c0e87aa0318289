/** Pages of a tenant's cases, by the index or by a scan of the store (decisions 52 and 233). */
import { canonicalJson } from '../../domain/canonical-json.ts'
import { sealCursor } from '../../domain/cursor.ts'
import { ServiceError } from '../../domain/errors.ts'
import { positionOf } from '../paging.ts'
import { findCases } from './find-cases.ts'
import type { Found, ListDeps, Listing, Position } from './listing.ts'
import type { ObservedCase } from './read-case.ts'
import { scanCases } from './scan-cases.ts'

export interface ListRequest extends Listing {
  cursor?: unknown
}

const START: Position = { after: '' }

/** Identifies a listing, so that a cursor works in no other one. */
function nameOf({ tenant, filter, sort }: Listing): string[] {
  const { phases, ...more } = filter
  const [phase, ...others] = phases ?? ['any']
  const isPlain = others.length === 0 && Object.keys(more).length === 0 && sort === 'ID'
  if (isPlain && phase !== undefined) return ['cases', tenant, phase]
  return ['cases', tenant, canonicalJson({ ...filter }), sort]
}

/**
 * Without a filter, a listing by id reads the store: one request for a page. The index answers all
 * others. While it cannot be read, a listing by id scans the store.
 *
 * @throws ServiceError INDEX_REQUIRED, TIMEOUT
 */
async function find(listing: Listing, position: Position, deps: ListDeps): Promise<Found> {
  const { filter, sort } = listing
  const { index } = deps
  const canScan = sort === 'ID'
  if (canScan && (!index || Object.keys(filter).length === 0)) {
    return scanCases(listing, position, deps)
  }
  if (!index) throw new ServiceError('INDEX_REQUIRED')
  const pages = await findCases(listing, position, { ...deps, index }).catch((cause: unknown) => {
    if (!canScan) throw new ServiceError('TIMEOUT', {}, { cause })
  })
  return pages ?? scanCases(listing, position, deps)
}

/**
 * A page of the tenant's cases. With a filter, it may have fewer than `limit`, also none, while
 * there are more.
 *
 * @throws ServiceError INVALID_CURSOR; INDEX_REQUIRED for an order that needs the index; TIMEOUT
 */
export async function listCases(
  request: ListRequest,
  deps: ListDeps,
): Promise<{ cases: ObservedCase[]; nextCursor?: string }> {
  const name = nameOf(request)
  const position = positionOf<Position>(request, name, deps.keyring)
  const { cases, next } = await find(request, position ?? START, deps)
  if (!next) return { cases }
  return { cases, nextCursor: sealCursor(deps.keyring, name, next) }
}
