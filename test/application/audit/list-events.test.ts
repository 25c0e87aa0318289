/** Which events are listed when somebody changed the trail of a case past the service. */
import t from 'tap'
import { auditFolder } from '../../../domain/cases/keys.ts'
import { testApi } from '../../fixtures/api.ts'
import type { Forger } from '../../fixtures/forger.ts'
import { CASE_ID, CASE_KEY } from '../../fixtures/signature-case.ts'
import { appendSingly, path, anew } from '../../fixtures/forged-trail.ts'

t.test(
  '4.4: only the entries that hold are listed, and the answer says where they end',
  async (t) => {
    const api = await testApi(t)
    api.seed({ phase: 'DONE', signed: 2 })
    await appendSingly(api)
    const before = (await api.ask('GET', path)).json()
    t.equal(before.trailFault, undefined)
    const { next, alarm, forger } = await anew(t, api)
    await forger.remove(({ sequence }) => sequence === 3)
    const { statusCode, ...answer } = await next.ask('GET', path)
    t.equal(statusCode, 200)
    t.same(answer.json().events, before.events.slice(-2))
    t.same(answer.json().trailFault, { sequence: 3, fault: 'wrongMac' })
    t.same(alarm.names(), ['audit-trail wrongMac'])
    const fields = 'events { type } trailFault { sequence fault }'
    const query = `{ events(caseId: "${CASE_ID}") { ${fields} } }`
    const graph = await next.ask('POST', '/graphql', { body: { query } })
    t.match(graph.json(), {
      data: { events: { trailFault: { sequence: 3, fault: 'wrongMac' } } },
    })
  },
)

t.test('4.4: an invented event is not listed', async (t) => {
  const api = await testApi(t)
  api.seed()
  const before = (await api.ask('GET', path)).json()
  const { next, forger } = await anew(t, api)
  const stored = await forger.parts()
  const [last] = stored.slice(-1)
  const entries = [{ ...last!.entries[0]!, eventId: 'invented' }]
  await forger.rechain([...stored, { ...last!, entries }])
  const answer = (await next.ask('GET', path)).json()
  t.same(answer.events, before.events)
  t.same(answer.trailFault, { sequence: 4, fault: 'wrongMac' })
})

t.test('4.4: a trail that lacks the head that a signer saw is not listed as whole', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'IN_PROGRESS' })
  await appendSingly(api)
  await api.sign(1)
  await api.ask('GET', path)
  const { next, alarm, forger } = await anew(t, api)
  await forger.truncate(2)
  const answer = (await next.ask('GET', path)).json()
  t.equal(answer.events.length, 2)
  t.same(answer.trailFault, { sequence: 4, fault: 'missingHead' })
  t.same(alarm.names(), ['audit-trail missingHead'])
  t.equal(api.objects.under(auditFolder(CASE_KEY)).length, 2, 'nothing is appended to it')
})

t.test('4.4: changed or removed values are left out, and are a fault', async (t) => {
  const api = await testApi(t)
  api.seed()
  const before = (await api.ask('GET', path)).json().events
  const created = before.at(-1)
  for (const [fault, forge] of [
    ['wrongMac', (forger: Forger) => forger.changeOpenings(1, () => ({ values: {}, kid: 'x' }))],
    ['missingOpening', (forger: Forger) => forger.changeOpenings(1, () => undefined)],
  ] as const) {
    const { next, forger } = await anew(t, api)
    await forge(forger)
    const answer = (await next.ask('GET', path)).json()
    const { ip: _, userAgent: __, ...rest } = created
    t.same(answer.events.at(-1), { ...rest, data: {} })
    t.match(answer.trailFault, { sequence: 1, fault: /wrongMac|unknownKey|missingOpening/ }, fault)
  }
})

t.test('4.4: values that somebody wrote back after an erasure are not shown', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'DONE', signed: 2 })
  await appendSingly(api)
  const shown = (await api.ask('GET', path)).json().events
  t.ok(shown.some(({ ip }: { ip?: string }) => ip))
  const found = await api.deps.cases.get(CASE_KEY)
  const decidedAt = '2026-11-02T09:00:00.000Z'
  const erasure = { rule: 'annotation' as const, decidedAt, erasedAt: decidedAt }
  await api.deps.cases.replaceStatus({ ...found!, status: { ...found!.status!, erasure } })
  const { events, trailFault } = (await api.ask('GET', path)).json()
  t.equal(events.length, shown.length)
  t.equal(trailFault, undefined)
  for (const { ip, userAgent, data } of events) t.same({ ip, userAgent, data }, { data: {} })
})
