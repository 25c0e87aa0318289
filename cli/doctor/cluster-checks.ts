/** Checks of `sigcase doctor` in the environment of a process of a cluster. */
import { randomUUID } from 'node:crypto'
import { openBucket } from '../../adapters/gcs/object-store.ts'
import { missingLifecycleRules } from '../../adapters/gcs/lifecycle.ts'
import { publishesUploads } from '../../adapters/gcs/notifications.ts'
import { ApiRefusal, type ApiServer } from '../../adapters/kubernetes/api-server.ts'
import { GuardedHttp } from '../../adapters/outbound-http/guarded-http.ts'
import { connectRedis } from '../../adapters/redis/connect.ts'
import { readServerFacts } from '../../adapters/redis/server-facts.ts'
import { googleAuth } from '../../adapters/shared/google-auth.ts'
import { systemTimers } from '../../adapters/shared/system-timers.ts'
import { openAuthorities } from '../../adapters/tsa/open-authorities.ts'
import { VERIFICATIONS_FOLDER } from '../../domain/verification.ts'
import type { ObjectStore } from '../../domain/ports/object-store.ts'
import { CONTROLLER_LEASE } from '../../adapters/kubernetes/lease-plan.ts'
import { openApiServer, openProcessKeyring } from '../../runtime/cluster/adapters.ts'
import { openMailer, openObjects } from '../../runtime/cluster/outside-services.ts'
import { openSigningDevice } from '../../runtime/cluster/signing-device.ts'
import { checkRedisServer } from '../../runtime/cluster/redis-server.ts'
import {
  type ApiConfig,
  type ClusterConfig,
  type ControllerConfig,
  type MailConfig,
  type WorkerConfig,
} from '../../runtime/config/processes.ts'
import { isCloudStorage } from '../../runtime/config/google-cloud.ts'
import { indexCheck } from './case-index.ts'
import { collectorChecks } from './collector.ts'
import { failed, ok, warning, type Check } from './finding.ts'
import { issuerCheck } from './issuer.ts'
import { leasesCheck } from './leases.ts'
import { clockCheck, nameCheck, publicUrlCheck } from './network.ts'
import { objectRemedy, objectStoreChecks } from './object-store.ts'
import { signingKeyCheck, timeStampCheck } from './signing.ts'

/** A process of a cluster with its configuration. */
export type ClusterProcess =
  | { component: 'api'; config: ApiConfig }
  | { component: 'controller'; config: ControllerConfig }
  | { component: 'worker'; config: WorkerConfig }

const KINDS = ['signaturecases', 'tenants', 'kioskdevices']
const GROUP_PATH = '/apis/sigcase.dev/v1'
const SIGNING_KEYS = ['issuing-ca', 'seal'] as const
const FORBIDDEN = 403

const nowMs = () => Date.now()

function redisCheck({ redis }: ClusterConfig): Check {
  return {
    name: 'Redis',
    remedy: 'correct REDIS_URL (host, port, user, password) and REDIS_CA_FILE',
    async ask() {
      const lost = Promise.withResolvers<never>()
      const { authorities } = redis
      const client = connectRedis(redis.url, (error) => lost.reject(error), { authorities })
      try {
        const logged: string[] = []
        const server = {
          describeServer: async () => readServerFacts(await client.info()),
          epoch: () => client.ping(),
        }
        const log = { error: (_details: object, message: string) => logged.push(message) }
        const fault = await Promise.race([checkRedisServer(server, log)(), lost.promise])
        if (fault !== undefined) return failed('the server cannot be used', fault)
        const [advice] = logged
        return advice === undefined ? ok('answers') : warning('answers', advice)
      } finally {
        client.destroy()
      }
    },
  }
}

function definitionsCheck(server: ApiServer): Check {
  const remedy = 'check KUBECONFIG, or the service account of the pod and its network policy'
  const install = 'install the custom resources: kubectl apply --server-side --filename crds/'
  return {
    name: 'custom resources',
    remedy,
    async ask() {
      try {
        const { resources } = await server.send<{ resources: { name: string }[] }>({
          path: GROUP_PATH,
        })
        const served = new Set(resources.map(({ name }) => name))
        const missing = KINDS.filter((kind) => !served.has(kind))
        if (missing.length > 0) return failed(`not served: ${missing.join(', ')}`, install)
        return ok(KINDS.join(', '))
      } catch (error) {
        // A server without the group answers 404, like one that is just starting.
        const { cause } = error as { cause?: unknown }
        const isUnknown = cause instanceof ApiRefusal && cause.status === 404
        if (!isUnknown) throw error
        return failed(`${GROUP_PATH} is not served`, install)
      }
    },
  }
}

