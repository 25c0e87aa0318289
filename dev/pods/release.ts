/** Installs the service on a cluster: emulators, Secrets, the chart, and tenants. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openWholeKeyring } from '../../adapters/embedded/keyring.ts'
import { KEY_SETS, keySetPath, makeMissingKeySets } from '../../adapters/embedded/key-sets.ts'
import type { KeySet } from '../../domain/key-grants.ts'
import { mintTenantToken } from '../../adapters/jose/local-identity.ts'
import {
  BASE_URL,
  HOME_NAMESPACE,
  OUTSIDE_NAMESPACE,
  POD_RANGE,
  ROOT,
  SERVICE_RANGE,
  TENANTS,
} from './layout.ts'
import { REDIS, SERVICE_IMAGES } from './images.ts'
import type { Kubectl } from './kubectl.ts'
import {
  BUCKET,
  KEYS,
  KEYS_URL,
  MAIL_PORT,
  MAIL_URL,
  startEmulators,
  STORAGE_URL,
} from './outside.ts'

export const RELEASE = 'sigcase'
const NAMESPACE = `--namespace=${HOME_NAMESPACE}`
const CERTIFICATES = 'sigcase-certificates'
const GOOGLE_SECRET = 'sigcase-google'
const TOKEN_SECRET = 'sigcase-test-token'
/** Six pods start on two cores, which other programs may use too. */
export const INSTALL_LIMIT = '10m'
const OWNER_ONLY = 0o600

export interface ReleaseOptions {
  kubectl: Kubectl
  /** Gets the keyring, the values and a copy of the chart. */
  folder: string
  /** Runtime of the workers. */
  workers?: 'node' | 'deno'
  /** Further values, in the syntax of `helm --set`. */
  set?: readonly string[]
  /** Further files of values; they come before `set`. */
  valueFiles?: readonly string[]
  /** Changes the copy of the chart before it is installed. */
  editChart?: (chart: string) => void
}

const imageOf = (name: string) => {
  const [repository, tag] = name.split(/:(?=[^/:]+$)/)
  return { repository, tag }
}

/** Values as in docs/how-to/install-on-a-cluster.md, for a node with two cores. */
function values(workers: 'node' | 'deno') {
  const storage = { GCS_ENDPOINT: STORAGE_URL }
  const component = (environment: object, memory: string) => ({
    replicas: 2,
    // policy/v1 is not served by Kubernetes 1.20.
    podDisruptionBudget: { enabled: false },
    environment,
    resources: { requests: { cpu: '50m', memory: '128Mi' }, limits: { memory } },
  })
  return {
    baseUrl: BASE_URL,
    images: { node: imageOf(SERVICE_IMAGES.node), deno: imageOf(SERVICE_IMAGES.deno) },
    googleCloud: {
      bucket: BUCKET,
      credentials: Object.fromEntries(
        ['api', 'controller', 'worker'].map((name) => [name, { secretName: GOOGLE_SECRET }]),
      ),
      keys: { ...KEYS, certificatesConfigMapName: CERTIFICATES },
    },
    redis: { trial: { enabled: true, image: REDIS } },
    mail: { server: MAIL_URL, from: 'signing@example.com' },
    limits: { egressAllow: [SERVICE_RANGE, POD_RANGE] },
    api: component(storage, '1Gi'),
    controller: component(storage, '1Gi'),
    worker: {
      ...component({ ...storage, KMS_ENDPOINT: KEYS_URL }, '2Gi'),
      runtime: workers,
      reader: {
        resources: { requests: { cpu: '50m', memory: '128Mi' }, limits: { memory: '2Gi' } },
      },
    },
    networkPolicy: {
      mailPorts: [MAIL_PORT],
      extraEgress: [{ to: [{ namespaceSelector: { matchLabels: { name: OUTSIDE_NAMESPACE } } }] }],
    },
    helmTest: { token: { secretName: TOKEN_SECRET } },
  }
}

function namespace(name: string): object {
  const labels = { name, 'kubernetes.io/metadata.name': name }
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } }
}

const secret = (name: string, stringData: Record<string, string>): object => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: HOME_NAMESPACE },
  stringData,
})

