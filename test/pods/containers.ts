/** Kills containers of the node as the kernel does when memory runs out, and finds the leader. */
import { setTimeout as sleep } from 'node:timers/promises'
import { HOME_NAMESPACE } from '../../dev/pods/layout.ts'
import { runInNode } from '../../dev/pods/in-node.ts'
import { preparePrograms } from '../../dev/pods/programs.ts'
import { kubectl, type Pod } from './cases.ts'

const programs = preparePrograms()
const POLL_MS = 200
const LEADER_LIMIT_MS = 60_000

/** Sends SIGKILL to process 1 of a container; kubelet then starts the container again. */
export async function killContainer(pod: Pod, name: string): Promise<void> {
  const status = pod.status.containerStatuses?.find((one) => one.name === name)
  const id = status?.containerID?.replace('containerd://', '')
  if (id === undefined) throw new Error(`${pod.metadata.name} has no container ${name}`)
  await runInNode(programs, [
    ...['ctr', '--namespace', 'k8s.io'],
    ...['tasks', 'kill', '--signal', 'SIGKILL', id],
  ])
}

/**
 * Reads which process holds the Lease of the controllers: `<name of its pod>_<unique id>`. A
 * process that starts again in its pod has another id.
 */
export async function leaderIdentity(): Promise<string | undefined> {
  const { spec } = await kubectl.get<{ spec: { holderIdentity?: string } }>(
    'lease/sigcase-controller',
    `--namespace=${HOME_NAMESPACE}`,
  )
  return spec.holderIdentity
}

/** Waits until another process holds the Lease. @returns milliseconds that it took */
export async function untilOtherLeader(former: string | undefined): Promise<number> {
  const startedMs = performance.now()
  for (;;) {
    const identity = await leaderIdentity()
    const tookMs = performance.now() - startedMs
    if (identity !== undefined && identity !== '' && identity !== former) return tookMs
    if (tookMs > LEADER_LIMIT_MS) throw new Error('the Lease keeps its holder')
    await sleep(POLL_MS)
  }
}
