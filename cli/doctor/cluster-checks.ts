/** Checks of `sigcase doctor` in the environment of a process of a cluster. */
import { GuardedHttp } from '../../adapters/outbound-http/guarded-http.ts'
import { googleAuth } from '../../adapters/shared/google-auth.ts'
import { systemTimers } from '../../adapters/shared/system-timers.ts'
import { openAuthorities } from '../../adapters/tsa/open-authorities.ts'
import { CONTROLLER_LEASE } from '../../adapters/kubernetes/lease-plan.ts'
import { openApiServer, openProcessKeyring } from '../../runtime/cluster/adapters.ts'
import { openMailer, openObjects } from '../../runtime/cluster/outside-services.ts'
import { openSigningDevice } from '../../runtime/cluster/signing-device.ts'
import {
  type ApiConfig,
  type ControllerConfig,
  type MailConfig,
  type WorkerConfig,
} from '../../runtime/config/processes.ts'
import { isCloudStorage } from '../../runtime/config/google-cloud.ts'
import { definitionsCheck, rightsCheck } from './api-server.ts'
import { indexCheck } from './case-index.ts'
import { bucketChecks, notificationChecks } from './cloud-storage.ts'
import { collectorChecks } from './collector.ts'
import { ok, type Check } from './finding.ts'
import { issuerChecks } from './issuer.ts'
import { leasesCheck } from './leases.ts'
import { nameCheck, publicUrlCheck } from './network.ts'
import { objectRemedy, objectsCheck, objectStoreChecks } from './object-store.ts'
import { redisCheck } from './redis.ts'
import { signingKeyCheck, timeStampCheck } from './signing.ts'

/** A process of a cluster with its configuration. */
export type ClusterProcess =
  | { component: 'api'; config: ApiConfig }
  | { component: 'controller'; config: ControllerConfig }
  | { component: 'worker'; config: WorkerConfig }

const SIGNING_KEYS = ['issuing-ca', 'seal'] as const

const nowMs = () => Date.now()

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
    ...bucketChecks(config),
    ...objectStoreChecks(config.objects, objects, component),
    ...(component === 'api' ? notificationChecks(config) : []),
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
    publicUrlCheck(config.baseUrl, 'pod'),
  ]
  return component === 'controller' ? checks : [...checks, ...mailCheck(config.mail)]
}
