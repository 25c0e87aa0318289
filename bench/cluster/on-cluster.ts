/** The cluster of a row: a real API server and Redis, and the service's own processes on them. */
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
} from '../../tools/cluster/local.ts'
import { findBinaries } from '../../tools/control-plane/binaries.ts'
import type { RowReport } from '../report.ts'

/** A tenant whose cases nobody but the row looks at. */
export const OTHER_TENANT = 'other'

/** Whoever measures sends more than a tenant may. */
const UNTHROTTLED = {
  TENANT_REQUESTS_PER_MINUTE: '0',
  PUBLIC_REQUESTS_PER_MINUTE: '0',
  TENANT_CASES_PER_DAY: '0',
  TENANT_MAILS_PER_DAY: '0',
}

/**
 * For a row that has figures without a cluster too.
 *
 * @param measure gets a cluster that ends after it, or why there can be none
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

/** For a row that needs one: it is skipped where there can be none. */
export function onCluster(
  options: Partial<LocalClusterOptions>,
  measure: (cluster: LocalCluster) => Promise<RowReport>,
): Promise<RowReport> {
  return besideCluster(options, async (cluster, why) =>
    cluster ? measure(cluster) : { measured: '', figures: [], skipped: [why] },
  )
}

/** What the controllers made stays; from now on nobody looks at new cases. */
export async function endControllers({ controllers }: LocalCluster): Promise<void> {
  await Promise.all(controllers.map((controller) => controller.end()))
}
