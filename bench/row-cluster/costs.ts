/** Reads what the processes of a cluster have done so far, for the row `case`. */
import { createClient } from 'redis'
import type { Child } from '../../dev/local-cluster/child.ts'
import type { LocalCluster } from '../../dev/local-cluster/local.ts'
import { cpuSeconds } from '../process-cpu.ts'
import { etcdWrites } from './etcd-writes.ts'
import type { RedisRequests } from './redis-requests.ts'

/** What is counted; the order of the report. */
export const COSTS = [
  'CPU s',
  'CPU s of the leader',
  'CPU s of the API server',
  'reconciles',
  'etcd writes',
  'API-server reads',
  'API-server calls',
  'class A',
  'class B',
  'Redis requests',
  'Redis commands',
  'KMS signatures',
] as const
export type Costs = Record<(typeof COSTS)[number], number>

/** `name_count{operation="get",system="objects"} 12`. */
const COUNT = /^sigcase_(dependency_call|reconcile)_duration_seconds_count\{([^}]*)\} (\S+)$/gm
/** Operations of the object store as Google bills them; deletions are free. */
const CLASS_A = /operation="(putIfAbsent|compareAndSwap|list)"/
const CLASS_B = /operation="(get|stat)"/

const READ = /operation="GET"/
/** The row asks for the case until its state changes; each request is one read. */
const REQUESTS = /^sigcase_http_requests_total\{([^}]*)\} (\S+)$/gm
const POLL = /(?=.*method="GET")(?=.*route="\/cases\/:caseId")/

const countPolls = (metrics: string) =>
  [...metrics.matchAll(REQUESTS)].reduce(
    (sum, [, labels = '', count]) => sum + (POLL.test(labels) ? Number(count) : 0),
    0,
  )

async function readMetrics({ options }: LocalCluster['api']): Promise<string> {
  const { readyUrl } = options
  if (readyUrl === undefined) return ''
  const response = await fetch(new URL('/metrics', readyUrl))
  return response.text()
}

function countIn(metrics: string) {
  const counts = { reconciles: 0, apiServer: 0, apiReads: 0, classA: 0, classB: 0, kms: 0 }
  for (const [, what, labels = '', value] of metrics.matchAll(COUNT)) {
    const count = Number(value)
    if (what === 'reconcile') counts.reconciles += count
    else if (labels.includes('system="api-server"')) {
      counts.apiServer += count
      if (READ.test(labels)) counts.apiReads += count
    } else if (labels.includes('system="kms"')) counts.kms += /"sign"/.test(labels) ? count : 0
    else if (!labels.includes('system="objects"')) continue
    else if (CLASS_A.test(labels)) counts.classA += count
    else if (CLASS_B.test(labels)) counts.classB += count
  }
  return counts
}

async function redisCommands({ environment }: LocalCluster): Promise<number> {
  const client = createClient({ url: environment.REDIS_URL ?? '' })
  await client.connect()
  const info = String(await client.info('stats'))
  client.destroy()
  return Number(/^total_commands_processed:(\d+)/m.exec(info)?.[1])
}

const pidsOf = (children: readonly Child[]) => children.flatMap(({ pid }) => pid ?? [])

/**
 * Reads all counters; their differences are the costs of what happened in between.
 *
 * @param requests counts the requests to Redis since the start of the row
 */
export async function readCosts(cluster: LocalCluster, requests: RedisRequests): Promise<Costs> {
  const { api, controllers, workers, reader, plane } = cluster
  const measured = [api, ...controllers, ...workers]
  const texts = await Promise.all(measured.map((child) => readMetrics(child)))
  const metrics = texts.join('\n')
  const counts = countIn(metrics)
  const writes = [...(await etcdWrites(plane)).values()].reduce((sum, count) => sum + count, 0)
  return {
    'CPU s': cpuSeconds(pidsOf([...measured, reader])),
    'CPU s of the leader': cpuSeconds(pidsOf(controllers)),
    'CPU s of the API server': cpuSeconds([plane.pids.apiServer, plane.pids.etcd]),
    reconciles: counts.reconciles,
    'etcd writes': writes,
    'API-server reads': counts.apiReads - countPolls(metrics),
    'API-server calls': counts.apiServer,
    'class A': counts.classA,
    'class B': counts.classB,
    'Redis requests': requests.count,
    'Redis commands': await redisCommands(cluster),
    'KMS signatures': counts.kms,
  }
}
