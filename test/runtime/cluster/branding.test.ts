import t from 'tap'
import { ClusterBranding } from '../../../runtime/cluster/branding.ts'
import { LOGO_PNG } from '../../fixtures/logos.ts'
import { fakeTenantSpecs, IDENTITY, SPECS_LIFE_MS } from '../../fixtures/tenant-specs.ts'

function world() {
  const branding = { logo: LOGO_PNG.toString('base64') }
  const made = fakeTenantSpecs([
    {
      namespace: 'acme',
      identity: IDENTITY,
      sender: { name: 'Acme' },
      branding,
      timeZone: 'Europe/Vienna',
    },
    { namespace: 'plain', identity: IDENTITY },
  ])
  return { ...made, branding: new ClusterBranding(made.specs) }
}

t.test('a look belongs to the tenant of the namespace', async (t) => {
  const { branding, seen } = world()
  const [acme, plain, unknown] = await Promise.all([
    branding.read('acme'),
    branding.read('plain'),
    branding.read('unknown'),
  ])
  t.match(acme, {
    sender: { name: 'Acme' },
    logo: { mediaType: 'image/png' },
    timeZone: 'Europe/Vienna',
  })
  t.same([plain, unknown], [{}, {}])
  t.equal(seen.reads, 1, 'one read for several questions')
})

t.test('a change is shown within five seconds', async (t) => {
  const { branding, timers, stored } = world()
  await branding.read('acme')
  stored[0]!.sender = { name: 'Acme Group' }
  await timers.leapTo(timers.nowMs() + SPECS_LIFE_MS)
  t.match(await branding.read('acme'), { sender: { name: 'Acme Group' } })
})

t.test('an outdated look is used while the API server cannot be reached', async (t) => {
  const { branding, timers, seen } = world()
  seen.isAway = true
  await t.rejects(branding.read('acme'), /away/)
  seen.isAway = false
  await branding.read('acme')
  seen.isAway = true
  await timers.leapTo(timers.nowMs() + SPECS_LIFE_MS)
  t.match(await branding.read('acme'), { sender: { name: 'Acme' } })
})
