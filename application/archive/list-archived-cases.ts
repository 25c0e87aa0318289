/** Lists all archived cases by their entries in the object store (decision 234). */
import { archivedCase } from '../../domain/cases/archive.ts'
import { ARCHIVED_FOLDER, archivedOf } from '../../domain/cases/keys.ts'
import type { SignatureCase } from '../../domain/cases/signature-case.ts'
import type { ObjectStore } from '../../domain/ports/object-store.ts'
import { objectPages } from '../store/object-pages.ts'
import { readArchive } from './archived-cases.ts'

type ListArchivedDeps = Parameters<typeof readArchive>[1] & {
  objects: Pick<ObjectStore, 'get' | 'list'>
}

/**
 * Reads one archived case after the other. An entry whose record the service did not write raises
 * the alarm and is left out. A case that was restored has its record still, and is listed too.
 *
 * @throws Error when the store fails
 */
export async function* listArchivedCases(deps: ListArchivedDeps): AsyncGenerator<SignatureCase> {
  for await (const page of objectPages(deps.objects, ARCHIVED_FOLDER)) {
    for (const { key: entry } of page) {
      const key = archivedOf(entry)
      const record = key && (await readArchive(key, deps))?.record
      if (record) yield archivedCase(record)
    }
  }
}
