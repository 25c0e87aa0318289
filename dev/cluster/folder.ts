/** Finds and locks the folder of the local cluster. */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  DataDirectoryInUseError,
  takeDataDirectory,
} from '../../adapters/embedded/data-directory.ts'
import { EnvironmentReader, type Environment } from '../../runtime/config/reader.ts'
import { UsageError } from '../../cli/usage.ts'

/** Returns the absolute path. @param environment `CLUSTER_DIR` overrides `.data/cluster` */
export const clusterFolder = (environment: Environment) =>
  new EnvironmentReader(environment).read(
    'CLUSTER_DIR',
    resolve('.data', 'cluster'),
    'a path',
    (text) => resolve(text),
  )

/** File that marks the folder of a cluster; other folders must not be emptied. */
const MARK = 'made-by-npm-run-cluster'
const markFile = (folder: string) => join(folder, MARK)
/** The lock file stays while the other files are removed. */
const isKept = (name: string) => name === MARK || name.startsWith('lock.sqlite')

/**
 * Locks the folder until the process ends, and removes the files of an earlier cluster.
 *
 * @returns a function that releases the folder
 * @throws UsageError when another cluster uses the folder, or when it has other content
 */
export async function takeClusterFolder(folder: string): Promise<() => void> {
  const isForeign = existsSync(folder) && !existsSync(markFile(folder))
  if (isForeign && readdirSync(folder).length > 0) {
    throw new UsageError(
      `${folder} would be emptied, but no local cluster made it: remove it, ` +
        'or set CLUSTER_DIR to another folder',
    )
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(markFile(folder), '')
  const giveBack = await takeDataDirectory(folder).catch((cause: unknown) => {
    if (!(cause instanceof DataDirectoryInUseError)) throw cause
    throw new UsageError(`a cluster is running in ${folder}: stop it, or set CLUSTER_DIR and PORT`)
  })
  for (const name of readdirSync(folder).filter((entry) => !isKept(entry))) {
    rmSync(join(folder, name), { recursive: true, force: true })
  }
  return giveBack
}

/** JSON file with the URL of the cluster; it exists while the cluster runs. */
export const addressFile = (folder: string) => join(folder, 'address.json')
