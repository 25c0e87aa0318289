/** The controller as a process of its own on a cluster: one of several replicas is active. */
import { randomUUID } from 'node:crypto'
import process from 'node:process'
import { findLogoFault } from '../adapters/branding/look.ts'
import { KubernetesCaseResources } from '../adapters/kubernetes/case-resources.ts'
import { KubernetesLeaderLease } from '../adapters/kubernetes/leader-lease.ts'
import { KubernetesTenantPlaces } from '../adapters/kubernetes/tenant-places.ts'
import { openAdapters, openApiServer, openProcessKeyring } from './cluster/adapters.ts'
import { archiveHooks, openIndex } from './cluster/case-index.ts'
import { openJobs } from './cluster/jobs.ts'
import { serveOperations } from './cluster/operations.ts'
import { TenantRetention } from './cluster/retention.ts'
import { runProcess, type ProcessParts } from './cluster/process.ts'
import { hasAnswered, Readiness } from './cluster/readiness.ts'
import { readControllerConfig, type ControllerConfig } from './config/processes.ts'
import { CANARY_KEY } from '../domain/cases/keys.ts'
import { systemTimers } from '../adapters/shared/system-timers.ts'
import { buildController } from '../controllers/controller.ts'
import { Leadership } from '../controllers/leadership.ts'
import { buildTenantController } from '../controllers/tenants.ts'

const LEASE = 'sigcase-controller'
/** Shorter than the time between a failed renewal and giving up the lease. */
const LEASE_REQUEST_LIMIT_MS = 4_000

function openLease(config: ControllerConfig, log: ProcessParts['log']): KubernetesLeaderLease {
  return new KubernetesLeaderLease(
    {
      api: openApiServer('controller', config, LEASE_REQUEST_LIMIT_MS),
      timers: systemTimers,
      log,
    },
    {
      namespace: config.namespace,
      name: LEASE,
      identity: `${config.replica}_${randomUUID()}`,
    },
  )
}

/** Takes part in the leader election and runs the controllers while this replica is the leader. */
export async function startController(
  config: ControllerConfig,
  parts: ProcessParts,
): Promise<void> {
  const { log, timers, closings } = parts
  const keyring = openProcessKeyring('controller', config)
  const adapters = openAdapters('controller', keyring, config, parts)
  const jobs = openJobs(config, parts)
  const { apiServer, cases, tenants, metrics } = adapters
  const resources = new KubernetesCaseResources(apiServer, timers)
  const retention = new TenantRetention(tenants, adapters.now)
  const { archiveAfterHours } = config
  const places = new KubernetesTenantPlaces(apiServer, config.namespace, log)
  const index = openIndex({ config: config.index, isOwner: true, cases, metrics }, parts)
  const archiving = {
    ...(archiveAfterHours !== undefined && { archiveAfterHours }),
    ...archiveHooks(index),
  }
  const leadership = new Leadership(
    () => [
      buildTenantController({
        tenants,
        places,
        home: config.namespace,
        findLogoFault,
        timers: systemTimers,
        log,
      }),
      buildController({ ...adapters, ...archiving, jobs, resources, retention, index }),
    ],
    log,
  )
  const lease = openLease(config, log)
  const { host, operationsPort: port } = config
  metrics.onScrape(() => metrics.set('sigcase_controller_leads', {}, leadership.leads ? 1 : 0))
  const readiness = new Readiness({
    // A standby replica is ready, too.
    lease: async () => leadership.fault(),
    redis: adapters.redisServer,
    objects: hasAnswered(() => adapters.objects.stat(CANARY_KEY)),
  })
  const operations = await serveOperations(
    { host, port },
    {
      readiness: readiness.answer,
      metrics: () => metrics.text(),
    },
  )
  closings.push(() => operations.close())
  const withdraw = lease.campaign(leadership)
  closings.unshift(
    () => leadership.end(),
    () => withdraw(),
  )
  closings.unshift(() => readiness.drain())
}

if (import.meta.main) {
  await runProcess({
    component: 'controller',
    environment: process.env,
    readConfig: readControllerConfig,
    start: startController,
  })
}
