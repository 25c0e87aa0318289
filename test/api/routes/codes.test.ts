/** Specification 4.10, 4.11 and the rows of 7 and 8 on codes, with a frozen clock. */
import t from 'tap'
import { auditFolder } from '../../../domain/cases/keys.ts'
import { NOW, signing, testApi } from '../../fixtures/api.ts'
import {
  CODE,
  newestCode,
  other,
  ownTypes,
  seedWithCode,
  send,
  session,
  tally,
  verify,
} from '../../fixtures/codes.ts'
import { DeliveryRefusedError } from '../../../domain/ports/delivery-refused.ts'
import { MailRefusedError } from '../../../domain/ports/mailer.ts'
import { CASE_ID, CASE_KEY, participant, VALID_UNTIL } from '../../fixtures/signature-case.ts'
import { BROKEN, refused } from '../../fixtures/refusals.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const START_MS = Date.parse(NOW)

t.test('4.10: a code goes by mail; the answer has channel, masked address and end', async (t) => {
  const api = await testApi(t)
  seedWithCode(api)
  const { statusCode, ...answer } = await send(api)
  t.equal(statusCode, 200)
  t.same(answer.json(), {
    channel: 'EMAIL',
    destination: 'p***@e***.com',
    expiresAt: '2026-11-02T08:40:00.000Z',
  })
  const [mail, ...others] = api.mailer.sent
  t.same([others.length, api.sms.sent.length], [0, 0])
  t.match(mail, { to: { address: 'p1@example.com' }, language: 'sk' })
  t.match(newestCode(api), CODE)
  t.ok(mail?.html.includes(newestCode(api)))
  t.notMatch(mail?.subject, CODE)
})

t.test('4.10: a code goes as SMS, to the digits of the number', async (t) => {
  const api = await testApi(t)
  seedWithCode(api, {}, 'SMS')
  t.match((await send(api)).json(), { channel: 'SMS', destination: '+421 *** *** 456' })
  const [sms] = api.sms.sent
  t.equal(sms?.to, '+421905123456')
  t.equal((await verify(api, CODE.exec(sms?.text ?? '')?.[0] ?? '')).statusCode, 200)
  t.same(api.mailer.sent, [])
})

t.test('4.11: the right code gives a session for half an hour, once', async (t) => {
  const api = await testApi(t)
  seedWithCode(api)
  await send(api)
  const code = newestCode(api)
  const { statusCode, ...answer } = await verify(api, code)
  t.equal(statusCode, 200)
  t.same(Object.keys(answer.json()).sort(), ['expiresAt', 'otpSession'])
  t.equal(answer.json().expiresAt, '2026-11-02T09:00:00.000Z')
  await refused(t, verify(api, code), 409, 'OTP_NOT_REQUESTED')
  t.same(await ownTypes(api), ['participant.otp_sent', 'participant.otp_verified'])
})

t.test('7: a wrong code answers how many tries are left, then 423 until a new one', async (t) => {
  const api = await testApi(t)
  seedWithCode(api)
  await send(api)
  const code = newestCode(api)
  for (const attemptsLeft of [4, 3, 2, 1, 0]) {
    const { statusCode, ...answer } = await verify(api, other(code, attemptsLeft + 1))
    t.equal(statusCode, 400)
    t.match(answer.json(), { code: 'OTP_INVALID', attemptsLeft })
  }
  await refused(t, verify(api, code), 423, 'OTP_LOCKED')
  api.ephemeral.wipe()
  await refused(t, verify(api, code), 423, 'OTP_LOCKED')
  t.equal((await send(api)).statusCode, 200)
  t.match((await verify(api, other(newestCode(api)))).json(), { attemptsLeft: 4 })
  t.equal((await verify(api, newestCode(api))).statusCode, 200)
})

t.test('8: a code works for ten minutes, to the second', async (t) => {
  const api = await testApi(t)
  seedWithCode(api)
  await send(api)
  await api.timers.moveTo(START_MS + 10 * MINUTE_MS)
  await refused(t, verify(api, newestCode(api)), 409, 'OTP_EXPIRED')
  await api.timers.moveTo(START_MS + 10 * MINUTE_MS - 1)
  t.equal((await verify(api, newestCode(api))).statusCode, 200)
})