/** @param binaryData contents in base64, keyed by file name */
const configMap = (name: string, binaryData: Record<string, string>): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: HOME_NAMESPACE },
  binaryData,
})

export const keyringOf = (folder: string) => join(folder, 'keyring')

/** Builds the Secret of a key set from its file. @param keyring folder */
export const keySetSecret = (keyring: string, set: KeySet): object =>
  secret(`sigcase-keyring-${set}`, { 'keys.json': readFileSync(keySetPath(keyring, set), 'utf8') })

/** @returns a bearer token of the tenant, valid for the local issuer */
export const mintToken = (folder: string, tenant: string): Promise<string> =>
  mintTenantToken(openWholeKeyring(keyringOf(folder)), tenant, new Date())

/**
 * Creates or replaces the certificates of the service's keys. @param files base64, keyed by name
 */
export const applyCertificates = (kubectl: Kubectl, files: Record<string, string>) =>
  kubectl.apply(configMap(CERTIFICATES, files))

/** Makes what the chart expects to find: Secrets and a ConfigMap. */
async function applyPrerequisites({ kubectl, folder }: ReleaseOptions): Promise<void> {
  await kubectl.apply(namespace(HOME_NAMESPACE), namespace(OUTSIDE_NAMESPACE))
  const { googleKey, certificates } = await startEmulators(kubectl)
  const keyring = keyringOf(folder)
  makeMissingKeySets(keyring)
  await kubectl.apply(
    ...KEY_SETS.map((set) => keySetSecret(keyring, set)),
    secret(GOOGLE_SECRET, { 'credentials.json': googleKey }),
    secret(TOKEN_SECRET, { token: await mintToken(folder, TENANTS[0]) }),
  )
  await applyCertificates(kubectl, certificates)
}

/** A copy of the chart without its lowest version of Kubernetes: the node's API server is older. */
function copyChart(folder: string): string {
  const chart = join(folder, 'chart')
  rmSync(chart, { recursive: true, force: true })
  cpSync(join(ROOT, 'charts/sigcase'), chart, { recursive: true })
  const path = join(chart, 'Chart.yaml')
  writeFileSync(path, readFileSync(path, 'utf8').replace(/^kubeVersion:.*\n/m, ''))
  return chart
}

/** Installs the release, or upgrades it, and waits until its pods are ready. */
export async function installChart(options: ReleaseOptions): Promise<void> {
  const { kubectl, folder, workers = 'deno', set = [], valueFiles = [], editChart } = options
  const file = join(folder, 'values.json')
  writeFileSync(file, JSON.stringify(values(workers), undefined, 2), { mode: OWNER_ONLY })
  const changes = [
    ...valueFiles.flatMap((one) => ['--values', one]),
    ...set.flatMap((one) => ['--set', one]),
  ]
  const chart = copyChart(folder)
  editChart?.(chart)
  await kubectl.helm(
    ...['upgrade', '--install', RELEASE, chart, NAMESPACE, '--values', file, ...changes],
    // Kubernetes 1.20 does not know some members of its own newer kinds.
    ...['--disable-openapi-validation', '--wait', '--timeout', INSTALL_LIMIT],
  )
}

/** Registers tenants of the local issuer, and waits until their namespaces are ready. */
async function registerTenants(kubectl: Kubectl): Promise<void> {
  const tenants = TENANTS.map((name) => ({
    apiVersion: 'sigcase.dev/v1',
    kind: 'Tenant',
    metadata: { name },
    spec: {
      namespace: name,
      identity: { issuer: 'sigcase-local', audience: 'sigcase', claim: 'tenant', value: name },
    },
  }))
  await kubectl.apply(...tenants)
  await kubectl.run('wait', '--for=condition=Ready', '--all', 'tenants', '--timeout=120s')
}

/** Installs everything that a case needs. @throws Error when a part does not become ready */
export async function installRelease(options: ReleaseOptions): Promise<void> {
  mkdirSync(options.folder, { recursive: true, mode: 0o700 })
  await applyPrerequisites(options)
  await installChart(options)
  await registerTenants(options.kubectl)
}
