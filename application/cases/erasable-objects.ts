/** Finds the objects of a case that are still to be erased. */
import type { ObjectStat, ObjectStore } from '../../domain/ports/object-store.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import { isKept, keptFolderOf } from '../../domain/cases/erasure.ts'
import { caseFolder } from '../../domain/cases/keys.ts'
import { isObjectKey } from '../../domain/object-names.ts'

const LIST_PAGE = 1000
/** Far more pages than one case can fill. */
const MAXIMUM_PAGES = 1000
/** Sorts after every character of a key. */
const LAST = '~'

/**
 * Returns at most `limit` objects that are not kept as they are. The listing skips folders that are
 * kept as a whole, and objects whose names only others can have written: no store reads them.
 */
export async function erasableObjects(
  key: CaseKey,
  objects: Pick<ObjectStore, 'list'>,
  limit: number,
): Promise<ObjectStat[]> {
  const folder = caseFolder(key)
  const found: ObjectStat[] = []
  let after = folder
  for (let page = 0; page < MAXIMUM_PAGES && found.length < limit; page++) {
    const stats = await objects.list(folder, { limit: LIST_PAGE, after })
    found.push(...stats.filter((stat) => isObjectKey(stat.key) && !isKept(key, stat)))
    const last = stats.at(-1)
    if (!last || stats.length < LIST_PAGE) break
    const kept = keptFolderOf(key, last.key)
    after = kept === undefined ? last.key : kept + LAST
  }
  return found.slice(0, limit)
}