t.test('7: a code that was replaced is not a wrong try: 409 OTP_EXPIRED', async (t) => {
  const api = await testApi(t)
  seedWithCode(api)
  await send(api)
  const first = newestCode(api)
  await api.timers.moveTo(START_MS + 9 * MINUTE_MS)
  await send(api)
  await refused(t, verify(api, first), 409, 'OTP_EXPIRED')
  await api.timers.moveTo(START_MS + 12 * MINUTE_MS)
  await refused(t, verify(api, first), 409, 'OTP_EXPIRED')
  t.match((await verify(api, other(newestCode(api)))).json(), { attemptsLeft: 4 })
  t.equal((await verify(api, newestCode(api))).statusCode, 200)
})

t.test('7: nothing sent, or lost since: 409 OTP_NOT_REQUESTED', async (t) => {
  const api = await testApi(t)
  seedWithCode(api)
  await refused(t, verify(api, '123456'), 409, 'OTP_NOT_REQUESTED')
  await send(api)
  await refused(t, verify(api, newestCode(api), 2), 409, 'OTP_NOT_REQUESTED')
  api.ephemeral.wipe()
  await refused(t, verify(api, newestCode(api)), 409, 'OTP_NOT_REQUESTED')
})

t.test('8: five codes in a sliding hour, and how long to wait, to the second', async (t) => {
  const api = await testApi(t)
  seedWithCode(api)
  for (const minutes of [0, 1, 2, 3, 4]) {
    await api.timers.moveTo(START_MS + minutes * MINUTE_MS)
    t.equal((await send(api)).statusCode, 200)
  }
  const waitSeconds = async () => {
    const { statusCode, ...answer } = await send(api)
    t.equal(statusCode, 429)
    t.match(answer.json(), { code: 'OTP_RATE_LIMITED' })
    t.equal(answer.headers['retry-after'], String(answer.json().retryAfterSeconds))
    return answer.json().retryAfterSeconds
  }
  t.equal(await waitSeconds(), 56 * 60)
  api.ephemeral.wipe()
  t.equal(await waitSeconds(), 56 * 60, 'rebuilt from the trail')
  t.equal((await send(api, 2)).statusCode, 200, 'each participant has their own')
  await api.timers.moveTo(START_MS + HOUR_MS - 1)
  t.equal(await waitSeconds(), 1, 'a part of a second counts as one')
  await api.timers.moveTo(START_MS + HOUR_MS)
  t.equal((await send(api)).statusCode, 200)
  t.equal(await waitSeconds(), 60, 'the window slides')
})

t.test(
  'a code that is refused for good has a code of its own, and the tenant sees it',
  async (t) => {
    const refusals = [
      [
        new MailRefusedError('no such mailbox', 550),
        409,
        'OTP_DESTINATION_REFUSED',
        'recipient',
        550,
      ],
      [
        new DeliveryRefusedError('bad login', 'sender', 535),
        503,
        'OTP_SENDER_REFUSED',
        'sender',
        535,
      ],
    ] as const
    for (const channel of ['EMAIL', 'SMS'] as const) {
      for (const [error, status, code, refused, answer] of refusals) {
        const api = await testApi(t)
        seedWithCode(api, {}, channel)
        api.mailer.beforeSend = api.sms.beforeSend = () => {
          throw error
        }
        const { statusCode, ...answered } = await send(api)
        t.equal(statusCode, status, code)
        t.match(answered.json(), { code, data: { channel, refused, answer } })
        const { events } = (await api.ask('GET', `/cases/${CASE_ID}/events?limit=1`)).json()
        t.match(events, [
          {
            type: 'participant.otp_failed',
            data: { channel, reason: 'not_sent', refused, answer },
          },
        ])
        api.mailer.beforeSend = api.sms.beforeSend = undefined
        t.equal((await send(api)).statusCode, 200, 'the refused one does not count')
      }
    }
  },
)

t.test('a code that cannot be sent is withdrawn: 503, and it does not count', async (t) => {
  const api = await testApi(t)
  seedWithCode(api)
  await send(api)
  const first = newestCode(api)
  let lost = ''
  api.mailer.beforeSend = (mail) => {
    lost = CODE.exec(mail.text)?.[0] ?? ''
    throw new Error('the mail server is away')
  }
  await refused(t, send(api), 503, 'TIMEOUT')
  t.match((await verify(api, lost)).json(), { code: 'OTP_INVALID', attemptsLeft: 4 })
  t.equal((await verify(api, first)).statusCode, 200, 'the one before still works')
  await refused(t, verify(api, lost), 409, 'OTP_NOT_REQUESTED')
  const entries = await api.trail.entries(CASE_KEY)
  const [sent, , withdrawn] = entries.filter(({ type }) => type.startsWith('participant.otp_'))
  t.same([sent?.type, withdrawn?.type], ['participant.otp_sent', 'participant.otp_failed'])
  const { data } = (await api.trail.opening(CASE_KEY, withdrawn!.eventId))!
  t.match(data?.value, { factor: 'code', channel: 'EMAIL', reason: 'not_sent' })
  api.mailer.beforeSend = undefined
  for (let count = 2; count <= 5; count++) t.equal((await send(api)).statusCode, 200)
  t.equal((await send(api)).statusCode, 429)
})

