/** Starts the cluster of a row: API server, Redis, and the processes of the service. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withoutRedis } from '../../test/fixtures/redis-server.ts'
import { TENANT } from '../../test/fixtures/signature-case.ts'
import {
  removeLocalCluster,
  startLocalCluster,
  type LocalCluster,
  type LocalClusterOptions,
} from '../../dev/local-cluster/local.ts'
import { findBinaries } from '../../dev/control-plane/binaries.ts'
import type { RowReport } from '../report.ts'

/** A tenant whose cases only the row watches. */
export const OTHER_TENANT = 'other'

/** Disables limits that a benchmark would exceed. */
export const UNTHROTTLED = {
  TENANT_REQUESTS_PER_MINUTE: '0',
  PUBLIC_REQUESTS_PER_MINUTE: '0',
  TENANT_CASES_PER_DAY: '0',
  TENANT_MAILS_PER_DAY: '0',
}

/**
 * Runs the cluster part of a row that also has figures without a cluster.
 *
 * @param measure receives a cluster that ends afterwards, or why none can start
 */
export async function besideCluster(
  options: Partial<LocalClusterOptions>,
  measure: (cluster: LocalCluster | undefined, why: string) => Promise<RowReport>,
): Promise<RowReport> {
  const binaries = findBinaries()
  const why = binaries ? withoutRedis : 'no kube-apiserver (npm run test:all builds one)'
  if (!binaries || why !== false) return measure(undefined, String(why))
  const folder = mkdtempSync(join(tmpdir(), 'sigcase-bench-'))
  const tenants = [TENANT, OTHER_TENANT]
  const environment = { LOG_LEVEL: 'error', ...UNTHROTTLED }
  const cluster = await startLocalCluster({ binaries, folder, tenants, environment, ...options })
  try {
    return await measure(cluster, '')
  } finally {
    await cluster.stop()
    removeLocalCluster(folder)
  }
}

/** Runs a row that requires a cluster, or skips it when none can start. */
export function onCluster(
  options: Partial<LocalClusterOptions>,
  measure: (cluster: LocalCluster) => Promise<RowReport>,
): Promise<RowReport> {
  return besideCluster(options, async (cluster, why) =>
    cluster ? measure(cluster) : { measured: '', figures: [], skipped: [why] },
  )
}

/** Stops the controllers; existing objects stay, and new cases are not reconciled. */
export async function endControllers({ controllers }: LocalCluster): Promise<void> {
  await Promise.all(controllers.map((controller) => controller.end()))
}
