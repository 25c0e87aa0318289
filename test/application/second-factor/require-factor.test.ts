/** Specification 5.3: what the session of a one-time code opens, and what stays shut without. */
import t from 'tap'
import { JwsCodeSessions } from '../../../adapters/jose/code-sessions.ts'
import { NOW, testApi } from '../../fixtures/api.ts'
import { pass, seedWithCode, session } from '../../fixtures/codes.ts'
import { CASE_KEY, keyring, participant } from '../../fixtures/signature-case.ts'
import { BROKEN, refused } from '../../fixtures/refusals.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const START_MS = Date.parse(NOW)

t.test('5.3: without a session no link, no signature and no signed document', async (t) => {
  const api = await testApi(t)
  seedWithCode(api)
  const definition = (await api.asParticipant(1, 'GET', 'caseDefinition')).json()
  t.match(definition, { otpRequired: true, pinRequired: false, multiFactorType: 'EMAIL' })
  t.same(Object.keys(definition.document).sort(), ['name', 'pageCount', 'sha256', 'size'])
  t.notOk((await api.eventTypes()).includes('participant.viewed'), 'the document was not shown')
  await refused(t, api.sign(1), 401, 'OTP_REQUIRED')
  seedWithCode(api, { phase: 'DONE', signed: 2 })
  await refused(t, api.asParticipant(1, 'GET', 'signedDocument'), 401, 'OTP_REQUIRED')
  t.notMatch((await api.asParticipant(1, 'GET', 'caseDefinition')).body, 'get:')
})

t.test('5.3: with a session all three', async (t) => {
  const api = await testApi(t)
  seedWithCode(api)
  const asked = session(await pass(api))
  const definition = (await api.asParticipant(1, 'GET', 'caseDefinition', asked)).json()
  t.match(definition, { otpRequired: false, document: { url: /^get:document/ } })
  t.ok((await api.eventTypes()).includes('participant.viewed'))
  t.equal((await api.sign(1, {}, asked)).statusCode, 200)
  seedWithCode(api, { phase: 'DONE', signed: 2 })
  t.equal((await api.asParticipant(1, 'GET', 'signedDocument', asked)).statusCode, 302)
})

t.test(
  '5.3: a session opens for its participant and case alone, and ends to the second',
  async (t) => {
    const api = await testApi(t)
    seedWithCode(api)
    const own = await pass(api)
    const isOpen = async (value: string, position = 1) => {
      const answer = await api.asParticipant(position, 'GET', 'caseDefinition', session(value))
      return !answer.json().otpRequired
    }
    t.equal(await isOpen(own), true)
    t.equal(await isOpen(own, 2), false, 'of another participant')
    const sessions = new JwsCodeSessions(keyring)
    const end = new Date(START_MS + HOUR_MS)
    const holder = { ...CASE_KEY, participantId: participant(1).id }
    t.equal(await isOpen(await sessions.mint(holder, end)), true)
    const foreign = [
      await sessions.mint({ ...holder, caseId: 'other' }, end),
      await sessions.mint({ ...holder, tenant: 'other' }, end),
      await api.link(1),
      'x',
      `${own}x`,
      'é'.repeat(100),
    ]
    for (const value of foreign) t.equal(await isOpen(value), false, value)
    await api.timers.moveTo(START_MS + 30 * MINUTE_MS - 1)
    t.equal(await isOpen(own), true)
    await api.timers.moveTo(START_MS + 30 * MINUTE_MS)
    t.equal(await isOpen(own), false)
    await refused(t, api.sign(1, {}, session(own)), 401, 'OTP_REQUIRED')
  },
)

t.test('4.9: 410 and 409 go before the missing session, and that before the body', async (t) => {
  const api = await testApi(t)
  seedWithCode(api, { phase: 'CANCELLED' })
  await refused(t, api.sign(1, {}, BROKEN), 410, 'CASE_NOT_ACTIVE')
  seedWithCode(api, { signed: 1 })
  await refused(t, api.sign(1, {}, BROKEN), 409, 'ALREADY_SIGNED')
  await refused(t, api.sign(2, {}, BROKEN), 401, 'OTP_REQUIRED')
  const asked = {
    ...BROKEN,
    headers: { ...BROKEN.headers, ...session(await pass(api, 2)).headers },
  }
  t.equal((await api.sign(2, {}, asked)).statusCode, 400)
})

t.test('5.3: 4.8 asks for the code before it reports that the document is not made', async (t) => {
  const api = await testApi(t)
  seedWithCode(api)
  await refused(t, api.asParticipant(1, 'GET', 'signedDocument'), 401, 'OTP_REQUIRED')
  const headers = session(await pass(api, 1))
  await refused(t, api.asParticipant(1, 'GET', 'signedDocument', headers), 409, 'NOT_COMPLETED')
})
