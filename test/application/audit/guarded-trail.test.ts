/** A trail that somebody changed past the service opens no limit and takes no signature. */
import t, { type Test } from 'tap'
import { headOf } from '../../../domain/audit/signature-check.ts'
import { testApi, type TestApi } from '../../fixtures/api.ts'
import { newestCode, other, seedWithCode, send, verify } from '../../fixtures/codes.ts'
import { Forger } from '../../fixtures/forger.ts'
import { CASE_KEY, participant, signature } from '../../fixtures/signature-case.ts'
import { path, anew } from '../../fixtures/forged-trail.ts'

const TRIES = 5

/** A participant entered five wrong codes, and is locked out. */
async function locked(t: Test): Promise<TestApi> {
  const api = await testApi(t)
  seedWithCode(api)
  await send(api)
  for (let tries = 1; tries <= TRIES; tries++) await verify(api, other(newestCode(api), tries))
  t.equal((await verify(api, newestCode(api))).json().code, 'OTP_LOCKED')
  return api
}

t.test('removed entries of wrong codes open no limit', async (t) => {
  const api = await locked(t)
  const code = newestCode(api)
  const { next, alarm, forger } = await anew(t, api)
  let removed = 0
  await forger.remove(({ type }) => type === 'participant.otp_failed' && ++removed < TRIES)
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
