import t from 'tap'
import {
  heldSpec,
  liveHolder,
  releasedSpec,
  sightingOf,
  type Lease,
  type LeaseSpec,
} from '../../../adapters/kubernetes/lease.ts'

const ME = 'replica-1'
const OTHER = 'replica-2'
const DURATION_MS = 15_000
const NOW_MS = Date.parse('2026-11-02T08:30:00Z')

const lease = (spec: LeaseSpec, resourceVersion = '1'): Lease => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: 'controller', namespace: 'sigcase-system', resourceVersion },
  spec,
})

t.test('others wait only for a holder that renews its lease', async (t) => {
  const held = { leaseDurationSeconds: DURATION_MS / 1000 }
  const cases = [
    [held, 0, undefined],
    [{ ...held, holderIdentity: '' }, 0, undefined],
    [{ ...held, holderIdentity: OTHER }, 0, OTHER],
    [{ ...held, holderIdentity: OTHER }, DURATION_MS - 1, OTHER],
    [{ ...held, holderIdentity: OTHER }, DURATION_MS, undefined],
    [{ holderIdentity: OTHER }, 0, undefined],
  ] as const
  for (const [spec, unchangedMs, holder] of cases) {
    t.equal(liveHolder(lease(spec), unchangedMs), holder, JSON.stringify([spec, unchangedMs]))
  }
})

t.test(
  "a holder's clock does not count: neither the past nor the future is a renewal",
  async (t) => {
    for (const renewTime of ['1970-01-01T00:00:00.000000Z', '2999-01-01T00:00:00.000000Z']) {
      const found = lease({ holderIdentity: OTHER, leaseDurationSeconds: 15, renewTime })
      t.equal(liveHolder(found, DURATION_MS - 1), OTHER)
      t.equal(liveHolder(found, DURATION_MS), undefined)
    }
  },
)

t.test(
  'how long a lease has not changed is counted from when its version was first read',
  async (t) => {
    const first = sightingOf(lease({}, '7'), undefined, 1_000)
    t.same(first, { version: '7', sinceMs: 1_000 })
    t.same(sightingOf(lease({ holderIdentity: OTHER }, '7'), first, 9_000), first)
    t.same(sightingOf(lease({}, '8'), first, 9_000), { version: '8', sinceMs: 9_000 })
  },
)

t.test('a holder keeps since when, and a new one is counted', async (t) => {
  const by = { identity: ME, durationMs: DURATION_MS, nowMs: NOW_MS }
  const created = heldSpec({}, by)
  const now = '2026-11-02T08:30:00.000000Z'
  const own = { holderIdentity: ME, leaseDurationSeconds: 15, acquireTime: now }
  t.same(created, { ...own, renewTime: now, leaseTransitions: 1 })
  const renewed = heldSpec(created, { ...by, nowMs: NOW_MS + 5_000 })
  const renewTime = '2026-11-02T08:30:05.000000Z'
  t.same(renewed, { ...own, renewTime, leaseTransitions: 1 })
  const taken = heldSpec(renewed, { ...by, identity: OTHER, nowMs: NOW_MS + 5_000 })
  t.match(taken, { holderIdentity: OTHER, acquireTime: renewTime, leaseTransitions: 2 })
  const { holderIdentity: _, ...rest } = taken
  t.same(releasedSpec(taken), rest, 'a released lease has no holder')
})

t.test('a part of a second is granted as a whole one', async (t) => {
  const spec = heldSpec({}, { identity: ME, durationMs: 1_001, nowMs: NOW_MS })
  t.equal(spec.leaseDurationSeconds, 2)
})
