/** What both routes of codes refuse, record and keep. */
import t from 'tap'
import { auditFolder } from '../../../domain/cases/keys.ts'
import { NOW, signing, testApi } from '../../fixtures/api.ts'
import {
  CODE,
  newestCode,
  other,
  seedWithCode,
  send,
  session,
  verify,
} from '../../fixtures/codes.ts'
import { DeliveryRefusedError } from '../../../domain/ports/delivery-refused.ts'
import { MailRefusedError } from '../../../domain/ports/mailer.ts'
import { CASE_ID, CASE_KEY, participant, VALID_UNTIL } from '../../fixtures/signature-case.ts'
import { BROKEN, refused } from '../../fixtures/refusals.ts'

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
  const common = {
    occurredAt: NOW,
    actor: 'participant',
    participantId: participant(1).id,
    ip: '198.51.100.7',
    userAgent: 'Phone/1.0',
    data: { factor: 'code', channel: 'SMS', destination: '+421 *** *** 456' },
  }
  t.match(events, [
    { ...common, type: 'participant.otp_verified' },
    { ...common, type: 'participant.otp_failed' },
    { ...common, type: 'participant.otp_sent' },
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

t.test('guessing ends after fifty wrong codes, until the tenant invites again', async (t) => {
  const api = await testApi(t)
  seedWithCode(api, { definition: { validUntil: VALID_UNTIL } })
  const start = Date.parse(NOW)
  for (let codes = 0; codes < 10; codes++) {
    await api.timers.moveTo(new Date(start + codes * 15 * 60_000).toISOString())
    t.equal((await send(api)).statusCode, 200)
    const wrong = other(newestCode(api))
    for (let tries = 0; tries < 5; tries++) await refused(t, verify(api, wrong), 400, 'OTP_INVALID')
  }
  await api.timers.moveTo(new Date(start + 200 * 60_000).toISOString())
  const sends = api.mailer.sent.length
  const answer = await send(api)
  t.match(answer.json(), { code: 'OTP_RATE_LIMITED', retryAfterSeconds: (24 * 60 - 65) * 60 })
  t.equal(api.mailer.sent.length, sends)
  t.equal((await send(api, 2)).statusCode, 200, 'others are not concerned')
  const invitation = `/cases/${CASE_ID}/participants/${participant(1).id}/invitation`
  t.equal((await api.ask('POST', invitation)).statusCode, 202)
  t.equal((await send(api)).statusCode, 200)
})
