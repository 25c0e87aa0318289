/** Many cases are in flight while pods move: nothing is lost, and nothing done twice. */
import t, { type Test } from 'tap'
import { kubectl, NAMESPACE, POD_LIMIT_MS, untilReady, untilWhole } from './cases.ts'
import { applyBudgets, evict, removeBudgets } from './evictions.ts'
import { assertWhole, disturb, IN_FLIGHT, LOAD_LIMIT_MS, startLoad } from './load.ts'
import { startProbe } from './probe.ts'
import { startReceiver } from './receiver.ts'

const COMPONENTS = ['api', 'controller', 'worker'] as const
const REPLICAS = 2

/** Evicts both pods of each component: its budget lets the second go when the first is replaced. */
async function evictEveryPod(t: Test): Promise<void> {
  await applyBudgets()
  t.teardown(removeBudgets)
  for (const component of COMPONENTS) {
    const [first, second] = await untilReady(component, REPLICAS)
    t.ok(await evict(first?.metadata.name ?? ''), `${component}: one pod may go`)
    t.notOk(await evict(second?.metadata.name ?? ''), `${component}: not both at once`)
    await untilReady(component, REPLICAS)
    t.ok(await evict(second?.metadata.name ?? ''), `${component}: the other one afterwards`)
    await untilReady(component, REPLICAS)
  }
}

/** Replaces all pods of every component. */
async function rollOut(): Promise<void> {
  for (const component of COMPONENTS) {
    const deployment = `deployment/sigcase-${component}`
    await kubectl.run('rollout', 'restart', deployment, NAMESPACE)
    const timeout = `--timeout=${POD_LIMIT_MS / 1000}s`
    await kubectl.run('rollout', 'status', deployment, NAMESPACE, timeout)
  }
}

t.test(`${IN_FLIGHT} cases are in flight while pods move`, async (t) => {
  t.setTimeout(LOAD_LIMIT_MS)
  await untilWhole()
  await startReceiver()
  const load = await startLoad(t, IN_FLIGHT)
  const probe = startProbe(t)
  await disturb(t, load, {
    'every pod is evicted': evictEveryPod,
    'every component is rolled out': rollOut,
  })
  const answers = await probe.stop()
  t.comment(Object.fromEntries(answers))
  t.same([...answers.keys()], ['200'], 'no connection to the API was refused or cut')
  await assertWhole(t, await load.finish())
})
