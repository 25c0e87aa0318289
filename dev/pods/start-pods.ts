/**
 * `npm run cluster -- --pods`: brings up a Kubernetes of one node with the service on it, or
 * installs the service on the cluster of `KUBECONFIG`. It returns when all is ready. `--nodes 2`
 * adds a second node; `--pods --down` ends and removes everything.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { isFree } from '../../adapters/shared/free-ports.ts'
import { UsageError } from '../../cli/usage.ts'
import { buildBaseImages, buildServiceImages } from './images.ts'
import { nodePid } from './in-node.ts'
import { Kubectl } from './kubectl.ts'
import {
  BASE_URL,
  HOME_NAMESPACE,
  KUBECONFIG,
  OUTSIDE_NAMESPACE,
  PODS_CACHE,
  SECOND_NODE,
  STATE,
  TENANTS,
} from './layout.ts'
import { startNode, stopNode } from './node.ts'
import { preparePrograms, whyNoNode } from './programs.ts'
import { installRelease, RELEASE, mintToken } from './release.ts'
import { addSecondNode } from './second-node.ts'

/** Folder for the keyring and the values of the release. */
export const RELEASE_FOLDER = join(STATE, 'release')
/** Folder for the same of a release on another cluster. */
export const FOREIGN_FOLDER = join(PODS_CACHE, 'foreign')

/** A running cluster with the service. */
export interface PodsCluster {
  kubectl: Kubectl
  /** Gets what belongs to the release. */
  folder: string
}

/** @throws UsageError when no node can run on this machine */
function assertNodeCanRun(): void {
  const reason = whyNoNode()
  if (reason !== undefined) throw new UsageError(`${reason} Set KUBECONFIG to use another cluster.`)
}

/**
 * Builds programs and images, starts the node, and installs the service. @param port of the proxy
 */
export async function startPods(port: number): Promise<PodsCluster> {
  assertNodeCanRun()
  if (nodePid() !== undefined) throw new UsageError('a node is running: stop it by --pods --down')
  if (!(await isFree(port))) throw new UsageError(`port ${port} is in use: set PORT`)
  const programs = preparePrograms()
  buildBaseImages(programs)
  const images = await buildServiceImages(programs)
  // Removes leftovers of a node that did not stop properly.
  await stopNode()
  await startNode({ programs, images, port })
  const kubectl = new Kubectl(KUBECONFIG, join(programs.kubernetes, 'kubectl'))
  const cluster = { kubectl, folder: RELEASE_FOLDER }
  console.log('installing the service')
  await installRelease(cluster)
  return cluster
}

/** Connects to the running node. @throws UsageError when no node is running */
export function findPods(): PodsCluster {
  if (nodePid() === undefined || !existsSync(KUBECONFIG)) throw new UsageError('no node runs')
  const { kubernetes } = preparePrograms()
  return { kubectl: new Kubectl(KUBECONFIG, join(kubernetes, 'kubectl')), folder: RELEASE_FOLDER }
}

/** @returns URL of the proxy of the node that runs */
export function readProxyUrl(): string {
  const { clusters } = JSON.parse(readFileSync(KUBECONFIG, 'utf8')) as {
    clusters: { cluster: { 'proxy-url': string } }[]
  }
  return clusters[0]?.cluster['proxy-url'] ?? ''
}

