import t from 'tap'
import { TenantRetention } from '../../../runtime/cluster/retention.ts'
import type { TenantSpec } from '../../../domain/tenants/schema.ts'
import { FrozenTimers } from '../../fixtures/frozen-timers.ts'

const START = '2026-11-02T08:00:00.000Z'
const MINUTE_MS = 60_000
const identity = { issuer: 'https://i.example', audience: 'a', claim: 'org', value: 'x' }

function world() {
  const timers = new FrozenTimers(START)
  const specs: TenantSpec[] = [
    { namespace: 'acme', identity, retentionDays: 30 },
    { namespace: 'zoo', identity },
  ]
  const seen = { reads: 0, isAway: false }
  const readySpecs = async () => {
    seen.reads++
    if (seen.isAway) throw new Error('the API server is away')
    return specs
  }
  return { timers, specs, seen, retention: new TenantRetention({ readySpecs }, timers.now) }
}

t.test('a tenant has the days that it says, and none when it says none', async (t) => {
  const { retention, seen } = world()
  t.equal(await retention.readDays('acme'), 30)
  t.equal(await retention.readDays('zoo'), undefined)
  t.equal(await retention.readDays('nobody'), undefined)
  t.equal(seen.reads, 1)
})

t.test('a rule that changes counts within a minute', async (t) => {
  const { retention, timers, specs } = world()
  t.equal(await retention.readDays('acme'), 30)
  specs[0]!.retentionDays = 60
  await timers.leapTo(timers.nowMs() + MINUTE_MS)
  t.equal(await retention.readDays('acme'), 60)
})

t.test('rules that cannot be read are not guessed from those before', async (t) => {
  const { retention, timers, seen } = world()
  t.equal(await retention.readDays('acme'), 30)
  await timers.leapTo(timers.nowMs() + MINUTE_MS)
  seen.isAway = true
  await t.rejects(retention.readDays('acme'), /away/)
  seen.isAway = false
  t.equal(await retention.readDays('acme'), 30, 'and asked for again at once')
})
