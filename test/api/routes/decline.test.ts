/** A participant who does not want to sign (decision 215), with a frozen clock. */
import { Readable } from 'node:stream'
import t from 'tap'
import { DeliveryRefusedError } from '../../../domain/ports/delivery-refused.ts'
import { signing, testApi, type TestApi } from '../../fixtures/api.ts'
import { auditFault } from '../../fixtures/audit-fault.ts'
import { pass, seedWithCode, session } from '../../fixtures/codes.ts'
import { refused } from '../../fixtures/refusals.ts'
import { CASE_ID, participant } from '../../fixtures/signature-case.ts'

const REASON = 'The price differs from our agreement.'
const SENDER = { name: 'Acme', replyTo: 'office@acme.example' }

const seed = (api: TestApi, sender: object | undefined = SENDER) =>
  api.seed({
    phase: 'IN_PROGRESS',
    participants: [participant(1, { language: 'en' }), participant(2)],
    ...(sender ? { definition: { sender } } : {}),
  })
const decline = (api: TestApi, body: object = { reason: REASON }, more: object = {}) =>
  api.asParticipant(1, 'POST', 'decline', { body, ...more })
const declined = async (api: TestApi) =>
  (await api.ask('GET', `/cases/${CASE_ID}/events`))
    .json()
    .events.filter(({ type }: { type: string }) => type === 'participant.declined')

t.test('the sender gets a mail with the reason, and the trail an entry', async (t) => {
  const api = await testApi(t)
  seed(api)
  const answer = await decline(api)
  t.equal(answer.statusCode, 200)
  t.equal(answer.body, '')
  const [mail, ...others] = api.mailer.sent
  t.equal(others.length, 0)
  t.match(mail, {
    to: { name: 'Acme', address: 'office@acme.example' },
    replyTo: { address: 'p1@example.com' },
    language: 'en',
    subject: /^Does not want to sign: /,
  })
  t.match(mail?.text, `Reason: ${REASON}`)
  t.match(mail?.text, 'This does not cancel the signing')
  t.equal(auditFault((await declined(api))[0]), undefined, 'as the reference says')
  t.match(await declined(api), [
    {
      actor: 'participant',
      ip: /./,
      data: { reason: REASON, channel: 'EMAIL', destination: 'o***@a***.example' },
    },
  ])
})

t.test('the case stays as it is: the participant can still sign', async (t) => {
  const api = await testApi(t)
  seed(api)
  await decline(api)
  const read = await api.asParticipant(1, 'GET', 'caseDefinition')
  t.match(read.json(), { status: 'IN_PROGRESS', participant: { status: 'UNSIGNED' } })
  t.equal((await api.asParticipant(1, 'POST', 'signature', { body: signing() })).statusCode, 200)
  await refused(t, decline(api), 409, 'ALREADY_SIGNED')
})

t.test('a repetition sends and records nothing more', async (t) => {
  const api = await testApi(t)
  seed(api)
  for (let time = 0; time < 3; time++) t.equal((await decline(api)).statusCode, 200)
  t.equal(api.mailer.sent.length, 1)
  t.equal((await declined(api)).length, 1)
})

t.test('another reason is refused, because only the first statement is recorded', async (t) => {
  for (const first of [{}, { reason: REASON }]) {
    const api = await testApi(t)
    seed(api)
    await decline(api, first)
    await refused(t, decline(api, { reason: 'Another one' }), 409, 'ALREADY_DECLINED')
    t.equal((await decline(api, first)).statusCode, 200, 'a repetition is not')
    t.equal((await decline(api, {})).statusCode, 200, 'nor one without a reason')
    t.match(await declined(api), [{ data: { ...first } }])
    t.equal(api.mailer.sent.length, 1)
  }
})

t.test('while one request is under way, others send nothing and can be repeated', async (t) => {
  const api = await testApi(t)
  seed(api)
  const first = Promise.withResolvers<void>()
  const began = Promise.withResolvers<void>()
  api.mailer.beforeSend = () => {
    began.resolve()
    return first.promise
  }
  const sending = decline(api)
  await began.promise
  // Without the claim these would send as well.
  api.mailer.beforeSend = undefined
  for (const answer of await Promise.all(Array.from({ length: 20 }, () => decline(api)))) {
    t.equal(answer.statusCode, 503)
    t.match(answer.json(), { code: 'TIMEOUT' })
  }
  first.resolve()
  t.equal((await sending).statusCode, 200)
  t.equal((await decline(api)).statusCode, 200)
  t.equal(api.mailer.sent.length, 1)
  t.equal((await declined(api)).length, 1)
})

t.test('without an address of the sender, the trail alone says it', async (t) => {
  const api = await testApi(t)
  seed(api, { name: 'Acme' })
  t.equal((await decline(api, {})).statusCode, 200)
  t.equal(api.mailer.sent.length, 0)
  t.match(await declined(api), [{ data: {} }])
  t.notOk((await declined(api))[0]?.data?.reason)
})

t.test('a mail that cannot be sent now is tried again by the next request', async (t) => {
  const api = await testApi(t)
  seed(api)
  api.mailer.beforeSend = () => {
    throw new Error('the mail server is down')
  }
  await refused(t, decline(api), 503, 'TIMEOUT')
  t.equal((await declined(api)).length, 0, 'nothing is recorded that did not happen')
  api.mailer.beforeSend = undefined
  t.equal((await decline(api)).statusCode, 200)
  t.equal(api.mailer.sent.length, 1)
})

t.test('an address that refuses mail for good is recorded as that', async (t) => {
  const api = await testApi(t)
  seed(api)
  api.mailer.beforeSend = () => {
    throw new DeliveryRefusedError('no such mailbox', 'recipient')
  }
  t.equal((await decline(api)).statusCode, 200)
  t.match(await declined(api), [{ data: { refused: 'recipient' } }])
})

t.test('what a signature requires is required here', async (t) => {
  const api = await testApi(t)
  seedWithCode(api, { definition: { sender: SENDER } })
  await refused(t, decline(api), 401, 'OTP_REQUIRED')
  t.equal(api.mailer.sent.length, 0)
  const otpSession = await pass(api)
  t.equal((await decline(api, {}, session(otpSession))).statusCode, 200)
})

t.test('a reason has a maximum length, and one that cannot be written is refused', async (t) => {
  const api = await testApi(t)
  seed(api)
  t.equal((await decline(api, { reason: 'x'.repeat(5_000) })).statusCode, 400)
  t.equal((await decline(api, { reason: '\ud800' })).statusCode, 400)
  t.equal(api.mailer.sent.length, 0)
})

t.test('a case that has ended is not declined', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'CANCELLED', definition: { sender: SENDER } })
  await refused(t, decline(api), 410, 'CASE_NOT_ACTIVE')
})

/** The body of a request, which comes after something else has happened. */
async function* bodyAfter(first: () => Promise<unknown>) {
  await first()
  yield Buffer.from(JSON.stringify({ reason: REASON }))
}

for (const [what, happens, status, code] of [
  ['signed', (api: TestApi) => api.sign(1), 409, 'ALREADY_SIGNED'],
  ['saw the case end', (api: TestApi) => api.ask('DELETE', `/cases/${CASE_ID}`), 410],
] as const) {
  t.test(`someone who ${what} while the body came states nothing`, async (t) => {
    const api = await testApi(t)
    seed(api)
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
    const body = Readable.from(bodyAfter(() => happens(api)))
    await refused(t, decline(api, body, { headers }), status, code ?? 'CASE_NOT_ACTIVE')
    t.same(api.mailer.sent, [], 'the sender gets no mail')
    t.same(await declined(api), [])
  })
}
