/** Pages of a tenant's cases: read by pages of the store and picked over (decision 52). */
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import type { Phase } from '../../domain/cases/status.ts'
import { sealCursor } from '../../domain/cursor.ts'
import type { UseCaseDeps } from '../deps.ts'
import { positionOf } from '../paging.ts'
import { isReadable, seeCase, type SeenCase } from './read-case.ts'

/** What one request reads of the store when few cases have the status that is asked for. */
const SCAN_PAGE = 100
const MAXIMUM_SCANNED_PAGES = 10

type ListDeps = Pick<UseCaseDeps, 'cases' | 'keyring' | 'now'>

/** Where a listing goes on: a page of the store, and the last case of it that was looked at. */
interface Position {
  continue?: string
  after: string
}

export interface ListRequest {
  tenant: string
  limit: number
  status?: Phase
  cursor?: unknown
}

const listingOf = ({ tenant, status }: ListRequest) => ['cases', tenant, status ?? 'any']

const START: Position = { after: '' }

interface Found {
  cases: SeenCase[]
  next?: Position
}

/** Selects the matching cases of one page of the store; stops before one more than the limit. */
function pick(
  items: readonly SignatureCase[],
  found: Found,
  request: ListRequest,
  deps: ListDeps,
): { isFull: boolean; after: string } {
  let after = ''
  for (const item of items) {
    const seen = seeCase(item, deps)
    const isWanted = request.status === undefined || seen.view.phase === request.status
    if (isWanted && found.cases.length === request.limit) return { isFull: true, after }
    if (isWanted) found.cases.push(seen)
    after = item.metadata.name
  }
  return { isFull: false, after }
}

async function find(request: ListRequest, position: Position, deps: ListDeps): Promise<Found> {
  const { tenant, status, limit } = request
  const found: Found = { cases: [] }
  const pageSize = status === undefined ? limit : SCAN_PAGE
  let { after } = position
  let token = position.continue
  for (let page = 0; page < MAXIMUM_SCANNED_PAGES; page++) {
    const from = token === undefined ? {} : { continue: token }
    const { items, continue: more } = await deps.cases.list({ tenant, limit: pageSize, ...from })
    const fresh = items.filter((item) => item.metadata.name > after && isReadable(item))
    const picked = pick(fresh, found, request, deps)
    if (picked.isFull) return { ...found, next: { ...from, after: picked.after || after } }
    if (more === undefined) return found
    after = ''
    token = more
    if (found.cases.length === limit) break
  }
  return { ...found, next: { ...(token === undefined ? {} : { continue: token }), after } }
}

/**
 * A page of the tenant's cases in order of their ids. With a status, it may have fewer than
 * `limit`, also none, while there are more.
 *
 * @throws ServiceError INVALID_CURSOR
 */
export async function listCases(
  request: ListRequest,
  deps: ListDeps,
): Promise<{ cases: SeenCase[]; nextCursor?: string }> {
  const position = positionOf<Position>(request, listingOf(request), deps.keyring)
  const { cases, next } = await find(request, position ?? START, deps)
  if (!next) return { cases }
  return { cases, nextCursor: sealCursor(deps.keyring, listingOf(request), next) }
}
