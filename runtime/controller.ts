/** The controller as a process of its own on a cluster; replicas share the groups of shards. */
import { randomUUID } from 'node:crypto'
import process from 'node:process'
import { findLogoFault } from '../adapters/branding/look.ts'
import { KubernetesCaseResources } from '../adapters/kubernetes/case-resources.ts'
import { KubernetesLeaderLease } from '../adapters/kubernetes/leader-lease.ts'
import { CONTROLLER_LEASE, RESTS_LEASE } from '../adapters/kubernetes/lease-plan.ts'
import { KubernetesLeaseValue } from '../adapters/kubernetes/lease-value.ts'
import { KubernetesTenantNamespaces } from '../adapters/kubernetes/tenant-namespaces.ts'
import type { PrometheusMetrics } from '../adapters/prometheus/registry.ts'
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
import { buildController, type Controller } from '../controllers/controller.ts'
import { Leadership } from '../controllers/leadership.ts'
import { openSharedParts } from '../controllers/shared-parts.ts'
import { buildTenantController } from '../controllers/tenants.ts'

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
      name: CONTROLLER_LEASE,
      replica: config.replica,
      groups: config.shardGroups,
      identity: `${config.replica}_${randomUUID()}`,
    },
  )
}

/** Opens what the controllers of all groups share, and returns what builds those of one group. */
function openControllers(
  config: ControllerConfig,
  parts: ProcessParts,
  adapters: ReturnType<typeof openControllerAdapters>,
): (group: number, isHeld: () => boolean) => Controller[] {
  const { log, timers } = parts
  const { apiServer, cases, tenants, metrics, ephemeral } = adapters
  const { archiveAfterHours, namespace: home, shardGroups: count } = config
  const index = openIndex({ config: config.index, isOwner: true, cases, metrics }, parts)
  const shared = {
    ...adapters,
    ...(archiveAfterHours !== undefined && { archiveAfterHours }),
    areUploadsReported: config.areUploadsReported,
    keepsRecentCases: true,
    ...archiveHooks(index),
    index,
    jobs: openJobs(config, parts),
    resources: new KubernetesCaseResources(apiServer, timers),
    retention: new TenantRetention(tenants, adapters.now),
    ...openSharedParts(metrics),
  }
  const namespaces = new KubernetesTenantNamespaces(apiServer, home, log)
  const buildTenants = () =>
    buildTenantController({ tenants, namespaces, home, findLogoFault, timers: systemTimers, log })
  const current = new KubernetesLeaseValue(apiServer, { namespace: home, name: RESTS_LEASE })
  return (number, isLeader) => {
    const group = { index: number, count }
    const rests = { tables: ephemeral.tables, current, isLeader }
    const controller = buildController({ ...shared, group, rests, cases: cases.ofShards(group) })
    return number === 0 ? [buildTenants(), controller] : [controller]
  }
}

/** Reports which groups of shards this replica has. */
function reportGroups(
  metrics: PrometheusMetrics,
  leadership: Leadership,
  { shardGroups }: ControllerConfig,
): void {
  metrics.onScrape(() => {
    const { groups } = leadership
    metrics.set('sigcase_controller_leads', {}, groups.includes(0) ? 1 : 0)
    metrics.set('sigcase_controller_shard_groups', {}, shardGroups)
    for (let group = 0; group < shardGroups; group++) {
      const leads = groups.includes(group) ? 1 : 0
      metrics.set('sigcase_controller_has_shard_group', { group: String(group) }, leads)
    }
  })
}

const openControllerAdapters = (config: ControllerConfig, parts: ProcessParts) =>
  openAdapters('controller', openProcessKeyring('controller', config), config, parts)

/** Takes part in the elections and runs the controllers of the groups that this replica has. */
export async function startController(
  config: ControllerConfig,
  parts: ProcessParts,
): Promise<void> {
  const { log, closings } = parts
  const adapters = openControllerAdapters(config, parts)
  const { metrics } = adapters
  const build = openControllers(config, parts, adapters)
  const leadership = new Leadership(config.shardGroups, build, { log })
  const lease = openLease(config, log)
  const { host, operationsPort: port } = config
  reportGroups(metrics, leadership, config)
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
