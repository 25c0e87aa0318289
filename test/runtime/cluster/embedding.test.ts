import t from 'tap'
import { TenantEmbedding } from '../../../runtime/cluster/embedding.ts'
import { fakeTenantSpecs, IDENTITY, SPECS_LIFE_MS } from '../../fixtures/tenant-specs.ts'

const APP = 'https://app.example.com'
const SHARED = 'https://portal.example.com'

function world() {
  const made = fakeTenantSpecs([
    { namespace: 'acme', identity: IDENTITY, embedding: { origins: [APP, SHARED] } },
    { namespace: 'zoo', identity: IDENTITY, embedding: { origins: [SHARED] } },
    { namespace: 'plain', identity: IDENTITY },
  ])
  return { ...made, embedding: new TenantEmbedding(made.specs) }
}

t.test('an origin belongs to the tenants that registered it, and to no other', async (t) => {
  const { embedding, seen } = world()
  t.ok(await embedding.isRegisteredBy('acme', APP))
  t.notOk(await embedding.isRegisteredBy('zoo', APP))
  t.notOk(await embedding.isRegisteredBy('plain', APP))
  t.ok(await embedding.isRegisteredBy('acme', SHARED))
  t.ok(await embedding.isRegisteredBy('zoo', SHARED))
  t.ok(await embedding.isRegistered(APP))
  t.notOk(await embedding.isRegistered('https://evil.example'))
  t.equal(seen.reads, 1, 'one read for several questions')
})

t.test('an origin that is removed is refused within five seconds', async (t) => {
  const { embedding, timers, stored } = world()
  t.ok(await embedding.isRegistered(APP))
  delete stored[0]!.embedding
  await timers.leapTo(timers.nowMs() + SPECS_LIFE_MS - 1)
  t.ok(await embedding.isRegistered(APP))
  await timers.leapTo(timers.nowMs() + 1)
  t.notOk(await embedding.isRegistered(APP))
  t.notOk(await embedding.isRegisteredBy('acme', APP))
})

t.test('outdated origins are not used while the API server cannot be reached', async (t) => {
  const { embedding, timers, seen } = world()
  t.ok(await embedding.isRegistered(APP))
  await timers.leapTo(timers.nowMs() + SPECS_LIFE_MS)
  seen.isAway = true
  await t.rejects(embedding.isRegistered(APP), /away/)
  seen.isAway = false
  t.ok(await embedding.isRegistered(APP), 'the next call reads again')
})
