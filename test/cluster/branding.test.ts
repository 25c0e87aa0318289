import t from 'tap'
import { ClusterBranding } from '../../runtime/cluster/branding.ts'
import type { TenantSpec } from '../../domain/tenants/schema.ts'
import { FrozenTimers } from '../fixtures/frozen-timers.ts'
import { LOGO_PNG } from '../fixtures/logos.ts'

const LIFE_MS = 5_000
const identity = { issuer: 'https://i.example', audience: 'a', claim: 'org', value: 'x' }

function world() {
  const timers = new FrozenTimers('2026-11-02T08:00:00.000Z')
  const logo = LOGO_PNG.toString('base64')
  const specs: TenantSpec[] = [
    { namespace: 'acme', identity, sender: { name: 'Acme' }, branding: { logo } },
    { namespace: 'plain', identity },
  ]
  const seen = { reads: 0, isAway: false }
  const readySpecs = async () => {
    seen.reads++
    if (seen.isAway) throw new Error('the API server is away')
    return structuredClone(specs)
  }
  return { timers, specs, seen, branding: new ClusterBranding({ readySpecs }, timers.now) }
}

t.test('a look belongs to the tenant of the namespace', async (t) => {
  const { branding, seen } = world()
  const [acme, plain, unknown] = await Promise.all([
    branding.read('acme'),
    branding.read('plain'),
    branding.read('unknown'),
  ])
  t.match(acme, { sender: { name: 'Acme' }, logo: { mediaType: 'image/png' } })
  t.same([plain, unknown], [{}, {}])
  t.equal(seen.reads, 1, 'one read for several questions')
})

t.test('a change is shown within five seconds', async (t) => {
  const { branding, timers, specs } = world()
  await branding.read('acme')
  specs[0]!.sender = { name: 'Acme Group' }
  await timers.leapTo(timers.nowMs() + LIFE_MS)
  t.match(await branding.read('acme'), { sender: { name: 'Acme Group' } })
})

t.test('an outdated look is used while the API server cannot be reached', async (t) => {
  const { branding, timers, seen } = world()
  seen.isAway = true
  await t.rejects(branding.read('acme'), /away/)
  seen.isAway = false
  await branding.read('acme')
  seen.isAway = true
  await timers.leapTo(timers.nowMs() + LIFE_MS)
  t.match(await branding.read('acme'), { sender: { name: 'Acme' } })
})
