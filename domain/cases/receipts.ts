/** Receipts: objects that say that an owed mail went out, and when. */
import type { ObjectStore } from '../ports/object-store.ts'
import type { CaseKey } from '../ports/stores.ts'
import { receiptFolder } from './keys.ts'

const LIST_PAGE = 1000
/** More than a case can owe: 50 reminders and some for each of 50 participants. */
const MAXIMUM_PAGES = 10

/** When the receipt was written, in milliseconds since 1970, by the id of the event. */
export type Receipts = ReadonlyMap<string, number>

/** Every receipt of the case; no object is read for it. */
export async function readReceipts(key: CaseKey, objects: ObjectStore): Promise<Receipts> {
  const folder = receiptFolder(key)
  const receipts = new Map<string, number>()
  let after = folder
  for (let page = 0; page < MAXIMUM_PAGES; page++) {
    const stats = await objects.list(folder, { limit: LIST_PAGE, after })
    for (const { key: name, updatedAt } of stats) {
      receipts.set(name.slice(folder.length), updatedAt.getTime())
      after = name
    }
    if (stats.length < LIST_PAGE) break
  }
  return receipts
}
