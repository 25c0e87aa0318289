import t from 'tap'
import { TenantEmbedding } from '../../../runtime/cluster/embedding.ts'
import type { TenantSpec } from '../../../domain/tenants/schema.ts'
import { FrozenTimers } from '../../fixtures/frozen-timers.ts'

const START = '2026-11-02T08:00:00.000Z'
const LIFE_MS = 5_000
const identity = { issuer: 'https://i.example', audience: 'a', claim: 'org', value: 'x' }
const APP = 'https://app.example.com'
const SHARED = 'https://portal.example.com'

function world() {
  const timers = new FrozenTimers(START)
  const specs: TenantSpec[] = [
    { namespace: 'acme', identity, embedding: { origins: [APP, SHARED] } },
    { namespace: 'zoo', identity, embedding: { origins: [SHARED] } },
    { namespace: 'plain', identity },
  ]
  const seen = { reads: 0, isAway: false }
  const readySpecs = async () => {
    seen.reads++
    if (seen.isAway) throw new Error('the API server is away')
    return specs
  }
  return { timers, specs, seen, embedding: new TenantEmbedding({ readySpecs }, timers.now) }
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
  const { embedding, timers, specs } = world()
  t.ok(await embedding.isRegistered(APP))
  delete specs[0]!.embedding
  await timers.leapTo(timers.nowMs() + LIFE_MS - 1)
  t.ok(await embedding.isRegistered(APP))
  await timers.leapTo(timers.nowMs() + 1)
  t.notOk(await embedding.isRegistered(APP))
  t.notOk(await embedding.isRegisteredBy('acme', APP))
})

t.test('outdated origins are not used while the API server cannot be reached', async (t) => {
  const { embedding, timers, seen } = world()
  t.ok(await embedding.isRegistered(APP))
  await timers.leapTo(timers.nowMs() + LIFE_MS)
  seen.isAway = true
  await t.rejects(embedding.isRegistered(APP), /away/)
  seen.isAway = false
  t.ok(await embedding.isRegistered(APP), 'the next call reads again')
})
