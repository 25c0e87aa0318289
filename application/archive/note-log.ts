/** Notes when the delivery log of an archived case has to be removed (specification 6.2). */
import { archivedLogKey, deliveriesFolder } from '../../domain/cases/keys.ts'
import { encodeJson } from '../../domain/json-object.ts'
import { ATTEMPT_RETENTION_MS } from '../../domain/limits.ts'
import { JSON_TYPE } from '../../domain/media-types.ts'
import type { ObjectStore } from '../../domain/ports/object-store.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import { objectPages } from '../store/object-pages.ts'

/** More pages than the attempts of one case can fill. */
const MAXIMUM_PAGES = 100
const DAY_MS = 24 * 60 * 60 * 1000

/**
 * Writes a mark for the first day on which all attempts of the case are past their retention time.
 * A case without attempts gets none. Call it for cases with a callback, before they are archived.
 */
export async function noteLog(
  key: CaseKey,
  objects: Pick<ObjectStore, 'list' | 'putIfAbsent'>,
): Promise<void> {
  let lastMs = Number.NEGATIVE_INFINITY
  for await (const page of objectPages(objects, deliveriesFolder(key), MAXIMUM_PAGES)) {
    for (const { updatedAt } of page) lastMs = Math.max(lastMs, updatedAt.getTime())
  }
  if (lastMs === Number.NEGATIVE_INFINITY) return
  const due = new Date(lastMs + ATTEMPT_RETENTION_MS + DAY_MS)
  await objects.putIfAbsent(archivedLogKey(key, due), encodeJson({}), JSON_TYPE)
}
