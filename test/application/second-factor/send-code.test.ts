/** One-time codes are sent by mail and SMS, within their limits. */
import t from 'tap'
import type { TenantBranding } from '../../../domain/ports/branding.ts'
import { testApi } from '../../fixtures/api.ts'
import {
  CODE,
  newestCode,
  ownTypes,
  seedWithCode,
  send,
  tally,
  verify,
} from '../../fixtures/codes.ts'
import { CASE_KEY, participant } from '../../fixtures/signature-case.ts'
import { refused } from '../../fixtures/refusals.ts'
import { MINUTE_MS, HOUR_MS, START_MS } from '../../fixtures/code-times.ts'

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

t.test(
  '4.10: the mail says until when the code works in the time zone of the tenant',
  async (t) => {
    const timeZone = 'America/New_York'
    const branding: TenantBranding = {
      read: async (tenant) => (tenant === CASE_KEY.tenant ? { timeZone } : {}),
    }
    const api = await testApi(t, { branding })
    seedWithCode(api)
    t.equal((await send(api)).statusCode, 200)
    t.match(api.mailer.sent[0]?.text, '2. novembra 2026, 03:40 (UTC-5)'.replace(' ', '\u00a0'))
  },
)
