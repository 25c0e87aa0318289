/** Issue 12, M4: what a tenant can use up in a day. */
import t, { type Test } from 'tap'
import type { BoundLimits } from '../../application/limits/bounds.ts'
import { boundsOf } from '../fixtures/bounds.ts'
import { input, NOW, testApi, type TestApi } from '../fixtures/api.ts'
import { participant } from '../fixtures/signature-case.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** From half past eight to midnight. */
const LEFT_SECONDS = String(15.5 * 60 * 60)

/** An API with a clock of its own for the bounds. */
async function open(t: Test, limits: Partial<BoundLimits>) {
  const clock = { ms: Date.parse(NOW) }
  const bounds = boundsOf(limits, () => new Date(clock.ms))
  return { api: await testApi(t, { bounds }), clock }
}

type Answer = Awaited<ReturnType<TestApi['ask']>>

function isRefused(t: Test, { statusCode, headers, body }: Answer, message: RegExp): void {
  t.equal(statusCode, 429)
  t.same(Object.keys(JSON.parse(body)), ['message'])
  t.match(JSON.parse(body).message, message)
  t.equal(headers['retry-after'], LEFT_SECONDS)
}

t.test('cases: so many in a day, others have their own, the next day begins anew', async (t) => {
  const { api, clock } = await open(t, { tenantCasesPerDay: 2 })
  const create = (token?: string) =>
    api.ask('POST', '/cases', { body: input(), ...(token === undefined ? {} : { token }) })
  t.equal((await api.ask('POST', '/cases', { body: {} })).statusCode, 400, 'which counts nothing')
  t.equal((await create()).statusCode, 200)
  t.equal((await create()).statusCode, 200)
  isRefused(t, await create(), /cases/)
  t.equal((await api.cases.list({ limit: 10 })).items.length, 2)
  t.equal((await create(await api.tenantToken('other'))).statusCode, 200)
  clock.ms += DAY_MS
  t.equal((await create()).statusCode, 200)
})

t.test('a request with an Idempotency-Key is answered also when the day is used up', async (t) => {
  const { api } = await open(t, { tenantCasesPerDay: 1 })
  const create = (key: string) =>
    api.ask('POST', '/cases', { body: input(), headers: { 'idempotency-key': key } })
  const first = (await create('a')).json()
  t.equal((await create('a')).json().case.id, first.case.id)
  isRefused(t, await create('b'), /cases/)
  t.equal((await api.cases.list({ limit: 10 })).items.length, 1)
})

t.test('devices: so many registered in a day', async (t) => {
  const { api } = await open(t, { tenantDevicesPerDay: 1 })
  const register = () => api.ask('POST', '/tenant/devices', { body: { name: 'Desk' } })
  t.equal((await register()).statusCode, 200)
  isRefused(t, await register(), /device registrations/)
  t.equal((await api.ask('GET', '/tenant/devices')).json().devices.length, 1)
})

for (const [channel, limits, message] of [
  ['SMS', { tenantSmsPerDay: 1 }, /text messages/],
  ['EMAIL', { tenantMailsPerDay: 1 }, /mails/],
] as const) {
  t.test(`codes by ${channel}: so many in a day, of all participants`, async (t) => {
    const { api } = await open(t, limits)
    const participants = [1, 2].map((n) => participant(n, { phone: '+421 900 123 456' }))
    api.seed({ phase: 'IN_PROGRESS', participants, definition: { multiFactorType: channel } })
    const send = (position: number) => api.asParticipant(position, 'POST', 'otp')
    t.equal((await send(1)).statusCode, 200)
    isRefused(t, await send(2), message)
    const sent = (await api.eventTypes()).filter((type) => type === 'participant.otp_sent')
    t.equal(sent.length, 1, 'what was refused is not in the trail')
  })
}

t.test('codes that the limit of a participant refuses use nothing of the day up', async (t) => {
  const { api } = await open(t, { tenantMailsPerDay: 20 })
  const participants = [1, 2].map((n) => participant(n))
  api.seed({ phase: 'IN_PROGRESS', participants, definition: { multiFactorType: 'EMAIL' } })
  const send = (position: number) => api.asParticipant(position, 'POST', 'otp')
  const flood = await Promise.all(Array.from({ length: 20 }, () => send(1)))
  const answered = (status: number) =>
    flood.filter(({ statusCode }) => statusCode === status).length
  t.same([answered(200), answered(429)], [5, 15])
  for (let round = 0; round < 4; round++) {
    await Promise.all(Array.from({ length: 20 }, () => send(1)))
  }
  t.equal((await send(2)).statusCode, 200, 'another participant still gets a code')
})

t.test('a code that could not be sent uses nothing of the day up', async (t) => {
  const { api } = await open(t, { tenantMailsPerDay: 1 })
  const participants = [participant(1)]
  api.seed({ phase: 'IN_PROGRESS', participants, definition: { multiFactorType: 'EMAIL' } })
  const send = () => api.asParticipant(1, 'POST', 'otp')
  api.mailer.beforeSend = () => {
    throw new Error('the mail server is away')
  }
  t.equal((await send()).statusCode, 503)
  api.mailer.beforeSend = undefined
  t.equal((await send()).statusCode, 200)
})
