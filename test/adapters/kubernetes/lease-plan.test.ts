/** Sharing groups of shards among replicas, in simulated time. */
import t, { type Test } from 'tap'
import { KubernetesLeaderLease, LEASE_TIMES } from '../../../adapters/kubernetes/leader-lease.ts'
import {
  countOf,
  holderOf,
  leaseName,
  planRound,
  viewOf,
} from '../../../adapters/kubernetes/lease-plan.ts'
import { LEASE_API_VERSION } from '../../../adapters/kubernetes/lease.ts'
import { SHARDS } from '../../../domain/cases/shards.ts'
import { FrozenTimers, settle } from '../../fixtures/frozen-timers.ts'
import { LeaseServer } from '../../fixtures/lease-server.ts'

const { durationMs, retryMs, giveUpMs } = LEASE_TIMES
const SETTLED_MS = 30_000
/** The takeover that the documentation promises. */
const TAKEOVER_MS = 20_000

/** Replicas on one clock; the test fails when two of them work on one shard. */
function world(t: Test) {
  const timers = new FrozenTimers('2026-11-02T08:00:00.000Z')
  const server = new LeaseServer()
  /** Who works on each shard. */
  const workers = new Map<number, string>()
  const warnings: string[] = []
  const startedMs = timers.nowMs()

  function start(name: string, groups: number, { stopMs = 0 } = {}) {
    let isCut = false
    let isDead = false
    const held = new Set<number>()
    const shardsOf = (group: number) =>
      [...Array(SHARDS).keys()].filter((shard) => shard % groups === group)
    const free = (group: number) => {
      held.delete(group)
      for (const shard of shardsOf(group)) {
        if (workers.get(shard) === name) workers.delete(shard)
      }
    }
    const lease = new KubernetesLeaderLease(
      {
        api: server.client(() => isCut),
        timers: {
          nowMs: () => timers.nowMs(),
          after: (delayMs, run) => timers.after(delayMs, () => void (isDead || run())),
        },
        log: { warn: (_, message) => void warnings.push(message) },
        monotonicMs: () => timers.nowMs() - startedMs,
      },
      { namespace: 'home', name: 'c', replica: name, identity: `${name}_uuid`, groups },
    )
    const end = lease.campaign({
      onElected: (group) => {
        held.add(group)
        for (const shard of shardsOf(group)) {
          const other = workers.get(shard)
          if (other !== undefined) t.fail(`${name} and ${other} work on shard ${shard}`)
          workers.set(shard, name)
        }
      },
      onLost: async (group) => {
        if (stopMs > 0) await new Promise<void>((resolve) => void timers.after(stopMs, resolve))
        free(group)
      },
    })
    const stop = () => [...held].forEach(free)
    return {
      held,
      cut: (value: boolean) => void (isCut = value),
      /** As SIGKILL. */
      kill: () => {
        isCut = isDead = true
        stop()
      },
      /** As SIGTERM. */
      end: async () => {
        stop()
        await end()
      },
    }
  }
  const pass = async (ms: number) => {
    await settle()
    await timers.moveTo(timers.nowMs() + ms)
  }
  /** Milliseconds until all shards have a worker. */
  const untilCovered = async () => {
    const fromMs = timers.nowMs()
    while (workers.size < SHARDS && timers.nowMs() - fromMs < 120_000) await pass(500)
    return timers.nowMs() - fromMs
  }
  return { start, pass, untilCovered, server, workers, warnings }
}

const sizes = (replicas: { held: Set<number> }[]) =>
  replicas.map(({ held }) => held.size).sort((a, b) => b - a)

t.test('the holder of a Lease says into how many groups it divides the shards', async (t) => {
  t.equal(countOf(holderOf('controller-1_x', 4)), 4)
  t.equal(countOf(holderOf('controller-1_x', 1)), 1)
  t.equal(holderOf('controller-1_x', 1), 'controller-1_x', 'as in earlier releases')
  t.equal(leaseName('c', 0, 4), 'c', 'as in earlier releases')
  t.equal(leaseName('c', 3, 4), 'c-3-of-4')
})

t.test('a replica that did not renew one Lease gets no other', async (t) => {
  const spec = { leaseDurationSeconds: durationMs / 1000 }
  const seen = (name: string, holderIdentity: string, unchangedMs: number) => {
    const lease = { apiVersion: LEASE_API_VERSION, kind: 'Lease', metadata: { name } } as const
    return { lease: { ...lease, spec: { ...spec, holderIdentity } }, unchangedMs }
  }
  const [self, other] = [holderOf('a_uuid', 2), holderOf('b_uuid', 2)]
  const listed = [seen('c', self, 0), seen('c-replica-b', other, durationMs - 1)]
  const view = (unchangedMs: number) =>
    viewOf([...listed, seen('c-1-of-2', other, unchangedMs)], { base: 'c', count: 2, self })
  t.same(view(0).members, [self, other])
  const late = view(durationMs)
  t.same(late, { ...view(0), holders: [self, undefined], members: [self] })
  const plan = planRound(self, late, { held: new Set([0]), yielding: new Set() })
  t.same(plan, { take: [1], run: [0], yield: [] })
})

