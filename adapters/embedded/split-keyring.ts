/** Divides a keyring folder among the processes of a service. */
import { readFileSync, rmSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { FOLDER_ONLY, KEY_GRANTS, type KeyHolder, type KeySet } from '../../domain/key-grants.ts'
import { replaceFileNow } from './data-directory.ts'
import { KEY_SETS, keySetPath } from './key-sets.ts'

/** Lists the sets that a process uses on a cluster, where it stores no objects itself. */
export const setsOnCluster = (holder: KeyHolder): KeySet[] =>
  KEY_GRANTS[holder].filter((set) => !FOLDER_ONLY.has(set))

/**
 * Writes a folder for each process with only the sets that `KEY_GRANTS` grants it. Replaces
 * existing sets, and removes those that are not granted.
 *
 * @param from folder with all sets
 * @param to folder for the folders `api`, `controller` and `worker`
 * @returns the sets of each process
 * @throws Error when the keyring lacks a set, or when it is the folder of a process itself
 */
export function splitKeyring(from: string, to: string): Map<KeyHolder, KeySet[]> {
  const parts = new Map<KeyHolder, KeySet[]>()
  for (const holder of Object.keys(KEY_GRANTS) as KeyHolder[]) {
    const folder = join(to, holder)
    if (relative(resolve(from), resolve(folder)) === '') {
      throw new Error(`${from} is the folder of the keys of one process: name another folder`)
    }
    const granted = setsOnCluster(holder)
    // First, so that a failure leaves no process with a key that it must not have.
    for (const set of KEY_SETS.filter((one) => !granted.includes(one))) {
      rmSync(keySetPath(folder, set), { force: true })
    }
    for (const set of granted)
      replaceFileNow(keySetPath(folder, set), readFileSync(keySetPath(from, set)))
    parts.set(holder, granted)
  }
  return parts
}
