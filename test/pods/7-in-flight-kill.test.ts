/** Many cases are in flight while processes are killed: nothing is lost, and nothing done twice. */
import t, { type Test } from 'tap'
import { kubectl, NAMESPACE, listPods, untilWhole } from './cases.ts'
import { killContainer, leaderIdentity, untilOtherLeader } from './containers.ts'
import { assertWhole, disturb, IN_FLIGHT, LOAD_LIMIT_MS, startLoad } from './load.ts'
import { startReceiver } from './receiver.ts'

/** The Lease of a leader that does not renew it lasts 15 seconds. */
const FAILOVER_LIMIT_MS = 20_000
const FORCE = ['--grace-period=0', '--force', '--wait=false']
/** Containers of each component. */
const CONTAINERS = {
  api: ['api'],
  controller: ['controller'],
  worker: ['worker', 'reader'],
} as const

async function killEveryContainer(): Promise<void> {
  for (const [component, names] of Object.entries(CONTAINERS)) {
    for (const pod of await listPods(component)) {
      for (const name of names) await killContainer(pod, name)
    }
  }
}

async function removeRedis(): Promise<void> {
  const [pod] = await listPods('redis')
  await kubectl.run('delete', 'pod', NAMESPACE, ...FORCE, pod?.metadata.name ?? '')
}

async function removeLeader(t: Test): Promise<void> {
  const former = await leaderIdentity()
  const name = former?.split('_')[0] ?? ''
  const pod = (await listPods('controller')).find(({ metadata }) => metadata.name === name)
  if (!pod) throw new Error(`no pod holds the Lease: ${former}`)
  const startedMs = performance.now()
  // Its process gets no signal that it could handle, and the pod does not start again.
  await killContainer(pod, 'controller')
  await kubectl.run('delete', 'pod', NAMESPACE, ...FORCE, name)
  await untilOtherLeader(former)
  const tookMs = performance.now() - startedMs
  t.comment(`another leader after ${Math.round(tookMs)} ms`)
  t.ok(tookMs <= FAILOVER_LIMIT_MS, 'another leader within 20 seconds')
}

t.test(`${IN_FLIGHT} cases are in flight while processes are killed`, async (t) => {
  t.setTimeout(LOAD_LIMIT_MS)
  await untilWhole()
  await startReceiver()
  const load = await startLoad(t, IN_FLIGHT)
  await disturb(t, load, {
    'every container is killed': killEveryContainer,
    'Redis is removed': removeRedis,
    'the leader is removed': removeLeader,
  })
  await assertWhole(t, await load.finish())
})
