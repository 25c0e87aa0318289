/** Finds the cases for which a tenant requested a redelivery, even if the notification was lost. */
import { REDELIVERIES_FOLDER, redeliveryOf } from '../domain/cases/keys.ts'
import { objectPages } from '../application/store/object-pages.ts'
import type { ObjectStore } from '../domain/ports/object-store.ts'
import type { CaseKey } from '../domain/ports/stores.ts'

/** The next resync finds the rest. */
const MAXIMUM_PAGES = 100

/** @param add called once for each request, so possibly several times for one case */
export async function askedRedeliveries(
  objects: ObjectStore,
  add: (key: CaseKey) => void,
): Promise<void> {
  for await (const page of objectPages(objects, REDELIVERIES_FOLDER, MAXIMUM_PAGES)) {
    for (const stat of page) {
      const asked = redeliveryOf(stat.key)
      if (asked) add({ tenant: asked.tenant, caseId: asked.caseId })
    }
  }
}