function rightsCheck(server: ApiServer, component: string): Check {
  const remedy =
    `bind the role of the ${component} to its service account; the chart does this ` +
    '(charts/sigcase/templates/rbac.yaml)'
  return {
    name: 'rights',
    remedy,
    async ask() {
      try {
        await server.send({ path: `${GROUP_PATH}/tenants`, query: { limit: '1' } })
        return ok('may read tenants')
      } catch (error) {
        if (!(error instanceof ApiRefusal) || error.status !== FORBIDDEN) throw error
        return failed(error.message, remedy)
      }
    },
  }
}

/**
 * Writes an object, reads it and deletes it. The rights of each process are those of
 * docs/how-to/set-up-google-cloud.md: the API may delete uploads for verification alone, and the
 * controller is asked only to read.
 */
function objectsCheck(
  objects: ObjectStore,
  remedy: string,
  component: ClusterProcess['component'],
): Check {
  return {
    name: 'object store',
    remedy,
    async ask() {
      const folder = component === 'api' ? VERIFICATIONS_FOLDER : 'doctor/'
      const key = `${folder}doctor-${randomUUID()}`
      if (component === 'controller') {
        await objects.get(key)
        return ok('answers')
      }
      await objects.putIfAbsent(key, new TextEncoder().encode(key), 'text/plain')
      const read = await objects.get(key)
      if (read === undefined) return failed('what was written cannot be read', remedy)
      await objects.delete(key)
      return ok('wrote, read and deleted an object')
    },
  }
}

function bucketRulesCheck(config: ClusterConfig): Check[] {
  const { objects, google } = config
  if (!isCloudStorage(objects)) return []
  const remedy = 'run `sigcase gcs-lifecycle` with an account that may update the bucket'
  return [
    {
      name: 'rules of the bucket',
      remedy,
      async ask() {
        const bucket = openBucket({ ...objects, auth: googleAuth(google) })
        const missing = await missingLifecycleRules(bucket)
        if (missing === undefined) {
          const detail = 'this account may not read them (storage.buckets.get)'
          return { outcome: 'skipped', detail }
        }
        if (missing > 0) return warning(`${missing} lifecycle rules are missing`, remedy)
        return ok('all lifecycle rules are set')
      },
    },
    clockCheck(objects.endpoint, nowMs),
  ]
}

/** Checks that uploads reach Pub/Sub, when the API is configured to get them from there. */
function notificationsCheck({ objects, google, pubSubPush }: ApiConfig): Check[] {
  if (!pubSubPush || !isCloudStorage(objects)) return []
  const remedy = 'create it as docs/how-to/set-up-google-cloud.md says (upload notifications)'
  const check: Check = {
    name: 'notifications of the bucket',
    remedy,
    async ask() {
      const bucket = openBucket({ ...objects, auth: googleAuth(google) })
      const isPublished = await publishesUploads(bucket)
      if (isPublished === undefined) {
        const detail = 'this account may not read them (storage.buckets.get)'
        return { outcome: 'skipped', detail }
      }
      if (isPublished) return ok('the bucket publishes uploads')
      return warning('the bucket publishes no uploads, so cases start late', remedy)
    },
  }
  return [check]
}

/** Checks the issuers of the tokens that the API accepts or that its console requests. */
function issuerChecks({ pubSubPush, consoleProvider, egressAllow }: ApiConfig): Check[] {
  const http = new GuardedHttp({ timers: systemTimers, allowed: egressAllow })
  const push = pubSubPush && { issuer: pubSubPush.issuer, variable: 'PUBSUB_PUSH_ISSUER' }
  const sign = consoleProvider && {
    issuer: consoleProvider.issuer,
    variable: 'CONSOLE_OIDC_ISSUER',
  }
  return [
    ...(push ? [issuerCheck('issuer of Pub/Sub', push, http)] : []),
    ...(sign ? [issuerCheck('issuer of the console', sign, http)] : []),
  ]
}

function mailCheck(mail: MailConfig): Check[] {
  if ('folder' in mail) return []
  const check: Check = {
    name: 'mail server',
    remedy: 'correct SMTP_URL, SMTP_USER, SMTP_PASSWORD and SMTP_CA_FILE',
    async ask() {
      await openMailer(mail).ping()
      return ok(`${mail.host}:${mail.port} accepts this service`)
    },
  }
  return [check]
}

