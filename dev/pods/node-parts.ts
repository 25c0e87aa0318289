/** Starts the parts that every node has: namespaces, containerd, kubelet and kube-proxy. */
import { spawn } from 'node:child_process'
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
import { removeCgroups } from './cgroups.ts'
import { kubectl } from './control-plane.ts'
import {
  isSuccess,
  nodePid,
  ownNode,
  pidFile,
  runInNode,
  startInNode,
  waitFor,
  type Daemon,
} from './in-node.ts'
import {
  DNS_ADDRESS,
  PKI,
  PODS_CACHE,
  READY_LIMIT_MS,
  SERVICE_RANGE,
  type NodeLayout,
} from './layout.ts'
import { kubelet, kubeProxy, type Places } from './node-programs.ts'
import type { Programs } from './programs.ts'

/** node-init.sh writes it. */
const READY_FILE = 'namespaces-ready'
const DIGEST = 'sha256:'
const NAMESPACES_LIMIT_MS = 20_000
const END_LIMIT_MS = 30_000

/** Starts a clock. @returns writes a line with the time since the start */
export function stopwatch(): (what: string) => void {
  const startMs = performance.now()
  return (what) => {
    const seconds = ((performance.now() - startMs) / 1000).toFixed(1)
    console.log(`  ${seconds.padStart(6)} s  ${what}`)
  }
}

/** Makes the namespaces of the node, and starts process 1 in them. */
export async function makeNamespaces(node: NodeLayout): Promise<void> {
  for (const folder of ['logs', 'kubelet', 'log', 'cni']) {
    mkdirSync(join(node.state, folder), { recursive: true })
  }
  for (const folder of ['/var/lib/kubelet', '/var/lib/cni', node.containerd])
    mkdirSync(folder, { recursive: true })
  // A node that starts again has the file of its former namespaces.
  rmSync(join(node.state, READY_FILE), { force: true })
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
  const { name, address, state, containerd: images } = node
  const args = [state, images, name, address, SERVICE_RANGE, DNS_ADDRESS]
  const log = join(state, 'logs', 'node-init.log')
  const file = openSync(log, 'a')
  const stdio = ['ignore', file, file] as const
  const child = spawn('unshare', [...flags, script, ...args], { stdio: [...stdio], detached: true })
  child.unref()
  closeSync(file)
  const daemon = { name: 'node-init', child, log }
  const isReady = () => existsSync(join(state, READY_FILE))
  await waitFor('namespaces', NAMESPACES_LIMIT_MS, isReady, daemon)
  const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
  writeFileSync(pidFile(node), children.trim())
}

/** Removes the containers that an earlier cluster left in the folder of containerd. */
export async function removeContainers(programs: Programs, node: NodeLayout): Promise<void> {
  const ctr = (...args: string[]) =>
    runInNode(programs, ['ctr', '--namespace', 'k8s.io', ...args], node)
  await waitFor('containerd', READY_LIMIT_MS, () => isSuccess(ctr('version')))
  const left = (await ctr('containers', 'list', '--quiet')).split('\n').filter(Boolean)
  for (const id of left) await ctr('containers', 'remove', id)
}

/** Imports the images that containerd does not have, and removes those that were replaced. */
export async function importImages(
  programs: Programs,
  node: NodeLayout,
  images: ReadonlyMap<string, string>,
  report: (what: string) => void,
): Promise<void> {
  const ctr = (...args: string[]) =>
    runInNode(programs, ['ctr', '--namespace', 'k8s.io', ...args], node)
  const record = join(node.containerd, 'imported.json')
  await waitFor('containerd', READY_LIMIT_MS, () => isSuccess(ctr('version')))
  const there = (await ctr('images', 'list', '--quiet')).split('\n')
  const imported = existsSync(record)
    ? (JSON.parse(readFileSync(record, 'utf8')) as Record<string, string>)
    : {}
  for (const [image, id] of images) {
    if (imported[image] === id && there.includes(image)) continue
    const archive = join(PODS_CACHE, 'import.tar')
    rmSync(archive, { force: true })
    exportImage(programs.packages, image, archive)
    await ctr('images', 'import', archive)
    rmSync(archive)
    imported[image] = id
    writeFileSync(record, JSON.stringify(imported))
    report(`image ${image}`)
  }
  // containerd lists images by their ids, too; those of replaced images have no other name. Images
  // that a test imported stay.
  const isReplaced = (name: string) =>
    name.startsWith(DIGEST) && !Object.values(imported).some((id) => name.startsWith(DIGEST + id))
  for (const name of there.filter(isReplaced)) await ctr('images', 'remove', name)
}

/** Starts kubelet and kube-proxy, and waits until pods can run on the node. */
export async function startAgents(programs: Programs, places: Places): Promise<void> {
  const { node } = places
  const daemon = startInNode(programs, 'kubelet', kubelet(places), { node })
  startInNode(programs, 'kube-proxy', kubeProxy(places), { node })
  const isThere = () => isSuccess(kubectl(programs, 'get', `node/${node.name}`))
  await waitFor('kubelet', READY_LIMIT_MS, isThere, daemon)
  await kubectl(programs, 'wait', '--for=condition=Ready', `node/${node.name}`, '--timeout=100s')
}

/** Starts the program that enforces NetworkPolicies and, on the first node, resolves names. */
export function startServicesOf(programs: Programs, node: NodeLayout): Daemon {
  const script = join(import.meta.dirname, 'node-services.ts')
  return startInNode(programs, 'node-services', [ownNode, script, PKI, node.name], { node })
}

/** Kills every process of the node at once, and removes its cgroups. */
export async function killNode(node: NodeLayout): Promise<void> {
  const pid = nodePid(node)
  if (pid !== undefined) {
    process.kill(pid, 'SIGKILL')
    await waitFor(`the end of ${node.name}`, END_LIMIT_MS, () => nodePid(node) === undefined)
  }
  await removeCgroups(node.cgroup)
}
