/** `sigcase doctor` finds groups of controllers without a holder, and replicas that disagree. */
import t from 'tap'
import { heldSpec, LEASE_API_VERSION, releasedSpec } from '../../../adapters/kubernetes/lease.ts'
import type { Lease } from '../../../adapters/kubernetes/lease.ts'
import {
  CONTROLLER_LEASE,
  holderOf,
  leaseName,
  memberName,
} from '../../../adapters/kubernetes/lease-plan.ts'
import { judgeLeases, leasesCheck } from '../../../cli/doctor/leases.ts'

const NOW_MS = Date.parse('2026-11-24T08:00:00.000Z')
const MINUTE_MS = 60_000

function lease(name: string, identity: string, renewedMs = NOW_MS): Lease {
  const spec = heldSpec({}, { identity, durationMs: 15_000, nowMs: renewedMs })
  const metadata = { name, namespace: 'sigcase' }
  return { apiVersion: LEASE_API_VERSION, kind: 'Lease', metadata, spec }
}

/** The Leases of some groups, as two replicas share them. */
const groups = (count: number, renewedMs?: number) =>
  Array.from({ length: count }, (_, group) => {
    const name = leaseName(CONTROLLER_LEASE, group, count)
    return lease(name, holderOf(`pod-${group % 2}`, count), renewedMs)
  })

const judge = (leases: readonly Lease[], count: number) =>
  judgeLeases(leases, { base: CONTROLLER_LEASE, groups: count, nowMs: () => NOW_MS })

t.test('all groups have a holder', async (t) => {
  t.match(judge(groups(1), 1), { outcome: 'ok', detail: /: 1; .*: 1$/ })
  t.match(judge(groups(4), 4), { outcome: 'ok', detail: /: 4; .*: 2$/ })
  const stale = lease(leaseName(CONTROLLER_LEASE, 1, 2), 'pod-9_of_2', NOW_MS - 10 * MINUTE_MS)
  t.match(judge([...groups(4), stale], 4), { outcome: 'ok' }, 'a Lease of former times')
  t.match(judge([], 4), { outcome: 'skipped' }, 'before the first start')
})

t.test('a clock that is wrong by less than a minute is not reported', async (t) => {
  for (const aheadMs of [-50_000, 50_000]) {
    t.match(judge(groups(4, NOW_MS + aheadMs), 4), { outcome: 'ok' })
  }
})

t.test('groups without a holder are named', async (t) => {
  const [first, second, third, fourth] = groups(4) as [Lease, Lease, Lease, Lease]
  const released = { ...third, spec: releasedSpec(third.spec) }
  const dead = lease(fourth.metadata.name, 'pod-1_of_4', NOW_MS - 2 * MINUTE_MS)
  for (const leases of [
    [first, second],
    [first, second, released, dead],
  ]) {
    t.match(judge(leases, 4), { outcome: 'warning', detail: /: 2, 3$/, remedy: /pods/ })
  }
  const unheld = { ...first, spec: {} }
  t.match(judge([unheld], 1), { outcome: 'warning', detail: /: 0$/ })
})

t.test('a replica with another number of groups is named', async (t) => {
  const expected = { outcome: 'warning', remedy: /same CONTROLLER_SHARD_GROUPS/ }
  t.match(judge(groups(2), 4), { ...expected, detail: /has 4 groups, others have 2$/ })
  t.match(judge(groups(1), 4), { ...expected, detail: /others have 1$/ })
  t.match(judge(groups(4), 1), { ...expected, detail: /has 1 groups, others have 4$/ })
  const left = lease(leaseName(CONTROLLER_LEASE, 1, 2), 'pod-9_of_2')
  t.match(judge([...groups(4), left], 4), { ...expected, detail: /others have 2$/ })
  const waiting = lease(memberName(CONTROLLER_LEASE, 'pod-9'), 'pod-9_of_2')
  t.match(judge([...groups(4), waiting], 4), { ...expected, detail: /others have 2$/ })
})

t.test('the Leases of the namespace are listed', async (t) => {
  const asked: unknown[] = []
  const send = async <T>(request: unknown) => {
    asked.push(request)
    return { items: groups(1), metadata: {} } as T
  }
  const check = leasesCheck(
    { send },
    { namespace: 'sigcase', base: CONTROLLER_LEASE, groups: 1, nowMs: () => NOW_MS },
  )
  t.match(await check.ask(), { outcome: 'ok' })
  t.match(asked, [{ path: /\/namespaces\/sigcase\/leases$/ }])
})
