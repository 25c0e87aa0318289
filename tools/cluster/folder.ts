/** Where the local cluster writes, for the commands that use it. */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
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
const markFile = (folder: string) => join(folder, 'made-by-npm-run-cluster')

/**
 * Empties the folder of an earlier cluster, or makes one.
 *
 * @throws UsageError when it holds anything else: nothing is removed then
 */
export function emptyClusterFolder(folder: string): void {
  const isForeign = existsSync(folder) && !existsSync(markFile(folder))
  if (isForeign && readdirSync(folder).length > 0) {
    throw new UsageError(
      `${folder} would be emptied, but no local cluster made it: remove it, ` +
        'or set CLUSTER_DIR to another folder',
    )
  }
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(markFile(folder), '')
}

/** Tells, as JSON, where the cluster answers; there while it runs. */
export const addressFile = (folder: string) => join(folder, 'address.json')
