/** Deletes the delivery logs of archived cases after their retention time (specification 6.2). */
import { ARCHIVED_LOGS_FOLDER, archivedLogOf } from '../domain/cases/keys.ts'
import { objectPages } from '../application/store/object-pages.ts'
import type { ObjectStore } from '../domain/ports/object-store.ts'
import { sweepCase } from './old-attempts.ts'

/**
 * Deletes the old attempts of cases whose mark is due, and then the mark. Marks are listed in the
 * order of days, so those that are not due cost nothing.
 */
export async function sweepArchivedLogs(objects: ObjectStore, now: Date): Promise<void> {
  for await (const page of objectPages(objects, ARCHIVED_LOGS_FOLDER)) {
    for (const { key: mark } of page) {
      const found = archivedLogOf(mark)
      if (!found) continue
      const { day, ...key } = found
      if (Date.parse(day) > now.getTime()) return
      await sweepCase(key, objects, now)
      await objects.delete(mark)
    }
  }
}
