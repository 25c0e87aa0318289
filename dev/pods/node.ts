/** Starts and ends a Kubernetes of one node, in namespaces of its own. */
import { spawn, spawnSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { exportImage } from './buildah.ts'
import { issueCertificates, writeKubeconfig } from './certificates.ts'
import { makeCgroups, removeCgroups } from './cgroups.ts'
import { nodePid, ownNode, pidFile, runInNode, startInNode, waitFor } from './in-node.ts'
import {
  CRD_LAYER_PORT,
  DNS_ADDRESS,
  KUBECONFIG,
  NODE_ADDRESS,
  NODE_NAME,
  PODS_CACHE,
  PROXY_SOCKET,
  SERVICE_RANGE,
  STATE,
} from './layout.ts'
import {
  apiServer,
  containerd,
  controllerManager,
  crdLayer,
  etcd,
  kubelet,
  kubeProxy,
  scheduler,
  type Places,
} from './node-programs.ts'
import type { Programs } from './programs.ts'

/** Time limit; a busy machine with two cores can take minutes instead of seconds. */
const READY_LIMIT_MS = 180_000
const NAMESPACES_LIMIT_MS = 20_000
const END_LIMIT_MS = 30_000
const CONTAINERD = join(PODS_CACHE, 'containerd')
const IMPORTED = join(CONTAINERD, 'imported.json')
const PKI = join(STATE, 'pki')

export interface NodeOptions {
  programs: Programs
  /** Images and their ids: those that containerd does not have yet are imported. */
  images: ReadonlyMap<string, string>
  /** Port of loopback at which the node's proxy is reached. */
  port: number
}

/** Writes the lines with the time since the start. */
function stopwatch(): (what: string) => void {
  const startMs = performance.now()
  return (what) => {
    const seconds = ((performance.now() - startMs) / 1000).toFixed(1)
    console.log(`  ${seconds.padStart(6)} s  ${what}`)
  }
}

async function makeNamespaces(): Promise<void> {
  for (const folder of ['logs', 'kubelet', 'log', 'cni']) {
    mkdirSync(join(STATE, folder), { recursive: true })
  }
  for (const folder of ['/var/lib/kubelet', '/var/lib/cni', CONTAINERD])
    mkdirSync(folder, { recursive: true })
  const script = join(import.meta.dirname, 'node-init.sh')
  const flags = [
    '--net',
    '--mount',
    '--pid',
    '--fork',
    '--mount-proc',
    '--ipc',
    '--uts',
    '--kill-child',
  ]
  const args = [STATE, CONTAINERD, NODE_NAME, NODE_ADDRESS, SERVICE_RANGE, DNS_ADDRESS]
  const log = join(STATE, 'logs', 'node-init.log')
  const file = openSync(log, 'a')
  const stdio = ['ignore', file, file] as const
  const child = spawn('unshare', [...flags, script, ...args], { stdio: [...stdio], detached: true })
  child.unref()
  closeSync(file)
  const daemon = { name: 'node-init', child, log }
  const isReady = () => existsSync(join(STATE, 'namespaces-ready'))
  await waitFor('namespaces', NAMESPACES_LIMIT_MS, isReady, daemon)
  const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
  writeFileSync(pidFile, children.trim())
}

const isSuccess = async (command: Promise<unknown>) =>
  command.then(
    () => true,
    () => false,
  )

const kubectl = (programs: Programs, ...args: string[]) =>
  runInNode(programs, ['kubectl', `--kubeconfig=${PKI}/admin.kubeconfig`, ...args])

async function apply(programs: Programs, ...objects: readonly object[]): Promise<void> {
  const file = join(STATE, 'apply.json')
  const list = { apiVersion: 'v1', kind: 'List', items: objects }
  writeFileSync(file, JSON.stringify(list))
  await kubectl(programs, 'apply', '--filename', file)
}

async function startControlPlane(programs: Programs, places: Places): Promise<void> {
  startInNode(programs, 'etcd', etcd(places))
  const server = startInNode(programs, 'kube-apiserver', apiServer(places))
  const isReady = () => isSuccess(kubectl(programs, 'get', '--raw=/readyz'))
  await waitFor('kube-apiserver', READY_LIMIT_MS, isReady, server)
  startInNode(programs, 'kube-controller-manager', controllerManager(places))
  startInNode(programs, 'kube-scheduler', scheduler(places))
}

/** A Service whose endpoint is a program of the node. */
function nodeService(
  name: string,
  clusterIP: string | undefined,
  ports: readonly object[],
): object[] {
  const metadata = { name, namespace: 'kube-system' }
  const addresses = [{ ip: NODE_ADDRESS }]
  const endpointPorts = ports.map((port) => {
    const { targetPort, ...rest } = port as { targetPort: number }
    return { ...rest, port: targetPort }
  })
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: { ...(clusterIP && { clusterIP }), ports },
    },
    {
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata,
      subsets: [{ addresses, ports: endpointPorts }],
    },
  ]
}

/**
 * Has the API server of 1.20 pass custom resources to the layer of a newer Kubernetes, which checks
 * their rules (CEL). It must be registered before the first definition is made.
 */
