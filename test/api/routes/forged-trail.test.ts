/** What the API answers when somebody changed the trail of a case past the service. */
import t, { type Test } from 'tap'
import { headOf } from '../../../domain/audit/signature-check.ts'
import { dueAuditEvents } from '../../../domain/cases/due-audit-events.ts'
import { acceptedSignatures } from '../../../domain/cases/facts.ts'
import { auditFolder } from '../../../domain/cases/keys.ts'
import { testApi, type TestApi } from '../../fixtures/api.ts'
import { RecordingAlarm, testTrail } from '../../fixtures/alarms.ts'
import { newestCode, other, seedWithCode, send, verify } from '../../fixtures/codes.ts'
import { Forger } from '../../fixtures/forger.ts'
import { seededHex } from '../../fixtures/seeded-hex.ts'
import {
  CASE_ID,
  CASE_KEY,
  keyring,
  participant,
  signature,
} from '../../fixtures/signature-case.ts'

const path = `/cases/${CASE_ID}/events`
const TRIES = 5

/** The same API as another process, which has read no trail before. */
async function anew(t: Test, api: TestApi) {
  const alarm = new RecordingAlarm()
  const trail = testTrail(api.objects, seededHex('anew'), alarm)
  const { cases, devices, secrets, objects, ephemeral, mailer } = api
  const next = await testApi(t, { cases, devices, secrets, objects, ephemeral, mailer, trail })
  return { next, alarm, forger: new Forger(api.objects, CASE_KEY) }
}

/** A participant entered five wrong codes, and is locked out. */
async function locked(t: Test): Promise<TestApi> {
  const api = await testApi(t)
  seedWithCode(api)
  await send(api)
  for (let tries = 1; tries <= TRIES; tries++) await verify(api, other(newestCode(api), tries))
  t.equal((await verify(api, newestCode(api))).json().code, 'OTP_LOCKED')
  return api
}

/** Appends what the case shows, each event as an object of its own. */
async function appendSingly(api: TestApi): Promise<void> {
  const value = (await api.stored())!
  for (const event of dueAuditEvents(value, acceptedSignatures(keyring, value))) {
    await api.trail.append(CASE_KEY, [event])
  }
}

t.test('removed entries of wrong codes open no limit', async (t) => {
  const api = await locked(t)
  const code = newestCode(api)
  const { next, alarm, forger } = await anew(t, api)
  let removed = 0
  await forger.remove(({ type }) => type === 'participant.otp_failed' && ++removed < 5)
  const answer = await verify(next, code)
  t.equal(answer.statusCode, 503)
  t.equal(answer.json().code, 'TIMEOUT')
  t.equal((await send(next)).statusCode, 503, 'nor is a new code sent')
  t.same(alarm.names(), ['audit-trail wrongMac'])
})

t.test('a removed end of the trail opens no limit in the process that wrote it', async (t) => {
  const api = await locked(t)
  await new Forger(api.objects, CASE_KEY).truncate(5)
  t.equal((await verify(api, newestCode(api))).statusCode, 503)
})

t.test('a removed end opens no limit after somebody has signed', async (t) => {
  const api = await locked(t)
  const { length } = await api.trail.entries(CASE_KEY)
  const value = (await api.stored())!
  const head = headOf(await api.trail.entries(CASE_KEY))
  t.equal(head.sequence, length)
  const fact = signature(participant(2), { fieldIds: ['f2'], trail: head })
  api.cases.seed({ ...value, spec: { ...value.spec, signatures: [fact] } })
  const { next, alarm, forger } = await anew(t, api)
  await forger.truncate(5)
  t.equal((await verify(next, newestCode(api))).statusCode, 503)
  t.equal((await send(next)).statusCode, 503)
  t.same(alarm.names(), ['audit-trail missingHead'])
})

t.test('a case whose trail does not hold cannot be signed', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'IN_PROGRESS' })
  await api.ask('GET', path)
  const { next, alarm, forger } = await anew(t, api)
  await forger.changeAddress(1, '203.0.113.99')
  t.equal((await next.sign(1)).statusCode, 503)
  t.same((await api.stored())?.spec.signatures, [])
  t.same(alarm.names(), ['audit-trail wrongMac'])
})

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
