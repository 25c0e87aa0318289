import t from 'tap'
import { deriveOnce } from '../../../runtime/cluster/tenant-specs.ts'
import { fakeTenantSpecs, IDENTITY, SPECS_LIFE_MS } from '../../fixtures/tenant-specs.ts'

const world = () => fakeTenantSpecs([{ namespace: 'acme', identity: IDENTITY }])

t.test('the specs are read once for several callers, and again after five seconds', async (t) => {
  const { specs, seen, timers } = world()
  await Promise.all([specs.readCurrent(), specs.readKnown(), specs.readCurrent()])
  await timers.leapTo(timers.nowMs() + SPECS_LIFE_MS - 1)
  await specs.readKnown()
  t.equal(seen.reads, 1)
  await timers.leapTo(timers.nowMs() + 1)
  await specs.readCurrent()
  t.equal(seen.reads, 2)
})

t.test('a failed read of current specs is repeated at the next call', async (t) => {
  const { specs, seen } = world()
  seen.isAway = true
  await t.rejects(specs.readCurrent(), /away/)
  await t.rejects(specs.readKnown(), /away/, 'nothing is known yet')
  seen.isAway = false
  t.match(await specs.readCurrent(), { ready: [{ namespace: 'acme' }] })
  t.equal(seen.reads, 3)
})

t.test('known specs are returned without another read for five seconds', async (t) => {
  const { specs, seen, timers } = world()
  await specs.readKnown()
  seen.isAway = true
  await timers.leapTo(timers.nowMs() + SPECS_LIFE_MS)
  t.match(await specs.readKnown(), { ready: [{ namespace: 'acme' }] })
  t.match(await specs.readKnown(), { ready: [{ namespace: 'acme' }] })
  t.equal(seen.reads, 2)
  await t.rejects(specs.readCurrent(), /away/, 'outdated specs are not current')
})

t.test('specs that were changed are read after the API server is back', async (t) => {
  const { specs, stored, seen, timers } = world()
  await specs.readKnown()
  seen.isAway = true
  await timers.leapTo(timers.nowMs() + SPECS_LIFE_MS)
  await specs.readKnown()
  seen.isAway = false
  stored[0]!.retentionDays = 3
  await timers.leapTo(timers.nowMs() + SPECS_LIFE_MS)
  t.match(await specs.readKnown(), { ready: [{ retentionDays: 3 }] })
})

t.test('a value is derived once for each object', (t) => {
  const lengthOf = deriveOnce((texts: readonly string[]) => ({ length: texts.length }))
  const texts = ['a', 'b']
  t.equal(lengthOf(texts), lengthOf(texts))
  t.not(lengthOf(texts), lengthOf(['a', 'b']))
  t.end()
})
