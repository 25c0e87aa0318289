/** Webhooks as a worker on a cluster delivers them: through BullMQ, with what the API server has. */
import { pino } from 'pino'
import type { GuardedHttp } from '../../adapters/outbound-http/guarded-http.ts'
import { KubernetesSecretStore } from '../../adapters/kubernetes/secret-store.ts'
import { openAdapters } from '../../cluster/adapters.ts'
import { openJobs } from '../../cluster/jobs.ts'
import type { Closing } from '../../cluster/process.ts'
import { readWorkerConfig } from '../../config/cluster.ts'
import type { JobPayloads } from '../../domain/ports/jobs.ts'
import { systemTimers } from '../../embedded/system-timers.ts'
import { until } from '../../test/fixtures/until.ts'
import type { LocalCluster } from '../../tools/cluster/local.ts'
import { storeCase } from '../cluster/cases.ts'
import { endControllers } from '../cluster/on-cluster.ts'
import { flood } from '../flood.ts'
import { cancelledCase, delivered, payloadOf, SECRETS } from './deliveries.ts'

const CASES = 256
/** As many as a worker's. */
const CONCURRENCY = 64
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

/**
 * @param closings gets what ends it
 * @returns delivers all of them; its result is milliseconds for each @throws Error when one was not
 */
export async function clusterDeliveries(
  cluster: LocalCluster,
  { http, url, closings }: { http: GuardedHttp; url: string; closings: Closing[] },
): Promise<() => Promise<number>> {
  await endControllers(cluster)
  const payloads = await makeCases(cluster, url)
  const config = readWorkerConfig({
    ...cluster.environment,
    KUBECONFIG: await cluster.kubeconfigOf('worker', 'bench'),
  })
  const parts = { log: pino({ level: 'error' }), timers: systemTimers, closings }
  const stores = openAdapters(config, parts)
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
