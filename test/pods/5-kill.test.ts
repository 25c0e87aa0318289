/** Every process of the service is killed once while a case runs: the case reaches DONE. */
import t from 'tap'
import { kubectl, NAMESPACE, listPods, runCase, until, untilReady } from './cases.ts'
import { killContainer } from './containers.ts'

const FORCE = ['--grace-period=0', '--force', '--wait=false']

/** Kills all containers of a component's pods at once, without a signal that they can handle. */
async function kill(component: string): Promise<void> {
  const pods = await listPods(component)
  const names = pods.map(({ metadata }) => metadata.name)
  await kubectl.run('delete', 'pod', NAMESPACE, ...FORCE, ...names)
}

for (const [component, count] of [
  ['worker', 2],
  ['controller', 2],
  ['redis', 1],
] as const) {
  t.test(`all pods of ${component} are killed while a case runs`, async (t) => {
    await untilReady(component, count)
    const running = runCase(t)
    await kill(component)
    t.ok(await running)
    const pods = await untilReady(component, count)
    t.equal(pods.length, count)
  })
}

t.test('one of two APIs is killed: the other serves', async (t) => {
  const [first] = await untilReady('api', 2)
  await kubectl.run('delete', 'pod', NAMESPACE, ...FORCE, first?.metadata.name ?? '')
  await untilReady('api', 2)
  await runCase(t)
})

t.test('a process that is killed is started again in its pod', async (t) => {
  const [pod] = await untilReady('worker', 2)
  if (!pod) throw new Error('no pod of the worker')
  const reader = async () => {
    const same = (await listPods('worker')).find(
      ({ metadata: { uid } }) => uid === pod.metadata.uid,
    )
    return same?.status.containerStatuses?.find(({ name }) => name === 'reader')
  }
  const before = (await reader())?.restartCount ?? 0
  await killContainer(pod, 'reader')
  await until('the reader runs again', async () => {
    const { restartCount = 0, ready } = (await reader()) ?? {}
    return ready && restartCount > before ? true : undefined
  })
  await untilReady('worker', 2)
  await runCase(t)
})
