/** Walks through a listing, page by page. */
import type { CallOptions } from './transport.ts'

/** A listing of 100 entries a page has ten million entries at this bound. */
const MAXIMUM_PAGES = 100_000

export interface PageOptions extends CallOptions {
  /** Entries of one page, 1 to 100. */
  limit?: number
  /** `nextCursor` of the previous page. */
  cursor?: string
}

/**
 * Yields every entry of a listing. The next page is requested when it is needed.
 *
 * @param readPage reads the page at a cursor
 * @param entriesOf selects the entries of a page
 */
export async function* walkPages<P extends { nextCursor?: string }, E>(
  readPage: (cursor?: string) => Promise<P>,
  entriesOf: (page: P) => readonly E[],
): AsyncGenerator<E, void, undefined> {
  let cursor: string | undefined
  for (let pages = 0; pages < MAXIMUM_PAGES; pages++) {
    const page = await readPage(cursor)
    yield* entriesOf(page)
    cursor = page.nextCursor
    if (cursor === undefined) return
  }
}
