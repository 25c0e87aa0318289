import t from 'tap'
import { TenantRetention } from '../../../runtime/cluster/retention.ts'
import { fakeTenantSpecs, IDENTITY } from '../../fixtures/tenant-specs.ts'

const MINUTE_MS = 60_000

function world() {
  const stored = [
    { namespace: 'acme', identity: IDENTITY, retentionDays: 30 },
    { namespace: 'zoo', identity: IDENTITY },
  ]
  const made = fakeTenantSpecs(stored)
  return { ...made, retention: new TenantRetention(made.tenants, made.timers.now) }
}

t.test('a tenant has the days that it says, and none when it says none', async (t) => {
  const { retention, seen } = world()
  t.equal(await retention.readDays('acme'), 30)
  t.equal(await retention.readDays('zoo'), undefined)
  t.equal(await retention.readDays('nobody'), undefined)
  t.equal(seen.reads, 1)
})

t.test('a rule that changes counts within a minute', async (t) => {
  const { retention, timers, stored } = world()
  t.equal(await retention.readDays('acme'), 30)
  stored[0]!.retentionDays = 60
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
