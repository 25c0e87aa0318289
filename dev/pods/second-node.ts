/**
 * Adds a second node to the running one, and removes it: namespaces of its own, whose network is
 * connected to that of the first node.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import process from 'node:process'
import { makeCgroups } from './cgroups.ts'
import { kubectl } from './control-plane.ts'
import { nodePid, runInNode, startInNode } from './in-node.ts'
import { FIRST_NODE, IMAGES, PKI, SECOND_NODE, STATE, type NodeLayout } from './layout.ts'
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

/** Bridge of each node that carries its address: node-init.sh. */
const BRIDGE = 'node0'

/** Connects the bridges of both nodes by a pair of devices, and routes to each other's pods. */
async function connectNodes(programs: Programs): Promise<void> {
  const [first, second] = [nodePid(FIRST_NODE), nodePid(SECOND_NODE)].map(String)
  const link = ['ip', 'link', 'add', 'to-second', 'type', 'veth', 'peer', 'name', 'to-first']
  // The ids of processes are those of the machine, so only the network is the node's.
  execFileSync('nsenter', ['--target', first ?? '', '--net', '--', ...link, 'netns', second ?? ''])
  const join = async (node: NodeLayout, other: NodeLayout, device: string) => {
    await runInNode(programs, ['ip', 'link', 'set', device, 'master', BRIDGE, 'up'], node)
    const route = ['ip', 'route', 'replace', other.podRange, 'via', other.address]
    await runInNode(programs, route, node)
  }
  await join(FIRST_NODE, SECOND_NODE, 'to-second')
  await join(SECOND_NODE, FIRST_NODE, 'to-first')
}

/**
 * Starts the second node with the images of the first, and waits until pods can run on it. After
 * {@link killSecondNode} it starts the same node again.
 *
 * @throws Error when it does not start; it is removed then
 */
export async function addSecondNode(programs: Programs): Promise<void> {
  const node = SECOND_NODE
  const report = stopwatch()
  const places = { pki: PKI, node, packages: programs.packages }
  const images = new Map(JSON.parse(readFileSync(IMAGES, 'utf8')) as [string, string][])
  const isNew = !existsSync(node.state)
  mkdirSync(node.state, { recursive: true, mode: 0o700 })
  try {
    makeCgroups(node.cgroup)
    await makeNamespaces(node)
    await connectNodes(programs)
    startInNode(programs, 'containerd', containerd(places), { node })
    // A node that starts again goes on with the pods that it had.
    if (isNew) await removeContainers(programs, node)
    await importImages(programs, node, images, report)
    startServicesOf(programs, node)
    await startAgents(programs, places)
    report(`${node.name} is ready`)
  } catch (error) {
    if (process.env.KEEP_FAILED_NODE !== 'true') await removeSecondNode(programs)
    throw error
  }
}

/** Ends the second node as a loss of power does; the API server still has its Node object. */
export const killSecondNode = (): Promise<void> => killNode(SECOND_NODE)

/** Ends the second node, and removes its Node object and what it wrote. */
export async function removeSecondNode(programs: Programs): Promise<void> {
  await killSecondNode()
  if (nodePid(FIRST_NODE) !== undefined) {
    await kubectl(programs, 'delete', `node/${SECOND_NODE.name}`, '--ignore-not-found')
    await runInNode(programs, ['ip', 'route', 'del', SECOND_NODE.podRange]).catch(() => undefined)
  }
  if (existsSync(STATE)) rmSync(SECOND_NODE.state, { recursive: true, force: true, maxRetries: 5 })
}
