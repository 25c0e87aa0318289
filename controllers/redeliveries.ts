/** Finds the cases for which a redelivery was asked, though nobody heard the bell. */
import { REDELIVERIES_FOLDER, redeliveryOf } from '../domain/cases/keys.ts'
import { objectPages } from '../domain/object-pages.ts'
import type { ObjectStore } from '../domain/ports/object-store.ts'
import type { CaseKey } from '../domain/ports/stores.ts'

/** What is left over is found the next time. */
const MAXIMUM_PAGES = 100

/** @param add takes a case for each redelivery that was asked for, one case also twice */
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
