/** A code opens a session once, for ten minutes and five tries. */
import t from 'tap'
import { testApi } from '../../fixtures/api.ts'
import { newestCode, other, ownTypes, seedWithCode, send, verify } from '../../fixtures/codes.ts'
import { BROKEN, refused } from '../../fixtures/refusals.ts'
import { MINUTE_MS, START_MS } from '../../fixtures/code-times.ts'

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