t.test(
  'a gateway that is down does not fill the trail: ten sendings are begun in an hour',
  async (t) => {
    const api = await testApi(t)
    seedWithCode(api, {}, 'SMS')
    api.sms.beforeSend = () => {
      throw new Error('the gateway is down')
    }
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(api)))
    const { TIMEOUT = 0, OTP_RATE_LIMITED = 0 } = tally(answers)
    t.equal(TIMEOUT + OTP_RATE_LIMITED, 50)
    t.ok(TIMEOUT <= 10, `${TIMEOUT} were begun`)
    for (let left = 0; left < 10; left++) await send(api)
    const sent = (await ownTypes(api)).filter((type) => type === 'participant.otp_sent')
    t.equal(sent.length, 10)
    t.match((await send(api)).json(), { code: 'OTP_RATE_LIMITED', retryAfterSeconds: 3600 })
  },
)

t.test('what the trail does not take is not done: 503, no code and no session', async (t) => {
  const api = await testApi(t)
  seedWithCode(api)
  await send(api)
  const isEntry = (key: string) => key.startsWith(auditFolder(CASE_KEY))
  api.objects.beforePut = (key) => {
    if (isEntry(key)) throw new Error('the store is away')
  }
  await refused(t, send(api), 503, 'TIMEOUT')
  t.equal(api.mailer.sent.length, 1)
  await refused(t, verify(api, newestCode(api)), 503, 'TIMEOUT')
  await refused(t, verify(api, other(newestCode(api))), 503, 'TIMEOUT')
  api.objects.beforePut = undefined
  t.equal((await verify(api, newestCode(api))).statusCode, 200)
})

t.test('a store of short-lived values that is unavailable: 503', async (t) => {
  const api = await testApi(t)
  seedWithCode(api)
  await send(api)
  const code = newestCode(api)
  api.ephemeral.get = async () => {
    throw new Error('it is away')
  }
  await refused(t, verify(api, code), 503, 'TIMEOUT')
  api.ephemeral.set = api.ephemeral.get as never
  await refused(t, send(api), 503, 'TIMEOUT')
  t.equal(api.mailer.sent.length, 1)
})

t.test('7: no code is needed: 409, for both routes and also beside a PIN', async (t) => {
  const api = await testApi(t)
  for (const definition of [{}, { pinRequired: true }]) {
    api.seed({ phase: 'IN_PROGRESS', definition })
    await refused(t, send(api), 409, 'OTP_NOT_REQUIRED')
    await refused(t, verify(api, '123456'), 409, 'OTP_NOT_REQUIRED')
  }
})

t.test('7: nowhere to send to: 409 OTP_NO_DESTINATION, before a missing gateway', async (t) => {
  for (const phone of [undefined, 'none', '12345', '+421 905 x', '+'.repeat(12)]) {
    const api = await testApi(t, { sms: undefined })
    const one = phone === undefined ? participant(1) : participant(1, { phone })
    seedWithCode(api, { participants: [one, participant(2)] }, 'SMS')
    await refused(t, send(api), 409, 'OTP_NO_DESTINATION')
    t.same(await ownTypes(api), [])
  }
})

t.test('7: no SMS gateway: 501, and the code by mail does without', async (t) => {
  const api = await testApi(t, { sms: undefined })
  seedWithCode(api, {}, 'SMS')
  await refused(t, send(api), 501, 'OTP_CHANNEL_UNAVAILABLE')
  t.same(await ownTypes(api), [])
  seedWithCode(api)
  t.equal((await send(api)).statusCode, 200)
})

const ROUTES = ['otp', 'otp/verify'] as const

