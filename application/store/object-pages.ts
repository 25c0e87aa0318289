/** Reads listings of the object store page by page. */
import { isObjectKey } from '../../domain/object-names.ts'
import type { ObjectStat, ObjectStore } from '../../domain/ports/object-store.ts'

/** Objects per request; stores return at most this many. */
const PAGE_SIZE = 1_000
/** Enough for a billion objects; more pages mean that a store repeats itself. */
const MAXIMUM_PAGES = 1_000_000

/**
 * Lists all objects under a prefix whose names stores accept: others can write more, which no store
 * reads or deletes.
 *
 * ```ts
 * for await (const page of objectPages(objects, folder)) for (const { key } of page) …
 * ```
 *
 * @param maximumPages as for {@link listingPages}
 * @throws Error when the store fails
 */
export async function* objectPages(
  objects: Pick<ObjectStore, 'list'>,
  prefix: string,
  maximumPages: number = MAXIMUM_PAGES,
): AsyncGenerator<readonly ObjectStat[]> {
  for await (const page of listingPages(objects, prefix, maximumPages)) yield page.filter(isNamed)
}

const isNamed = ({ key }: ObjectStat): boolean => isObjectKey(key)

/**
 * Lists all objects under a prefix, in order of key (code units). The listing continues after the
 * last key that it returned, so objects may be removed in the meantime; objects that are added
 * before that key are not listed.
 *
 * @param maximumPages of a thousand objects; the rest is not listed
 * @throws Error when the store fails
 */
export async function* listingPages(
  objects: Pick<ObjectStore, 'list'>,
  prefix: string,
  maximumPages: number,
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
