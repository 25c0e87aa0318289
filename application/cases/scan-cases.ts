/** Lists cases by reading pages of the store and selecting from them (decision 52). */
import { readArchivedRange, type Archived } from './archived-range.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import { observeMatch, type Found, type ListDeps, type Listing, type Position } from './listing.ts'

/** What one request reads of the store when few cases match. */
const SCAN_PAGE = 100
const MAXIMUM_SCANNED_PAGES = 10

/** Selects the matching cases of one page of the store; stops before one more than the limit. */
function pick(
  items: readonly SignatureCase[],
  found: Found,
  { filter, limit }: Listing,
  deps: ListDeps,
): { isFull: boolean; after: string } {
  let after = ''
  for (const item of items) {
    const seen = observeMatch(item, filter, deps)
    if (seen && found.cases.length === limit) return { isFull: true, after }
    if (seen) found.cases.push(seen)
    after = item.metadata.name
  }
  return { isFull: false, after }
}

/** By id; a case whose archiving is under way is there twice and is listed once. */
function inOrder(items: readonly SignatureCase[]): SignatureCase[] {
  const byName = new Map(items.toReversed().map((item) => [item.metadata.name, item]))
  return [...byName.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item)
}

/** Whether a case of the store comes behind `after`, in the part whose archived cases were read. */
const isWithin = (name: string, after: string, { until }: Archived): boolean =>
  name > after && (until === undefined || name <= until)

/**
 * A page of cases in order of their ids. With a filter, it may have fewer than `limit`, also none,
 * while there are more.
 */
export async function scanCases(
  listing: Listing,
  position: Position,
  deps: ListDeps,
): Promise<Found> {
  const { tenant, filter, limit } = listing
  const found: Found = { cases: [] }
  const isWhole = Object.keys(filter).length === 0
  const pageSize = isWhole ? limit : SCAN_PAGE
  let { after, continue: token } = position
  for (let page = 0; page < MAXIMUM_SCANNED_PAGES; page++) {
    const from = token === undefined ? {} : { continue: token }
    const { items, continue: more } = await deps.cases.list({ tenant, limit: pageSize, ...from })
    const range = { after, until: more === undefined ? undefined : items.at(-1)?.metadata.name }
    const archived: Archived = isWhole
      ? await readArchivedRange(listing, range, deps)
      : { items: [] }
    const stored = items.filter(({ metadata: { name } }) => isWithin(name, range.after, archived))
    const picked = pick(inOrder([...stored, ...archived.items]), found, listing, deps)
    after = picked.after || after
    if (picked.isFull) return { ...found, next: { ...from, after } }
    // Rows of archived cases that are gone: the rest of the page of the store comes next.
    if (archived.until !== undefined) after = archived.until
    else if (more === undefined) return found
    else token = more
    if (found.cases.length === limit) break
  }
  return { ...found, next: { ...(token === undefined ? {} : { continue: token }), after } }
}
