/** Drives the service of the node from a test: cases, pods and what they answer. */
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { runDemo } from '../../cli/demo/flow.ts'
import { findPods, type PodsCluster } from '../../dev/pods/start-pods.ts'
import { nodePid } from '../../dev/pods/in-node.ts'
import { BASE_URL, HOME_NAMESPACE, TENANTS } from '../../dev/pods/layout.ts'
import { mintToken } from '../../dev/pods/release.ts'
import { smallDocument } from '../fixtures/signed-by-all.ts'

const POLL_MS = 500
/** A pod that starts beside others takes most of a minute; a busy machine takes several. */
export const POD_LIMIT_MS = 300_000
export const NAMESPACE = `--namespace=${HOME_NAMESPACE}`
export const [TENANT] = TENANTS

export interface Pod {
  metadata: { name: string; uid: string; labels: Record<string, string> }
  spec: { nodeName?: string; containers: { name: string; image: string }[] }
  status: {
    phase: string
    podIP?: string
    conditions?: { type: string; status: string }[]
    containerStatuses?: {
      name: string
      restartCount: number
      ready: boolean
      containerID?: string
    }[]
  }
}

if (nodePid() === undefined) {
  t.plan(0, 'no node runs: `npm run test:pods` starts one')
  process.exit()
}

/** The cluster that `npm run test:pods` has started. */
export const cluster: PodsCluster = findPods()
export const { kubectl } = cluster

/**
 * Brings a case to DONE.
 *
 * @param folder of the release, for its keyring
 * @returns its id
 */
export async function runCase(t: Test, folder = cluster.folder): Promise<string> {
  const steps: string[] = []
  const { caseId, signed, evidence } = await runDemo({
    baseUrl: BASE_URL,
    token: await mintToken(folder, TENANT),
    title: 'Contract',
    pdf: new Uint8Array(await smallDocument()),
    now: () => new Date(),
    progress: (line) => steps.push(line),
  }).catch((error: unknown) => {
    for (const step of steps) t.comment(step)
    throw error
  })
  t.ok(signed.length > 0 && evidence.length > 0, 'both documents were downloaded')
  return caseId
}

/** Lists the pods of a component, except those that a kubelet refused or evicted: they stay. */
export async function listPods(component: string): Promise<Pod[]> {
  const label = `app.kubernetes.io/component=${component}`
  const { items } = await kubectl.get<{ items: Pod[] }>('pods', NAMESPACE, '--selector', label)
  return items.filter(({ status }) => status.phase !== 'Failed')
}

const isReady = ({ status }: Pod) =>
  status.conditions?.some(({ type, status: holds }) => type === 'Ready' && holds === 'True') ??
  false

/** Waits until a component has its pods, and all are ready. */
export async function untilReady(component: string, count: number): Promise<Pod[]> {
  return until(`${count} pods of ${component} are ready`, async () => {
    const pods = await listPods(component)
    return pods.length === count && pods.every(isReady) ? pods : undefined
  })
}

/** Number of pods of each component, as the release has them. */
export const REPLICAS = { api: 2, controller: 2, worker: 2, redis: 1 } as const

/** Waits until every component has its pods, and all are ready. */
export async function untilWhole(): Promise<void> {
  for (const [component, count] of Object.entries(REPLICAS)) await untilReady(component, count)
}

/** Polls until `holds` gives a value. @throws Error when it gives none within `limitMs` */
export async function until<T>(
  what: string,
  holds: () => Promise<T | undefined>,
  limitMs = POD_LIMIT_MS,
): Promise<T> {
  const deadlineMs = performance.now() + limitMs
  for (;;) {
    const found = await holds()
    if (found !== undefined) return found
    if (performance.now() > deadlineMs) throw new Error(`not in time: ${what}`)
    await sleep(POLL_MS)
  }
}
