/** Specification 7, 5.4: throttling of public routes and of tenants (decision 172). */
import t, { type Test } from 'tap'
import { callerOf } from '../../api/throttle.ts'
import { NOW, testApi, type TestApi } from '../fixtures/api.ts'
import { MemoryEphemeral } from '../fixtures/memory-ephemeral.ts'
import { participant } from '../fixtures/signature-case.ts'

const LIMITS = { public: 5, tenant: 8 }
const DEFINITION = `/participant/${participant(1).id}/caseDefinition`

const open = (t: Test, more: Parameters<typeof testApi>[1] = {}) =>
  testApi(t, { requestsPerMinute: LIMITS, trustedProxies: ['127.0.0.1'], ...more })

/** Asks so often; gives the statuses. */
async function requestStatuses(count: number, ask: () => ReturnType<TestApi['ask']>) {
  const statuses: number[] = []
  for (let n = 0; n < count; n++) statuses.push((await ask()).statusCode)
  return statuses
}

const from = (ip: string) => ({ headers: { 'x-forwarded-for': ip } })
const times = (count: number, status: number) => Array.from({ length: count }, () => status)

t.test('an address has so many requests in a minute on public routes, then 429', async (t) => {
  const api = await open(t)
  api.seed({ phase: 'IN_PROGRESS' })
  await api.timers.moveTo('2026-11-02T08:30:20.000Z')
  const ask = (ip: string) => api.asParticipant(1, 'GET', 'caseDefinition', from(ip))
  t.same(await requestStatuses(5, () => ask('192.0.2.1')), times(5, 200))
  const refused = await ask('192.0.2.1')
  t.equal(refused.statusCode, 429)
  t.equal(refused.headers['retry-after'], '40')
  t.same(Object.keys(refused.json()), ['message'])
  t.equal((await ask('192.0.2.2')).statusCode, 200, 'another address')
  await api.timers.moveTo('2026-11-02T08:31:00.000Z')
  t.equal((await ask('192.0.2.1')).statusCode, 200, 'the next minute')
})

t.test('guesses of tokens are throttled before they are looked at', async (t) => {
  const api = await open(t)
  const guess = () => api.ask('GET', DEFINITION, { token: 'x', ...from('192.0.2.1') })
  t.same(await requestStatuses(7, guess), [...times(5, 401), 429, 429])
})

t.test('a tenant has so many requests in a minute, from wherever', async (t) => {
  const api = await open(t)
  let last = 1
  const ask = () => api.ask('GET', '/cases', from(`192.0.2.${last++}`))
  t.same(await requestStatuses(10, ask), [...times(8, 200), 429, 429])
  const token = await api.tenantToken('other')
  t.equal((await api.ask('GET', '/cases', { token })).statusCode, 200)
  const bad = () => api.ask('GET', '/cases', { token: 'x', ...from('192.0.2.1') })
  t.equal((await bad()).statusCode, 401)
  t.equal((await api.ask('GET', '/healthz', { token: '' })).statusCode, 200)
})

t.test(
  'guesses count on every route that anybody can call; good tokens of tenants do not',
  async (t) => {
    const device = `/devices/${participant(1).id}/events`
    const objectHandler = {
      answer: async ({ key }: { key: string }) =>
        ({ status: key === 'good' ? 200 : 403, headers: {}, body: '' }) as const,
    }
    const guesses: Readonly<Record<string, (api: TestApi) => ReturnType<TestApi['ask']>>> = {
      tenants: (api) => api.ask('GET', '/cases', { token: 'x' }),
      devices: (api) => api.ask('POST', '/tenant/devices', { token: '' }),
      pairing: (api) => api.ask('POST', '/kiosk/pair', { token: '', body: { token: 'x' } }),
      channels: (api) => api.ask('GET', device, { token: 'x' }),
      objects: (api) => api.ask('GET', '/objects/bad', { token: '' }),
      notifications: (api) => api.ask('POST', '/notifications/uploads', { token: 'x', body: {} }),
      uploads: (api) => api.ask('PUT', '/objects/bad', { token: '', body: 'x' }),
    }
    for (const [name, guess] of Object.entries(guesses)) {
      const uploadNotifications = { notifiers: { isNotifier: async () => false }, bucket: 'b' }
      const api = await open(t, { objectHandler, uploadNotifications })
      const statuses = await requestStatuses(7, () => guess(api))
      t.same(statuses.slice(5), [429, 429], name)
      t.notOk(statuses.slice(0, 5).includes(429), name)
      const refused = await guess(api)
      t.equal(refused.headers['retry-after'], '60', name)
      t.same(Object.keys(refused.json()), ['message'], name)
      t.equal(
        (await api.ask('GET', '/cases')).statusCode,
        200,
        'a good token from the same address',
      )
      t.equal((await api.ask('GET', '/objects/good', { token: '' })).statusCode, 200, 'a good link')
    }
  },
)

t.test('requests at once are counted each', async (t) => {
  const api = await open(t)
  const answers = await Promise.all(Array.from({ length: 30 }, () => api.ask('GET', '/cases')))
  t.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 8)
})

t.test('two processes share one count', async (t) => {
  const ephemeral = new MemoryEphemeral()
  const [one, two] = [await open(t, { ephemeral }), await open(t, { ephemeral })]
  t.same(await requestStatuses(5, () => one.ask('GET', '/cases')), times(5, 200))
  t.same(await requestStatuses(5, () => two.ask('GET', '/cases')), [...times(3, 200), 429, 429])
})

t.test('while the store of counters fails or hangs, every request is admitted', async (t) => {
  for (const increment of [
    async () => {
      throw new Error('away')
    },
    () => new Promise<never>(() => {}),
  ]) {
    const api = await open(t, { ephemeral: Object.assign(new MemoryEphemeral(), { increment }) })
    const { statusCode } = await api.ask('GET', '/cases')
    t.equal(statusCode, 200)
    t.ok(api.log.some((line) => line.includes('requests are not counted')))
  }
})

t.test('without limits nothing is counted', async (t) => {
  const ephemeral = new MemoryEphemeral()
  const unlimited = { public: Number.POSITIVE_INFINITY, tenant: Number.POSITIVE_INFINITY }
  const api = await testApi(t, { ephemeral, requestsPerMinute: unlimited })
  await api.ask('GET', '/cases')
  t.equal(ephemeral.values.size, 0)
  t.equal(api.timers.now().toISOString(), NOW)
})

t.test('the addresses of one IPv6 network count as one caller', async (t) => {
  const callers = {
    '192.0.2.1': '192.0.2.1',
    '2001:db8:1:2:3:4:5:6': '2001_db8_1_2',
    '2001:DB8:1:2::1': '2001_db8_1_2',
    '2001:db8::1': '2001_db8_0_0',
    '2001:db8:1::2:3:4:5': '2001_db8_1_0',
    '::1': '0_0_0_0',
    '::': '0_0_0_0',
  }
  for (const [ip, caller] of Object.entries(callers)) t.equal(callerOf(ip), caller, ip)
})
