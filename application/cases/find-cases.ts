/** Lists cases by the index, and reads each found case (decision 233). */
import type { FoundCase } from '../../domain/ports/case-index.ts'
import { observeMatch, type Found, type ListDeps, type Listing, type Position } from './listing.ts'
import type { ObservedCase } from './read-case.ts'

/** Cases that are read at once; on a cluster each is a request to the API server. */
const CONCURRENCY = 20

/** @returns undefined for a case that is gone, or that does not meet the filter any more */
async function readFound(
  { caseId }: FoundCase,
  { tenant, filter }: Listing,
  deps: ListDeps,
): Promise<ObservedCase | undefined> {
  const signatureCase = await deps.cases.get({ tenant, caseId })
  return signatureCase && observeMatch(signatureCase, filter, deps)
}

/**
 * A page of cases in the order of the listing. It may have fewer than `limit` while there are more,
 * because the index can be behind the cases.
 *
 * @throws Error when the index cannot be read
 */
export async function findCases(
  listing: Listing,
  { after: caseId, createdMs = 0 }: Position,
  { index, ...deps }: ListDeps & Required<Pick<ListDeps, 'index'>>,
): Promise<Found> {
  const { tenant, filter, sort, limit } = listing
  const nowMs = deps.now().getTime()
  const after = caseId === '' ? undefined : { caseId, createdMs }
  const rows = await index.find({ tenant, filter, sort, limit: limit + 1, nowMs, after })
  const page = rows.slice(0, limit)
  const cases: ObservedCase[] = []
  for (let start = 0; start < page.length; start += CONCURRENCY) {
    const part = page.slice(start, start + CONCURRENCY)
    const seen = await Promise.all(part.map((row) => readFound(row, listing, deps)))
    cases.push(...seen.filter((one) => one !== undefined))
  }
  const last = page.at(-1)
  if (rows.length <= limit || !last) return { cases }
  const time = sort === 'ID' ? {} : { createdMs: last.createdMs }
  return { cases, next: { after: last.caseId, ...time } }
}
