/** Reads listings of the object store page by page. */
import type { ObjectStat, ObjectStore } from './ports/object-store.ts'

/** What one request lists: stores answer no more at once. */
const PAGE_SIZE = 1_000
/** A thousand million objects: more pages mean that a store answers the same again and again. */
const MAXIMUM_PAGES = 1_000_000

/**
 * Every object under a prefix, in order of key (code units). A listing goes on after the last key
 * that it saw, so that objects may be removed meanwhile; those added behind it are not seen.
 *
 * ```ts
 * for await (const page of objectPages(objects, folder)) for (const { key } of page) …
 * ```
 *
 * @param maximumPages of a thousand objects; what is left over is not listed
 * @throws Error when the store fails
 */
export async function* objectPages(
  objects: Pick<ObjectStore, 'list'>,
  prefix: string,
  maximumPages: number = MAXIMUM_PAGES,
): AsyncGenerator<readonly ObjectStat[]> {
  let after: string | undefined
  for (let page = 0; page < maximumPages; page++) {
    const from = after === undefined ? {} : { after }
    const stats = await objects.list(prefix, { limit: PAGE_SIZE, ...from })
    yield stats
    after = stats.at(-1)?.key
    if (stats.length < PAGE_SIZE) return
  }
}
