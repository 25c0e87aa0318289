/** Delivers webhooks like a worker on a cluster: with BullMQ, and stores at the API server. */
import { pino } from 'pino'
import type { Closing } from '../../adapters/shared/closings.ts'
import type { GuardedHttp } from '../../adapters/outbound-http/guarded-http.ts'
import { KubernetesSecretStore } from '../../adapters/kubernetes/secret-store.ts'
import { openAdapters, openProcessKeyring } from '../../runtime/cluster/adapters.ts'
import { openJobs } from '../../runtime/cluster/jobs.ts'
import { readWorkerConfig } from '../../runtime/config/processes.ts'
import type { JobPayloads } from '../../domain/ports/jobs.ts'
import { systemTimers } from '../../adapters/shared/system-timers.ts'
import { until } from '../../test/fixtures/until.ts'
import type { LocalCluster } from '../../dev/local-cluster/local.ts'
import { storeCase } from '../row-cluster/cases.ts'
import { endControllers } from '../row-cluster/start.ts'
import { senderTo } from '../row-cluster/requests.ts'
import { flood } from '../flood.ts'
import { cancelledCase, delivered, payloadOf, SECRETS } from './deliveries.ts'
import type { Send } from './senders.ts'

const CASES = 256
/** Concurrent jobs of a worker. */
const CONCURRENCY = 64
/** Connections of the adapter. */
const CONNECTIONS = 32
const PREPARING = 8

/** The cases, with their secrets. */
async function makeCases({ admin }: LocalCluster, url: string) {
  const secrets = new KubernetesSecretStore(admin, async () => [])
  const payloads: JobPayloads['webhook'][] = []
  await flood(CASES, PREPARING, async () => {
    const made = await storeCase(admin, cancelledCase(url))
    const { eventId, ...key } = payloadOf(made)
    await secrets.create(key, SECRETS)
    payloads.push({ ...key, eventId })
  })
  return payloads
}

type Payloads = readonly JobPayloads['webhook'][]

/** Reads the data of a delivery and sends it, without a job. */
function bareDelivery({ plane }: LocalCluster, payloads: Payloads, post: Send) {
  const { ca, adminToken: token } = plane
  const { caseId, tenant } = payloads[0] as JobPayloads['webhook']
  const read = (root: string, plural: string) => {
    const url = `${plane.url}${root}/namespaces/${tenant}/${plural}/${caseId}`
    return senderTo({ url, token, ca, status: 200 }, CONNECTIONS)
  }
  const reads = [read('/apis/sigcase.dev/v1', 'signaturecases'), read('/api/v1', 'secrets')]
  return async () => {
    await Promise.all(reads.map((one) => one()))
    await post()
  }
}

/** Starts a worker. @returns a function that delivers all and returns milliseconds for each */
async function startWorker(
  cluster: LocalCluster,
  payloads: Payloads,
  { http, closings }: Pick<ClusterDeliveryOptions, 'http' | 'closings'>,
): Promise<() => Promise<number>> {
  const config = readWorkerConfig({
    ...cluster.environment,
    KUBECONFIG: await cluster.writeComponentKubeconfig('worker', 'bench'),
  })
  const parts = { log: pino({ level: 'error' }), timers: systemTimers, closings }
  const stores = openAdapters('worker', openProcessKeyring('worker', config), config, parts)
  const jobs = openJobs(config, parts)
  await until(() => jobs.count('webhook').then(Boolean, () => false))
  let received = 0
  jobs.work('webhook', CONCURRENCY, async (payload) => {
    if (await delivered(payload, stores, http)) received++
  })
  return async () => {
    received = 0
    const startedMs = performance.now()
    await flood(CASES, CONCURRENCY, async (index) => {
      const payload = payloads[index] as JobPayloads['webhook']
      await jobs.add('webhook', payload.eventId, payload)
    })
    await until(() => received === CASES)
    if (received < CASES) throw new Error(`${received} of ${CASES} were delivered`)
    return (performance.now() - startedMs) / CASES
  }
}

export interface ClusterDeliveryOptions {
  http: GuardedHttp
  url: string
  /** The plain POST. */
  post: Send
  /** Receives a function that stops it. */
  closings: Closing[]
}

/** @returns contenders that return milliseconds per delivery, and fail when one is missing */
export async function clusterDeliveries(cluster: LocalCluster, options: ClusterDeliveryOptions) {
  await endControllers(cluster)
  const payloads = await makeCases(cluster, options.url)
  const bare = bareDelivery(cluster, payloads, options.post)
  return {
    floor: () => flood(CASES, CONCURRENCY, bare),
    jobs: await startWorker(cluster, payloads, options),
  }
}
