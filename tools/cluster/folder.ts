/** Where the local cluster writes, for the commands that use it. */
import { join, resolve } from 'node:path'

/** Absolute. @param environment `CLUSTER_DIR` names another folder than `.data/cluster` */
export const clusterFolder = ({ CLUSTER_DIR }: Readonly<Record<string, string | undefined>>) =>
  resolve(CLUSTER_DIR ?? join('.data', 'cluster'))

/** Tells, as JSON, where the cluster answers; there while it runs. */
export const addressFile = (folder: string) => join(folder, 'address.json')
