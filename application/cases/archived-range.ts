/** Reads the archived cases that a listing of all cases by id shows between those of the store. */
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import type { ListDeps, Listing } from './listing.ts'

/** Ids of the cases that a page of the store covers. */
interface Range {
  /** The range begins behind it. */
  after: string
  /** The last id of the range; undefined: there is no end. */
  until: string | undefined
}

/** Archived cases of a range. */
export interface Archived {
  items: SignatureCase[]
  /** The id up to which they were read; absent: the whole range was read. */
  until?: string
}

/**
 * Reads the archived cases of a range, at most one more than the page can have; fewer, when rows of
 * cases that are gone are among them. Without the index, and while it is away, listings have only
 * the cases of the store.
 */
export async function readArchivedRange(
  { tenant, limit: most }: Listing,
  { after: caseId, until }: Range,
  { cases, index, now }: ListDeps,
): Promise<Archived> {
  if (!index) return { items: [] }
  const limit = most + 1
  const query = { tenant, filter: { isArchived: true }, sort: 'ID', limit } as const
  const after = caseId === '' ? undefined : { caseId, createdMs: 0 }
  const found = await index.find({ ...query, after, nowMs: now().getTime() }).catch(() => [])
  const within = found.filter((row) => until === undefined || row.caseId <= until)
  const read = await Promise.all(within.map((row) => cases.get({ tenant, caseId: row.caseId })))
  const last = within.length === limit ? within.at(-1)?.caseId : undefined
  const items = read.filter((one) => one !== undefined)
  return last === undefined ? { items } : { items, until: last }
}