t.test('refusals in order: 401, 404, 401 while NEW, 410, and the body at last', async (t) => {
  for (const route of ROUTES) {
    const api = await testApi(t)
    const ask = (more: object = {}) => api.asParticipant(1, 'POST', route, { ...BROKEN, ...more })
    t.same((await ask({ token: 'x' })).json(), { message: 'Unauthorized' })
    t.equal((await ask()).statusCode, 404)
    seedWithCode(api, { phase: 'NEW' })
    t.equal((await ask()).statusCode, 401)
    seedWithCode(api, { phase: 'CANCELLED', definition: { sender: { name: 'ACME' } } })
    t.match((await ask()).json(), { code: 'CASE_NOT_ACTIVE', senderName: 'ACME' })
    seedWithCode(api, { phase: 'DONE', signed: 2 })
    await api.timers.moveTo(VALID_UNTIL)
    t.match((await ask()).json(), { code: 'LINK_EXPIRED' })
  }
})

t.test(
  '4.11: a body that is not a code is refused behind 409 and 423, and is not a try',
  async (t) => {
    const api = await testApi(t)
    seedWithCode(api)
    const ask = (asked: object) => api.asParticipant(1, 'POST', 'otp/verify', asked)
    await refused(t, ask(BROKEN), 409, 'OTP_NOT_REQUESTED')
    await send(api)
    const bad = [
      '',
      '12345',
      '1234567',
      '12345a',
      ' 12345',
      '１２３４５６',
      '123456\n',
      123456,
      null,
    ]
    for (const code of bad) {
      const { statusCode, ...answer } = await ask({ body: { code } })
      t.equal(statusCode, 400, String(code))
      t.match(answer.json().validationErrors, [{ instancePath: '/code' }])
    }
    t.match((await ask({ body: {} })).json().validationErrors, [{ keyword: 'required' }])
    for (let tries = 0; tries < 5; tries++) await verify(api, other(newestCode(api)))
    await refused(t, ask(BROKEN), 423, 'OTP_LOCKED')
    await api.timers.moveTo(START_MS + 10 * MINUTE_MS)
    await refused(t, ask(BROKEN), 409, 'OTP_EXPIRED')
  },
)

t.test('6.1: each step is in the trail with origin, channel and masked destination', async (t) => {
  const api = await testApi(t, { trustedProxies: ['127.0.0.1'] })
  seedWithCode(api, {}, 'SMS')
  const headers = { 'x-forwarded-for': '198.51.100.7', 'user-agent': 'Phone/1.0' }
  await api.asParticipant(1, 'POST', 'otp', { headers })
  const code = CODE.exec(api.sms.sent[0]?.text ?? '')?.[0] ?? ''
  for (const body of [{ code: other(code) }, { code }]) {
    await api.asParticipant(1, 'POST', 'otp/verify', { body, headers })
  }
  const { events } = (await api.ask('GET', `/cases/${CASE_ID}/events?limit=3`)).json()
  const told = {
    occurredAt: NOW,
    actor: 'participant',
    participantId: participant(1).id,
    ip: '198.51.100.7',
    userAgent: 'Phone/1.0',
    data: { factor: 'code', channel: 'SMS', destination: '+421 *** *** 456' },
  }
  t.match(events, [
    { ...told, type: 'participant.otp_verified' },
    { ...told, type: 'participant.otp_failed' },
    { ...told, type: 'participant.otp_sent' },
  ])
  for (const { data } of events) t.same(Object.keys(data).length, 3)
})

t.test('neither code nor session is kept or logged in clear', async (t) => {
  const api = await testApi(t)
  seedWithCode(api)
  await send(api)
  const code = newestCode(api)
  await verify(api, other(code))
  const otpSession = (await verify(api, code)).json().otpSession as string
  await api.asParticipant(1, 'GET', 'caseDefinition', session(otpSession))
  await api.sign(1, {}, { ...session(otpSession), body: signing() })
  api.mailer.beforeSend = (mail) => {
    throw new Error(`not sent: ${mail.id}`)
  }
  await send(api)
  const decoder = new TextDecoder()
  const places = {
    log: api.log.join(''),
    objects: [...api.objects.objects.values()].map(({ bytes }) => decoder.decode(bytes)).join(''),
    ephemeral: JSON.stringify([...api.ephemeral.values]),
    case: JSON.stringify(await api.stored()),
  }
  t.match(places.ephemeral, /"mac\\?"/)
  for (const [place, text] of Object.entries(places)) {
    t.ok(text.length > 0, place)
    t.notMatch(text, new RegExp(`(?<![0-9a-f])${code}(?![0-9a-f])`), `${place} has no code`)
    t.notOk(text.includes(otpSession.slice(-20)), `${place} has no session`)
  }
})
