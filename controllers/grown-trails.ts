/**
 * Finds the ended cases whose audit trail grew after it was sealed. The API marks such a case once
 * a day, and the trail is sealed again when that day and the next are over.
 */
import { GROWN_TRAILS_FOLDER, grownTrailOf } from '../domain/cases/keys.ts'
import { objectPages } from '../application/store/object-pages.ts'
import type { ObjectStore } from '../domain/ports/object-store.ts'
import type { CaseKey } from '../domain/ports/stores.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** The next resync finds the rest. */
const MAXIMUM_PAGES = 100

/**
 * Lists the marks of days on which no process sets marks any more, so that they can be removed once
 * their case was reconciled.
 *
 * @param found receives each case with the key of its mark
 */
export async function findGrownTrails(
  objects: Pick<ObjectStore, 'list'>,
  nowMs: number,
  found: (key: CaseKey, mark: string) => void,
): Promise<void> {
  for await (const page of objectPages(objects, GROWN_TRAILS_FOLDER, MAXIMUM_PAGES)) {
    for (const stat of page) {
      const grown = grownTrailOf(stat.key)
      if (!grown) continue
      // The listing is in the order of days.
      if (nowMs < Date.parse(grown.day) + 2 * DAY_MS) return
      found({ tenant: grown.tenant, caseId: grown.caseId }, stat.key)
    }
  }
}