async function startCrdLayer(programs: Programs, places: Places, program: string): Promise<void> {
  const daemon = startInNode(programs, 'crd-layer', crdLayer(places, program))
  const url = [
    `--server=https://${NODE_ADDRESS}:${CRD_LAYER_PORT}`,
    '--tls-server-name=crd-layer.kube-system.svc',
  ]
  const isReady = () => isSuccess(kubectl(programs, ...url, 'get', '--raw=/readyz'))
  await waitFor('the CRD layer', READY_LIMIT_MS, isReady, daemon)
  const service = { name: 'crd-layer', namespace: 'kube-system' }
  const caBundle = readFileSync(join(PKI, 'ca.crt')).toString('base64')
  await apply(
    programs,
    ...nodeService('crd-layer', undefined, [
      { port: 443, targetPort: CRD_LAYER_PORT, protocol: 'TCP' },
    ]),
    {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: 'v1.sigcase.dev' },
      spec: {
        group: 'sigcase.dev',
        version: 'v1',
        groupPriorityMinimum: 1000,
        versionPriority: 100,
        caBundle,
        service,
      },
    },
  )
  const patch = {
    metadata: { labels: { 'kube-aggregator.kubernetes.io/automanaged': null } },
    spec: { caBundle, service: { ...service, port: 443 } },
  }
  const name = 'apiservice/v1.apiextensions.k8s.io'
  await kubectl(programs, 'patch', name, '--type=merge', '--patch', JSON.stringify(patch))
  await kubectl(programs, 'wait', '--for=condition=Available', name, '--timeout=60s')
}

/** Removes containers that an earlier cluster left, and imports images that are new. */
async function fillContainerd(
  programs: Programs,
  images: ReadonlyMap<string, string>,
  tell: (what: string) => void,
): Promise<void> {
  const ctr = (...args: string[]) => runInNode(programs, ['ctr', '--namespace', 'k8s.io', ...args])
  await waitFor('containerd', READY_LIMIT_MS, () => isSuccess(ctr('version')))
  const left = (await ctr('containers', 'list', '--quiet')).split('\n').filter(Boolean)
  for (const id of left) await ctr('containers', 'remove', id)
  const there = (await ctr('images', 'list', '--quiet')).split('\n')
  const imported = existsSync(IMPORTED)
    ? (JSON.parse(readFileSync(IMPORTED, 'utf8')) as Record<string, string>)
    : {}
  for (const [image, id] of images) {
    if (imported[image] === id && there.includes(image)) continue
    const archive = join(PODS_CACHE, 'import.tar')
    rmSync(archive, { force: true })
    exportImage(programs.packages, image, archive)
    await ctr('images', 'import', archive)
    rmSync(archive)
    imported[image] = id
    writeFileSync(IMPORTED, JSON.stringify(imported))
    tell(`image ${image}`)
  }
}

async function startAgents(programs: Programs, places: Places): Promise<void> {
  const daemon = startInNode(programs, 'kubelet', kubelet(places))
  startInNode(programs, 'kube-proxy', kubeProxy(places))
  const isThere = () => isSuccess(kubectl(programs, 'get', `node/${NODE_NAME}`))
  await waitFor('kubelet', READY_LIMIT_MS, isThere, daemon)
  await kubectl(programs, 'wait', '--for=condition=Ready', `node/${NODE_NAME}`, '--timeout=100s')
}

async function startServices(programs: Programs, port: number): Promise<void> {
  const script = (name: string) => join(import.meta.dirname, name)
  const dns = [
    { name: 'dns', port: 53, targetPort: 53, protocol: 'UDP' },
    { name: 'dns-tcp', port: 53, targetPort: 53, protocol: 'TCP' },
  ]
  await apply(programs, ...nodeService('kube-dns', DNS_ADDRESS, dns))
  const services = startInNode(programs, 'node-services', [
    ownNode,
    script('node-services.ts'),
    PKI,
  ])
  const forward = [ownNode, script('forward.ts'), String(port), PROXY_SOCKET]
  startInNode(programs, 'forward', forward, 'machine')
  writeKubeconfig(PKI, 'admin', KUBECONFIG, `http://127.0.0.1:${port}`)
  const resolves = () =>
    isSuccess(runInNode(programs, ['getent', 'hosts', 'kubernetes.default.svc.cluster.local']))
  await waitFor('names of the cluster', READY_LIMIT_MS, resolves, services)
}

/**
 * Starts the node, and waits until pods can run on it.
 *
 * @throws Error when a part does not start; the node is ended then
 */
export async function startNode({ programs, images, port }: NodeOptions): Promise<void> {
  const tell = stopwatch()
  const places = { pki: PKI, state: STATE, containerd: CONTAINERD, packages: programs.packages }
  mkdirSync(STATE, { recursive: true, mode: 0o700 })
  try {
    makeCgroups()
    await makeNamespaces()
    startInNode(programs, 'containerd', containerd(places))
    issueCertificates(PKI)
    tell('namespaces and certificates')
    await startControlPlane(programs, places)
    tell('control plane')
    if (programs.crdLayer !== undefined) {
      await startCrdLayer(programs, places, programs.crdLayer)
      tell('CRD layer')
    }
    await fillContainerd(programs, images, tell)
    await startAgents(programs, places)
    await startServices(programs, port)
    tell('node is ready')
  } catch (error) {
    if (process.env.KEEP_FAILED_NODE !== 'true') await stopNode()
    throw error
  }
}

/** Ends the node and removes what it wrote. Programs and images stay in the cache. */
export async function stopNode(): Promise<void> {
  const pid = nodePid()
  if (pid !== undefined) {
    process.kill(pid, 'SIGKILL')
    await waitFor('the end of the node', END_LIMIT_MS, () => nodePid() === undefined)
  }
  await removeCgroups()
  rmSync(STATE, { recursive: true, force: true, maxRetries: 5 })
  // Empty where kubelet has never run on the machine itself.
  spawnSync('rmdir', ['/var/lib/kubelet', '/var/lib/cni'], { stdio: 'ignore' })
}
