/** Starts and ends the first node of a Kubernetes, in namespaces of its own. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { issueCertificates, writeKubeconfig } from './certificates.ts'
import { makeCgroups } from './cgroups.ts'
import { apply, nodeService, startControlPlane, startCrdLayer } from './control-plane.ts'
import { isSuccess, ownNode, runInNode, startInNode, waitFor } from './in-node.ts'
import {
  DNS_ADDRESS,
  FIRST_NODE,
  IMAGES,
  KUBECONFIG,
  NODES,
  PKI,
  PROXY_SOCKET,
  READY_LIMIT_MS,
  STATE,
} from './layout.ts'
import {
  importImages,
  killNode,
  makeNamespaces,
  removeContainers,
  startAgents,
  startServicesOf,
  stopwatch,
} from './node-parts.ts'
import { containerd } from './node-programs.ts'
import type { Programs } from './programs.ts'

export interface NodeOptions {
  programs: Programs
  /** Images and their ids: those that containerd does not have yet are imported. */
  images: ReadonlyMap<string, string>
  /** Port of loopback at which the node's proxy is reached. */
  port: number
}

async function startServices(programs: Programs, port: number): Promise<void> {
  const dns = [
    { name: 'dns', port: 53, targetPort: 53, protocol: 'UDP' },
    { name: 'dns-tcp', port: 53, targetPort: 53, protocol: 'TCP' },
  ]
  await apply(programs, ...nodeService('kube-dns', DNS_ADDRESS, dns))
  const services = startServicesOf(programs, FIRST_NODE)
  const forward = join(import.meta.dirname, 'forward.ts')
  const command = [ownNode, forward, String(port), PROXY_SOCKET]
  startInNode(programs, 'forward', command, { network: 'machine' })
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
  const report = stopwatch()
  const places = { pki: PKI, node: FIRST_NODE, packages: programs.packages }
  mkdirSync(STATE, { recursive: true, mode: 0o700 })
  writeFileSync(IMAGES, JSON.stringify([...images]))
  try {
    makeCgroups(FIRST_NODE.cgroup)
    await makeNamespaces(FIRST_NODE)
    startInNode(programs, 'containerd', containerd(places))
    issueCertificates(PKI)
    report('namespaces and certificates')
    await startControlPlane(programs, places)
    report('control plane')
    if (programs.crdLayer !== undefined) {
      await startCrdLayer(programs, places, programs.crdLayer)
      report('CRD layer')
    }
    await removeContainers(programs, FIRST_NODE)
    await importImages(programs, FIRST_NODE, images, report)
    await startAgents(programs, places)
    await startServices(programs, port)
    report('node is ready')
  } catch (error) {
    if (process.env.KEEP_FAILED_NODE !== 'true') await stopNode()
    throw error
  }
}

/** Ends all nodes and removes what they wrote. Programs and images stay in the cache. */
export async function stopNode(): Promise<void> {
  for (const node of NODES) await killNode(node)
  rmSync(STATE, { recursive: true, force: true, maxRetries: 5 })
  // Empty where kubelet has never run on the machine itself.
  spawnSync('rmdir', ['/var/lib/kubelet', '/var/lib/cni'], { stdio: 'ignore' })
}
