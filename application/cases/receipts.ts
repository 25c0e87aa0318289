/** Receipts: objects that record when a mail was sent or a webhook ended. */
import { objectPages } from '../store/object-pages.ts'
import type { ObjectStore } from '../../domain/ports/object-store.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import type { Receipts } from '../../domain/cases/due-mails.ts'
import { eventsOfReceipt, receiptFolder } from '../../domain/cases/keys.ts'

/** More than a case can have: 50 reminders and some others for each of 50 participants. */
const MAXIMUM_PAGES = 10

/** Lists all receipts of the case without reading the objects. */
export async function readReceipts(
  key: CaseKey,
  objects: Pick<ObjectStore, 'list'>,
): Promise<Receipts> {
  const folder = receiptFolder(key)
  const receipts = new Map<string, number>()
  for await (const page of objectPages(objects, folder, MAXIMUM_PAGES)) {
    for (const { key: name, updatedAt } of page) {
      for (const eventId of eventsOfReceipt(key, name)) receipts.set(eventId, updatedAt.getTime())
    }
  }
  return receipts
}
