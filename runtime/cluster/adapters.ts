/** Opens the adapters that every process on a cluster uses. */
import { randomBytes } from 'node:crypto'
import { KubeConfig } from '@kubernetes/client-node/dist/config.js'
import { openKeyring } from '../../adapters/embedded/keyring.ts'
import { ApiServer, type ApiRequest } from '../../adapters/kubernetes/api-server.ts'
import { KubernetesCaseStore } from '../../adapters/kubernetes/case-store.ts'
import { KubernetesDeviceStore } from '../../adapters/kubernetes/device-store.ts'
import { KubernetesSecretStore } from '../../adapters/kubernetes/secret-store.ts'
import { KubernetesTenantStore } from '../../adapters/kubernetes/tenant-store.ts'
import { PrometheusMetrics } from '../../adapters/prometheus/registry.ts'
import { RedisEphemeral } from '../../adapters/redis/ephemeral.ts'
import type { ClusterConfig } from '../config/processes.ts'
import type { KeyHolder, KeyringOf } from '../../domain/key-grants.ts'
import type { Keyring } from '../../domain/ports/keyring.ts'
import type { Metrics } from '../../domain/ports/metrics.ts'
import { buildGuardedTrail } from '../../application/audit/guarded-trail.ts'
import { publishWrites } from '../../application/cases/publish-updates.ts'
import { FaultLog } from '../../domain/fault-log.ts'
import { DELIVERY_TIMES } from '../../domain/cases/webhook-attempts.ts'
import { FileObjectStore } from '../../adapters/embedded/object-store.ts'
import { openObjects } from './outside-services.ts'
import type { Tracer } from '../../domain/ports/tracing.ts'
import { STORE_CALLS } from '../tracing/traced-ports.ts'
import { measured } from './measured.ts'
import { reportProcess } from './process-metrics.ts'
import { checkRedisServer, connectReported } from './redis-server.ts'
import type { ProcessParts } from './process.ts'

const SALT_OCTETS = 16

/** Loads the pod's service account, whose token is re-read when it changes, or a kubeconfig. */
function loadKubeConfig({ kubeconfig }: Pick<ClusterConfig, 'kubeconfig'>): KubeConfig {
  const config = new KubeConfig()
  if (kubeconfig === undefined) config.loadFromCluster()
  else config.loadFromFile(kubeconfig)
  return config
}

/**
 * Opens the keyring of one process, with only the keys that it may use.
 *
 * @throws Error when a key that it needs is missing
 */
export function openProcessKeyring<H extends KeyHolder>(
  holder: H,
  { keyringFolder, objects }: ClusterConfig,
): KeyringOf<H> {
  return openKeyring(keyringFolder, holder, { keepsObjects: 'folder' in objects })
}

/** Measures the requests to the API server by their HTTP method. */
const measuredApiServer = (apiServer: ApiServer, metrics: Metrics, tracer?: Tracer) =>
  measured(apiServer, {
    system: 'api-server',
    methods: ['send'],
    metrics,
    tracer,
    operationOf: (_method, [request]) => (request as ApiRequest).method ?? 'GET',
  })

/** Opens the configured API server, as the client `sigcase-<component>`. */
export const openApiServer = (component: KeyHolder, config: ClusterConfig, limitMs?: number) =>
  new ApiServer(loadKubeConfig(config), limitMs, `sigcase-${component}`)

/**
 * Opens the adapters of one process, and adds their closing functions at the front of `closings`.
 */
export function openAdapters<K extends Keyring<'object-url' | 'audit-trail'>>(
  component: KeyHolder,
  keyring: K,
  config: ClusterConfig,
  { log, timers, closings, tracer }: Pick<ProcessParts, 'log' | 'timers' | 'closings' | 'tracer'>,
) {
  const { baseUrl, redis } = config
  const now = () => new Date(timers.nowMs())
  const metrics = new PrometheusMetrics(component)
  reportProcess(metrics)
  const apiServer = measuredApiServer(openApiServer(component, config), metrics, tracer)
  const opened = openObjects(config, keyring, now)
  if (opened instanceof FileObjectStore) closings.unshift(() => opened.close())
  const objects = measured(opened, {
    system: 'objects',
    methods: STORE_CALLS,
    metrics,
    tracer,
  })
  const tenants = new KubernetesTenantStore(apiServer, log)
  const faults = new FaultLog({ log, timers, message: 'redis failed' })
  const onError = (error: unknown) => faults.failed(error)
  const client = connectReported(redis, metrics, { onError, onReady: () => faults.succeeded() })
  const ephemeral = new RedisEphemeral({ client, prefix: redis.prefix, onError })
  closings.unshift(() => ephemeral.close())
  const randomHex = () => randomBytes(SALT_OCTETS).toString('hex')
  return {
    apiServer,
    tenants,
    cases: publishWrites(new KubernetesCaseStore(apiServer, log), ephemeral),
    devices: new KubernetesDeviceStore(apiServer),
    secrets: new KubernetesSecretStore(apiServer, () => tenants.namespaces()),
    objects,
    keyring,
    ...buildGuardedTrail({ objects, keyring, ephemeral, log, metrics, randomHex }),
    ephemeral,
    redisServer: checkRedisServer(ephemeral, log),
    deliveryTimes: { ...DELIVERY_TIMES, retryDelayMs: config.webhookRetryDelayMs },
    baseUrl,
    now,
    timers,
    log,
    metrics,
    ...(tracer && { tracer }),
  }
}
