/** Writes the records of archived cases again, with the MACs of the keys that are in use. */
import { encodeArchive } from '../../domain/cases/archive-record.ts'
import { ARCHIVED_FOLDER, archivedOf, archiveKey } from '../../domain/cases/keys.ts'
import { JSON_TYPE } from '../../domain/media-types.ts'
import type { CaseKey } from '../../domain/ports/stores.ts'
import { objectPages } from '../store/object-pages.ts'
import { MAXIMUM_LOST_RACES, putOver } from '../store/stored-results.ts'
import type { ArchiveDeps } from './archive-case.ts'
import { readArchive } from './archived-cases.ts'

type RenewDeps = Pick<ArchiveDeps, 'objects' | 'keyring' | 'alarm'>

export interface RenewedArchives {
  renewed: number
  /** Cases whose record the service did not write, or wrote with keys that it lacks. */
  refused: CaseKey[]
}

/** @returns whether the case has a record that the service wrote; undefined: it has none */
async function renew(key: CaseKey, deps: RenewDeps): Promise<boolean | undefined> {
  for (let lost = 0; lost <= MAXIMUM_LOST_RACES; lost++) {
    const stored = await readArchive(key, deps)
    if (!stored?.record) return stored && false
    const bytes = encodeArchive(deps.keyring, key, stored.record)
    const object = { key: archiveKey(key), bytes, contentType: JSON_TYPE }
    if (await putOver(deps.objects, object, stored.generation)) return true
  }
  throw new Error(`the object ${archiveKey(key)} kept changing`)
}

/**
 * Verifies each record with all keys of the keyring and writes it with the first ones, so that the
 * others can be retired. It can be repeated.
 *
 * @param onDone called after each entry of an archived case with the number of entries so far
 * @throws Error when the store fails
 */
export async function renewArchives(
  deps: RenewDeps,
  onDone: (done: number) => void = () => undefined,
): Promise<RenewedArchives> {
  const result: RenewedArchives = { renewed: 0, refused: [] }
  let done = 0
  for await (const page of objectPages(deps.objects, ARCHIVED_FOLDER)) {
    for (const { key: entry } of page) {
      const key = archivedOf(entry)
      const isRenewed = key && (await renew(key, deps))
      if (isRenewed) result.renewed += 1
      else if (isRenewed === false && key) {
        result.refused.push({ tenant: key.tenant, caseId: key.caseId })
      }
      onDone((done += 1))
    }
  }
  return result
}
