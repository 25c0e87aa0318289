/** Many who ask for codes and guess them at the same instant. */
import t from 'tap'
import { buildApi } from '../../../api/app.ts'
import { testTrail } from '../../fixtures/alarms.ts'
import { auditFolder } from '../../../domain/cases/keys.ts'
import { testApi } from '../../fixtures/api.ts'
import {
  newestCode,
  other,
  ownTypes,
  seedWithCode,
  send,
  tally,
  verify,
} from '../../fixtures/codes.ts'
import { seededHex } from '../../fixtures/seeded-hex.ts'
import { CASE_KEY, participant } from '../../fixtures/signature-case.ts'

t.test('fifty ask at once: exactly five codes go out, also after a loss', async (t) => {
  for (const loses of [false, true]) {
    const api = await testApi(t)
    seedWithCode(api)
    // What was counted may be lost while it is being sent, too.
    api.mailer.beforeSend = () => {
      if (loses) api.ephemeral.wipe()
    }
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(api)))
    t.same(tally(answers), { 200: 5, OTP_RATE_LIMITED: 45 })
    t.equal(api.mailer.sent.length, 5)
    t.same(await ownTypes(api), Array(5).fill('participant.otp_sent'))
    if (loses) continue
    t.equal((await verify(api, newestCode(api))).statusCode, 200, 'the last of them works')
  }
})

t.test('fifty guess at once: exactly five tries', async (t) => {
  const api = await testApi(t)
  seedWithCode(api)
  await send(api)
  const code = newestCode(api)
  const guesses = await Promise.all(
    Array.from({ length: 50 }, (_, index) => verify(api, other(code, index + 1))),
  )
  t.same(tally(guesses), { OTP_INVALID: 5, OTP_LOCKED: 45 })
  const left = guesses.map((guess) => guess.json().attemptsLeft).filter((n) => n !== undefined)
  t.same(left.sort(), [0, 1, 2, 3, 4])
  t.same(await ownTypes(api), [
    'participant.otp_sent',
    ...Array<string>(5).fill('participant.otp_failed'),
  ])
  const written = api.objects.under(auditFolder(CASE_KEY))
  t.ok(written.length <= (await api.eventTypes()).length, 'refused guesses leave nothing')
})

t.test('the right code fifty times at once opens one session', async (t) => {
  const api = await testApi(t)
  seedWithCode(api)
  await send(api)
  const code = newestCode(api)
  const answers = await Promise.all(Array.from({ length: 50 }, () => verify(api, code)))
  t.same(tally(answers), { 200: 1, OTP_NOT_REQUESTED: 49 })
})

t.test('among fifty guesses the right one counts within the first five tries alone', async (t) => {
  for (const position of [0, 20, 49]) {
    const api = await testApi(t)
    seedWithCode(api)
    await send(api)
    const code = newestCode(api)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        verify(api, index === position ? code : other(code, index + 1)),
      ),
    )
    const {
      OTP_INVALID = 0,
      OTP_LOCKED = 0,
      OTP_NOT_REQUESTED = 0,
      200: right = 0,
    } = tally(answers)
    t.equal(OTP_INVALID + OTP_LOCKED + OTP_NOT_REQUESTED + right, 50)
    t.ok(OTP_INVALID + right <= 5, `${OTP_INVALID} wrong and ${right} right`)
    t.equal(right === 1 ? OTP_LOCKED : OTP_NOT_REQUESTED, 0)
  }
})

t.test('two processes count together', async (t) => {
  const api = await testApi(t)
  seedWithCode(api)
  const second = await buildApi({
    ...api.deps,
    trail: testTrail(api.objects, seededHex('second')),
  })
  t.teardown(() => second.close())
  const token = await api.link(1)
  const url = `/participant/${participant(1).id}/otp`
  const headers = { authorization: `Bearer ${token}` }
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      (index % 2 === 0 ? api.app : second).inject({ method: 'POST', url, headers }),
    ),
  )
  t.same(tally(answers), { 200: 5, OTP_RATE_LIMITED: 45 })
})
