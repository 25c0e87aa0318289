/** The API and the workers are scaled up and down while cases are in flight. */
import t from 'tap'
import { kubectl, NAMESPACE, REPLICAS, untilReady, untilWhole } from './cases.ts'
import { assertWhole, disturb, LOAD_LIMIT_MS, startLoad } from './load.ts'
import { startProbe } from './probe.ts'
import { startReceiver } from './receiver.ts'

/** Enough that all pods have work; more would only take longer on two cores. */
const IN_FLIGHT = 20
const MOST = 4

/** Scales a component, and waits until it has so many pods: those that go have ended. */
async function scale(component: 'api' | 'worker', count: number): Promise<void> {
  await kubectl.run('scale', `deployment/sigcase-${component}`, NAMESPACE, `--replicas=${count}`)
  await untilReady(component, count)
}

async function scaleUpAndDown(component: 'api' | 'worker'): Promise<void> {
  for (const count of [MOST, 1, REPLICAS[component]]) await scale(component, count)
}

t.test(`${IN_FLIGHT} cases are in flight while pods are added and removed`, async (t) => {
  t.setTimeout(LOAD_LIMIT_MS)
  await untilWhole()
  await startReceiver()
  const load = await startLoad(t, IN_FLIGHT)
  const probe = startProbe(t)
  await disturb(t, load, {
    'workers are scaled to 4, 1 and 2': () => scaleUpAndDown('worker'),
    'the API is scaled to 4, 1 and 2': () => scaleUpAndDown('api'),
  })
  const answers = await probe.stop()
  t.comment(Object.fromEntries(answers))
  t.same([...answers.keys()], ['200'], 'no connection to the API was refused or cut')
  await assertWhole(t, await load.finish())
})
