/** Probes: what hangs is restarted and gets no requests meanwhile, and nothing else restarts. */
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { listPods, REPLICAS, runCase, until, untilWhole, type Pod } from './cases.ts'
import { signalContainer } from './containers.ts'

const COMPONENTS = Object.keys(REPLICAS)
/** kube-proxy takes the pod out of the Service a moment later. */
const PROXY_MS = 3_000
/** Six failures in a row, ten seconds apart, and the grace period of the pod. */
const RESTART_LIMIT_MS = 180_000

async function restarts(): Promise<Map<string, number>> {
  const pods = (await Promise.all(COMPONENTS.map(listPods))).flat()
  const counts = pods.flatMap(({ metadata, status }) =>
    (status.containerStatuses ?? []).map(
      ({ name, restartCount }) => [`${metadata.name}/${name}`, restartCount] as const,
    ),
  )
  return new Map(counts)
}

const isReady = ({ status }: Pod) => status.containerStatuses?.every(({ ready }) => ready) === true

t.test('an API that hangs gets no requests, and is restarted alone', async (t) => {
  t.setTimeout(2 * RESTART_LIMIT_MS)
  await untilWhole()
  const before = await restarts()
  const [pod] = await listPods('api')
  if (!pod) throw new Error('no pod of the API')
  await signalContainer(pod, 'api', 'SIGSTOP')
  await until('the pod is not ready', async () => {
    const found = (await listPods('api')).find(({ metadata }) => metadata.uid === pod.metadata.uid)
    return found && !isReady(found) ? true : undefined
  })
  await sleep(PROXY_MS)
  await runCase(t)
  await until('the container is restarted', async () => {
    const now = await restarts()
    const name = `${pod.metadata.name}/api`
    return (now.get(name) ?? 0) > (before.get(name) ?? 0) ? true : undefined
  })
  await untilWhole()
  const changed = [...(await restarts())].filter(([name, count]) => before.get(name) !== count)
  t.same(
    changed.map(([name]) => name),
    [`${pod.metadata.name}/api`],
    'nothing else was restarted',
  )
  await runCase(t)
})
