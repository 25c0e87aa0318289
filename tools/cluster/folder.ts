/** Where the local cluster writes, for the commands that use it. */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  DataDirectoryInUseError,
  takeDataDirectory,
} from '../../adapters/embedded/data-directory.ts'
import { EnvironmentReader, type Environment } from '../../config/reader.ts'
import { UsageError } from '../usage.ts'

/** Absolute. @param environment `CLUSTER_DIR` names another folder than `.data/cluster` */
export const clusterFolder = (environment: Environment) =>
  new EnvironmentReader(environment).read(
    'CLUSTER_DIR',
    resolve('.data', 'cluster'),
    'a path',
    (text) => resolve(text),
  )

/** Tells a cluster's folder from others, whose contents must stay. */
const MARK = 'made-by-npm-run-cluster'
const markFile = (folder: string) => join(folder, MARK)
/** What holds the folder stays while the rest is removed. */
const isKept = (name: string) => name === MARK || name.startsWith('lock.sqlite')

/**
 * Takes the folder until the process ends, and empties it of what an earlier cluster left.
 *
 * @returns gives the folder back
 * @throws UsageError when another cluster runs in it or it holds anything else: nothing is removed
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
    throw new UsageError(`a cluster runs in ${folder}: end it, or set CLUSTER_DIR and PORT`)
  })
  for (const name of readdirSync(folder).filter((entry) => !isKept(entry))) {
    rmSync(join(folder, name), { recursive: true, force: true })
  }
  return giveBack
}

/** Tells, as JSON, where the cluster answers; there while it runs. */
export const addressFile = (folder: string) => join(folder, 'address.json')