async function workerChecks(config: WorkerConfig): Promise<Check[]> {
  const { timeStamps, egressAllow } = config
  const device = await openSigningDevice(config, new Date())
  const http = new GuardedHttp({ timers: systemTimers, allowed: egressAllow })
  const { timeStamps: authority } = openAuthorities({
    ...(timeStamps && { timeStamps }),
    http,
    signingDevice: device,
    onUnknown: () => undefined,
    now: () => new Date(),
  })
  return [
    ...SIGNING_KEYS.map((key) => signingKeyCheck(key, device, nowMs)),
    timeStampCheck(authority),
  ]
}

/** Checks that the keyring has every key that the process uses. */
function keyringCheck({ component, config }: ClusterProcess): Check {
  return {
    name: 'keyring',
    remedy:
      'create it with `sigcase keyring create` and mount the Secrets into KEYRING_FOLDER; ' +
      'docs/how-to/install-on-a-cluster.md says which process needs which',
    async ask() {
      openProcessKeyring(component, config)
      return ok(config.keyringFolder)
    },
  }
}

/**
 * Opens a group of checks. A group that cannot be opened, because a file is wrong for example, is
 * one check that fails.
 */
async function openGroup(
  name: string,
  remedy: string,
  open: () => Promise<Check[]> | Check[],
): Promise<Check[]> {
  try {
    return await open()
  } catch (error) {
    return [{ name, remedy, ask: () => Promise.reject(error as Error) }]
  }
}

/** Whether the process uses an API of Google Cloud. */
function usesGoogle(process: ClusterProcess): boolean {
  const { component, config } = process
  const isSigner = component === 'worker'
  const hasKeys = isSigner && 'keys' in config.signingKeys && !('mount' in config.signingKeys)
  return isCloudStorage(config.objects) || hasKeys
}

/** Returns the name and the remedy of the group of {@link storeChecks} when it cannot be opened. */
function storeGroup(process: ClusterProcess): [name: string, remedy: string] {
  if (!usesGoogle(process)) {
    const remedy = 'check the files and folders that the variables name'
    return ['object store and keys', `${remedy}: docs/reference/configuration.md`]
  }
  const remedy =
    'correct GOOGLE_APPLICATION_CREDENTIALS, or give the pod a workload identity: ' +
    'docs/how-to/set-up-google-cloud.md'
  return ['Google identity', remedy]
}

/** Checks of the object store and the keys; some need an identity of Google Cloud. */
async function storeChecks(process: ClusterProcess): Promise<Check[]> {
  const { component, config } = process
  // Cloud KMS's client reports a missing identity outside the call that failed.
  if (usesGoogle(process)) await googleAuth(config.google).getClient()
  // Only links to objects need keys, and the checks make none.
  const unsigned = { sign: () => '' } as never
  const objects = openObjects(config, unsigned, () => new Date())
  const checks = [
    objectsCheck(objects, objectRemedy(config.objects), component),
    ...bucketRulesCheck(config),
    ...objectStoreChecks(config.objects, objects, component),
    ...(component === 'api' ? notificationsCheck(config) : []),
  ]
  return component === 'worker' ? [...checks, ...(await workerChecks(config))] : checks
}

const groupsOf = ({ namespace, shardGroups: groups }: ControllerConfig) => ({
  namespace,
  base: CONTROLLER_LEASE,
  groups,
  nowMs,
})

/** Lists the checks of a process. */
export async function clusterChecks(process: ClusterProcess): Promise<Check[]> {
  const { component, config } = process
  const kubernetes = 'correct KUBECONFIG, or run the command inside the pod'
  const checks = [
    keyringCheck(process),
    ...(await openGroup('API server', kubernetes, () => {
      const server = openApiServer(component, config)
      const leases = component === 'controller' ? [leasesCheck(server, groupsOf(config))] : []
      return [definitionsCheck(server), rightsCheck(server, component), ...leases]
    })),
    redisCheck(config),
    ...('index' in config && config.index ? [indexCheck(config.index)] : []),
    ...(await openGroup(...storeGroup(process), () => storeChecks(process))),
    ...(component === 'api' ? issuerChecks(config) : []),
    ...collectorChecks(config.tracing),
    nameCheck('public URL', new URL(config.baseUrl).hostname),
    publicUrlCheck(config.baseUrl, true),
  ]
  return component === 'controller' ? checks : [...checks, ...mailCheck(config.mail)]
}