async function describe({ folder }: PodsCluster, port: number): Promise<string> {
  const token = await mintToken(folder, TENANTS[0])
  const proxy = `http://127.0.0.1:${port}`
  return [
    `sigcase ready on ${BASE_URL} in the cluster, tenants ${TENANTS.join(' and ')}`,
    `The only way in is the HTTP proxy ${proxy}, which knows the names of the cluster.`,
    '',
    'Try:',
    `  export KUBECONFIG=${KUBECONFIG}`,
    `  kubectl get pods --all-namespaces`,
    `  kubectl get signaturecases --all-namespaces --output wide`,
    `  helm test ${RELEASE} --namespace ${HOME_NAMESPACE}`,
    `  curl --proxy ${proxy} ${BASE_URL}/readyz`,
    `  HTTP_PROXY=${proxy} NODE_USE_ENV_PROXY=1 BASE_URL=${BASE_URL} \\`,
    `    npm run demo -- some.pdf --token ${token}`,
    `  chromium --proxy-server=${proxy} ${BASE_URL}/verify`,
    '  npm run test:pods',
    '',
    'End it and remove what it wrote: npm run cluster -- --pods --down',
  ].join('\n')
}

/** The scheduler looks at the nodes only when it places a pod. */
const MOVE_PODS = [
  'Both nodes are ready. Pods move to the second one when they are replaced:',
  `  kubectl --namespace ${HOME_NAMESPACE} scale deployment/sigcase-api --replicas=1`,
  `  kubectl --namespace ${HOME_NAMESPACE} scale deployment/sigcase-api --replicas=2`,
].join('\n')

async function describeForeign({ folder }: PodsCluster): Promise<string> {
  return [
    `sigcase ready on ${BASE_URL} in the cluster, tenants ${TENANTS.join(' and ')}`,
    '',
    'Try:',
    `  helm test ${RELEASE} --namespace ${HOME_NAMESPACE}`,
    `  kubectl --namespace ${HOME_NAMESPACE} port-forward service/sigcase-api 8080:80`,
    `Token of ${TENANTS[0]}: ${await mintToken(folder, TENANTS[0])}`,
    '',
    'Remove it: npm run cluster -- --pods --down',
  ].join('\n')
}

/** Kinds of the custom resources, cases before the tenants that they belong to. */
const CUSTOM_RESOURCES = ['signaturecases', 'kioskdevices', 'tenants']
/** A case that is deleted ends first, and its Secrets are removed. */
const DELETION_LIMIT = '--timeout=300s'

/** Removes the service while its controllers run: they remove the finalizers of cases. */
async function removeFromForeign({ kubectl, folder }: PodsCluster): Promise<void> {
  for (const kind of CUSTOM_RESOURCES) {
    await kubectl.run('delete', kind, '--all', '--all-namespaces', DELETION_LIMIT)
  }
  await kubectl.helm('uninstall', RELEASE, '--namespace', HOME_NAMESPACE)
  const names = [HOME_NAMESPACE, OUTSIDE_NAMESPACE, ...TENANTS]
  await kubectl.run('delete', 'namespace', '--ignore-not-found', DELETION_LIMIT, ...names)
  rmSync(folder, { recursive: true, force: true })
}

export interface PodsCommand {
  /** Stops the cluster instead of starting it. */
  isDown: boolean
  /** Port of the proxy. */
  port: number
  /** Adds a second node, to the running cluster if there is one. */
  hasTwoNodes: boolean
}

/** Runs the command: brings a cluster up, adds a node to it, or removes it. */
export async function runPods({ isDown, port, hasTwoNodes }: PodsCommand): Promise<void> {
  const foreign = process.env.KUBECONFIG
  if (foreign !== undefined && foreign !== KUBECONFIG) {
    if (hasTwoNodes) throw new UsageError('--nodes has no meaning with the cluster of KUBECONFIG')
    const cluster = { kubectl: new Kubectl(foreign), folder: FOREIGN_FOLDER }
    if (isDown) return removeFromForeign(cluster)
    await installRelease(cluster)
    console.log(await describeForeign(cluster))
    return
  }
  if (isDown) return stopNode()
  const isRunning = nodePid() !== undefined
  if (!isRunning || !hasTwoNodes) console.log(await describe(await startPods(port), port))
  if (!hasTwoNodes) return
  if (nodePid(SECOND_NODE) !== undefined) throw new UsageError('two nodes are running')
  await addSecondNode(preparePrograms())
  console.log(MOVE_PODS)
}
