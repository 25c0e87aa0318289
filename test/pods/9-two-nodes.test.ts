/** Two nodes: pods spread over them, a drain keeps to budgets, and cases survive a lost node. */
import t, { type Test } from 'tap'
import { FIRST_NODE, SECOND_NODE } from '../../dev/pods/layout.ts'
import { preparePrograms } from '../../dev/pods/programs.ts'
import { addSecondNode, killSecondNode, removeSecondNode } from '../../dev/pods/second-node.ts'
import { kubectl, NAMESPACE, listPods, REPLICAS, until, untilReady, untilWhole } from './cases.ts'
import { applyBudgets, removeBudgets } from './evictions.ts'
import { assertWhole, disturb, LOAD_LIMIT_MS, startLoad } from './load.ts'
import { startProbe } from './probe.ts'
import { startReceiver } from './receiver.ts'

/** Enough that all pods have work; more would only take longer on two cores. */
const IN_FLIGHT = 20
const DRAIN_LIMIT = '--timeout=240s'
const COMPONENTS = ['api', 'controller', 'worker'] as const

const programs = preparePrograms()
await untilWhole()
// A pod that nothing replaces: it has to be on the node that stays.
await startReceiver()
await addSecondNode(programs)
t.teardown(() => removeSecondNode(programs))

async function nodesOf(component: string): Promise<string[]> {
  const names = (await listPods(component)).map(({ spec }) => spec.nodeName ?? '')
  return [...new Set(names)].sort()
}

/** Adds a pod where one is: the scheduler places it on the other node. */
async function spread(): Promise<void> {
  for (const component of COMPONENTS) {
    for (const count of [1, REPLICAS[component]]) {
      const deployment = `deployment/sigcase-${component}`
      await kubectl.run('scale', deployment, NAMESPACE, `--replicas=${count}`)
      await untilReady(component, count)
    }
  }
}

async function uids(): Promise<string[]> {
  const pods = await Promise.all(COMPONENTS.map(listPods))
  return pods
    .flat()
    .map(({ metadata }) => metadata.uid)
    .sort()
}

async function assertSpread(t: Test): Promise<void> {
  for (const component of COMPONENTS) {
    t.same(await nodesOf(component), [FIRST_NODE.name, SECOND_NODE.name], component)
  }
}

/** Moves all pods off the second node as an operator does before maintenance. */
async function drain(t: Test): Promise<void> {
  await applyBudgets()
  const options = ['--ignore-daemonsets', '--delete-emptydir-data', DRAIN_LIMIT]
  try {
    await kubectl.run('drain', SECOND_NODE.name, ...options)
  } finally {
    await removeBudgets()
  }
  await untilWhole()
  for (const component of COMPONENTS) {
    t.same(await nodesOf(component), [FIRST_NODE.name], `${component} has left the node`)
  }
  await kubectl.run('uncordon', SECOND_NODE.name)
}

/** Ends every process of the second node, and waits until other pods have replaced its own. */
async function loseNode(t: Test): Promise<void> {
  const startedMs = performance.now()
  await killSecondNode()
  for (const component of COMPONENTS) {
    await until(`${component} runs on the other node`, async () => {
      const ready = (await listPods(component)).filter(
        ({ spec, status }) =>
          spec.nodeName === FIRST_NODE.name &&
          status.containerStatuses?.every((one) => one.ready) === true,
      )
      return ready.length >= REPLICAS[component] ? true : undefined
    })
  }
  t.comment(`all pods replaced after ${Math.round((performance.now() - startedMs) / 1000)} s`)
  // An operator removes the Node object; then the pods on the lost node are removed too.
  await removeSecondNode(programs)
}

t.test('pods of each component are on both nodes, which are in two zones', async (t) => {
  t.setTimeout(LOAD_LIMIT_MS)
  await spread()
  await assertSpread(t)
})

t.test(`${IN_FLIGHT} cases are in flight while a node is drained`, async (t) => {
  t.setTimeout(LOAD_LIMIT_MS)
  const load = await startLoad(t, IN_FLIGHT)
  const probe = startProbe(t)
  await disturb(t, load, { 'a node is drained': drain })
  const answers = await probe.stop()
  t.comment(Object.fromEntries(answers))
  t.same([...answers.keys()], ['200'], 'no connection to the API was refused or cut')
  await assertWhole(t, await load.finish())
})

/** Reads the ids of the containers on the second node, by the names of pod and container. */
async function containersOfSecond(): Promise<Map<string, string | undefined>> {
  const pods = (await Promise.all(COMPONENTS.map(listPods))).flat()
  const there = pods.filter(({ spec }) => spec.nodeName === SECOND_NODE.name)
  const containers = there.flatMap(({ metadata, status }) =>
    (status.containerStatuses ?? []).map(
      ({ name, containerID }) => [`${metadata.name}/${name}`, containerID] as const,
    ),
  )
  return new Map(containers)
}

/** Ends every process of the second node and starts it again, before its pods are replaced. */
async function restartNode(t: Test): Promise<void> {
  const before = await containersOfSecond()
  t.ok(before.size >= COMPONENTS.length, 'each component has a pod on the node')
  await killSecondNode()
  await addSecondNode(programs)
  await until('every container of the node runs again', async () => {
    const now = await containersOfSecond()
    // Kubelet 1.20 may refuse a pod before it knows its disk; another pod replaces that one.
    const isNew = ([name, id]: [string, string | undefined]) => now.get(name) !== id
    return [...before].every(isNew) ? true : undefined
  })
}

t.test(`${IN_FLIGHT} cases are in flight while a node restarts`, async (t) => {
  t.setTimeout(LOAD_LIMIT_MS)
  await spread()
  const before = await uids()
  const load = await startLoad(t, IN_FLIGHT)
  await disturb(t, load, { 'a node restarts': restartNode })
  const kept = (await uids()).filter((uid) => before.includes(uid))
  t.comment(`${kept.length} of ${before.length} pods are the same as before`)
  await assertWhole(t, await load.finish())
})

t.test(`${IN_FLIGHT} cases are in flight while a node dies`, async (t) => {
  t.setTimeout(LOAD_LIMIT_MS)
  await spread()
  await assertSpread(t)
  const load = await startLoad(t, IN_FLIGHT)
  await disturb(t, load, { 'a node dies': loseNode })
  await assertWhole(t, await load.finish())
})
