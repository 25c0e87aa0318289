/** Receipts: objects that say that an owed mail went out, and when. */
import { objectPages } from '../object-pages.ts'
import type { ObjectStore } from '../ports/object-store.ts'
import type { CaseKey } from '../ports/stores.ts'
import { receiptFolder } from './keys.ts'

/** More than a case can owe: 50 reminders and some for each of 50 participants. */
const MAXIMUM_PAGES = 10

/** When the receipt was written, in milliseconds since 1970, by the id of the event. */
export type Receipts = ReadonlyMap<string, number>

/** Every receipt of the case; no object is read for it. */
export async function readReceipts(key: CaseKey, objects: ObjectStore): Promise<Receipts> {
  const folder = receiptFolder(key)
  const receipts = new Map<string, number>()
  for await (const page of objectPages(objects, folder, MAXIMUM_PAGES)) {
    for (const { key: name, updatedAt } of page) {
      receipts.set(name.slice(folder.length), updatedAt.getTime())
    }
  }
  return receipts
}
