/** Starts the service that a load test drives: one process, or all processes of a cluster. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openWholeKeyring } from '../../adapters/embedded/keyring.ts'
import { mintTenantToken } from '../../adapters/jose/local-identity.ts'
import { UsageError } from '../../cli/usage.ts'
import { findBinaries } from '../../dev/control-plane/binaries.ts'
import { removeLocalCluster, startLocalCluster } from '../../dev/local-cluster/local.ts'
import { keyringFolder } from '../../runtime/embedded/paths.ts'
import { ready, spawnService } from '../../test/e2e/service.ts'
import { withoutRedis } from '../../test/fixtures/redis-server.ts'
import { TENANT } from '../../test/fixtures/signature-case.ts'
import { UNTHROTTLED } from '../row-cluster/start.ts'
import type { Watched } from './usage.ts'

/** The receiver of webhooks is on loopback. */
const ENVIRONMENT = { LOG_LEVEL: 'error', EGRESS_ALLOW: '127.0.0.1/32', ...UNTHROTTLED }
/** Jobs of all workers: every worker reports the same numbers. */
const WAITING_JOBS = /^sigcase_jobs\{[^}]*state="waiting"[^}]*\} (\S+)$/gm

export interface LoadedService {
  url: string
  token: string
  watched: readonly Watched[]
  countJobs?: () => Promise<number>
  end(): Promise<void>
}

/** `npm start` with a new data directory. */
export async function startOneProcess(): Promise<LoadedService> {
  const folder = mkdtempSync(join(tmpdir(), 'sigcase-load-'))
  const service = spawnService({ PORT: '0', DATA_DIR: folder, ...ENVIRONMENT })
  const end = async () => {
    await service.end('SIGTERM')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    const url = await ready(service)
    const token = await mintTenantToken(openWholeKeyring(keyringFolder(folder)), TENANT, new Date())
    const { pid = 0 } = service.child
    return { url, token, watched: [{ name: 'service', pid, children: 'sandboxes' }], end }
  } catch (error) {
    await end()
    throw error
  }
}

async function readWaitingJobs(url: string): Promise<number> {
  const response = await fetch(url)
  const matches = (await response.text()).matchAll(WAITING_JOBS)
  return [...matches].reduce((sum, [, value]) => sum + Number(value), 0)
}

/**
 * Starts a cluster on this machine as `npm run cluster` does.
 *
 * @throws UsageError when a program is missing
 */
export async function startCluster(): Promise<LoadedService> {
  const binaries = findBinaries()
  if (!binaries)
    throw new UsageError('--cluster needs a kube-apiserver: npm run test:all makes one')
  if (withoutRedis !== false) throw new UsageError(`--cluster: ${withoutRedis}`)
  const folder = mkdtempSync(join(tmpdir(), 'sigcase-load-'))
  const cluster = await startLocalCluster({
    binaries,
    folder,
    tenants: [TENANT],
    environment: ENVIRONMENT,
  })
  const { api, controllers, workers, reader, redis, plane, outside } = cluster
  const named = [api, ...controllers, ...workers, redis].map(({ pid = 0, options: { name } }) => {
    return { name, pid }
  })
  const metrics = new URL('/metrics', workers[0]?.options.readyUrl ?? cluster.url).href
  return {
    url: cluster.url,
    token: await cluster.token(TENANT),
    watched: [
      ...named,
      { name: 'reader', pid: reader.pid ?? 0, children: 'sandboxes' },
      { name: 'kube-apiserver', pid: plane.pids.apiServer },
      { name: 'etcd', pid: plane.pids.etcd },
      { name: 'emulators', pid: outside.child.pid ?? 0 },
    ],
    countJobs: () => readWaitingJobs(metrics),
    async end() {
      await cluster.stop()
      removeLocalCluster(folder)
    },
  }
}