t.test('replicas share the groups evenly, and a new one gets its part', async (t) => {
  const { start, pass, untilCovered, server, warnings } = world(t)
  const a = start('a', 4)
  await pass(1)
  t.same([...a.held].sort(), [0, 1, 2, 3], 'the first has all of them')
  const b = start('b', 4, { stopMs: 3_000 })
  await pass(SETTLED_MS)
  t.same(sizes([a, b]), [2, 2])
  const c = start('c', 4)
  await pass(SETTLED_MS)
  t.same(sizes([a, b, c]), [2, 1, 1])
  const d = start('d', 4)
  const e = start('e', 4)
  await pass(SETTLED_MS)
  t.same(sizes([a, b, c, d, e]), [1, 1, 1, 1, 0])
  for (const one of [a, b, c, d]) await one.end()
  t.ok((await untilCovered()) <= 3 * retryMs, 'released Leases are taken at once')
  t.same([...e.held].sort(), [0, 1, 2, 3])
  t.same(warnings, [])
  await e.end()
  t.same(server.holders(), {})
})

t.test('nothing moves while the replicas stay the same', async (t) => {
  const { start, pass, server } = world(t)
  for (const name of ['a', 'b', 'c']) start(name, 7)
  await pass(SETTLED_MS)
  const before = server.holders()
  t.equal(Object.keys(before).length, 7 + 3)
  await pass(10 * SETTLED_MS)
  t.same(server.holders(), before)
})

t.test('the groups of a killed replica go on within 20 seconds', async (t) => {
  for (const offsetMs of [0, 700, 1_400, 2_900, 3_999]) {
    const { start, pass, untilCovered, workers } = world(t)
    const replicas = ['a', 'b', 'c'].map((name) => start(name, 6))
    await pass(SETTLED_MS + offsetMs)
    t.same(sizes(replicas), [2, 2, 2])
    const [killed, ...others] = replicas
    killed!.kill()
    t.ok(workers.size < SHARDS)
    const tookMs = await untilCovered()
    t.comment(`${tookMs} ms`)
    t.ok(tookMs >= durationMs - 5_000 && tookMs < TAKEOVER_MS, `${tookMs} ms`)
    await pass(SETTLED_MS)
    t.same(sizes(others), [3, 3])
  }
})

t.test('a replica that cannot reach the API server gives up before others take over', async (t) => {
  const { start, pass, untilCovered } = world(t)
  const [a, b] = ['a', 'b'].map((name) => start(name, 4)) as [ReturnType<typeof start>, typeof c]
  const c = start('c', 4)
  await pass(SETTLED_MS)
  const groups = [...a.held]
  t.ok(groups.length > 0)
  a.cut(true)
  await pass(giveUpMs + 1)
  t.equal(a.held.size, 0)
  await untilCovered()
  a.cut(false)
  await pass(SETTLED_MS)
  t.same(sizes([a, b, c]), [2, 1, 1], 'later it gets its part again')
})

t.test('replicas with different numbers of groups never work at the same time', async (t) => {
  const { start, pass, untilCovered, workers, server } = world(t)
  const old = [start('old-1', 1), start('old-2', 1)]
  await pass(SETTLED_MS)
  const fresh = [start('new-1', 4, { stopMs: 3_000 }), start('new-2', 4, { stopMs: 3_000 })]
  await pass(SETTLED_MS)
  t.same(sizes(fresh), [0, 0], 'they wait for the leader')
  const taken = [...server.leases.keys()].filter((name) => name.includes('-of-'))
  t.same(taken, [], 'and take no Lease that it would have to wait for')
  for (const one of old) {
    await one.end()
    await untilCovered()
  }
  await pass(SETTLED_MS)
  t.same(sizes(fresh), [2, 2])
  // Back to one group. The new leader takes over while the other replica does not know it yet.
  const back = [start('back-1', 1), start('back-2', 1)]
  await pass(SETTLED_MS)
  t.same(sizes(back), [0, 0])
  const [first, other] = fresh[0]!.held.has(0) ? fresh : fresh.toReversed()
  other!.cut(true)
  await first!.end()
  await pass(2 * retryMs)
  other!.cut(false)
  t.same(sizes(back), [0, 0], 'it waits until the other has stopped')
  t.ok((await untilCovered()) < TAKEOVER_MS)
  t.same(sizes(back), [1, 0])
  t.equal(other!.held.size, 0)
  t.equal(workers.size, SHARDS)
})

t.test('the first group moves from four to eight groups and no shard is lost', async (t) => {
  const { start, pass, untilCovered } = world(t)
  const four = ['a', 'b', 'c'].map((name) => start(name, 4, { stopMs: 1_000 }))
  await pass(SETTLED_MS)
  const eight = []
  for (const [index, one] of four.entries()) {
    eight.push(start(`new-${index}`, 8))
    await pass(SETTLED_MS)
    await one.end()
    t.ok((await untilCovered()) < TAKEOVER_MS)
  }
  await pass(SETTLED_MS)
  t.same(sizes(eight), [3, 3, 2])
})

t.test('the first holder deletes Leases that no replica needs any more', async (t) => {
  const { start, pass, server } = world(t)
  const [a, b] = [start('a', 4), start('b', 4)]
  await pass(SETTLED_MS)
  b.kill()
  await a.end()
  start('c', 2)
  await pass(4 * SETTLED_MS)
  t.same([...server.leases.keys()].sort(), ['c', 'c-1-of-2', 'c-replica-c'])
})
