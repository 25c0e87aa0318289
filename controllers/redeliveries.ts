/** Finds the cases for which a redelivery was asked, though nobody heard the bell. */
import { REDELIVERIES_FOLDER, redeliveryOf } from '../domain/cases/keys.ts'
import type { ObjectStore } from '../domain/ports/object-store.ts'
import type { CaseKey } from '../domain/ports/stores.ts'

const LIST_PAGE = 1000
/** What is left over is found the next time. */
const MAXIMUM_PAGES = 100

export async function askedRedeliveries(
  objects: ObjectStore,
  add: (key: CaseKey) => void,
): Promise<void> {
  let after: string | undefined
  for (let page = 0; page < MAXIMUM_PAGES; page++) {
    const from = after === undefined ? {} : { after }
    const stats = await objects.list(REDELIVERIES_FOLDER, { limit: LIST_PAGE, ...from })
    for (const stat of stats) {
      const asked = redeliveryOf(stat.key)
      if (asked) add({ tenant: asked.tenant, caseId: asked.caseId })
    }
    after = stats.at(-1)?.key
    if (stats.length < LIST_PAGE) return
  }
}
