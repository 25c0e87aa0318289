/** Request ids in answers and log lines, the ids of tenant and case, and what is never logged. */
import t from 'tap'
import { input, testApi, type TestApi } from '../fixtures/api.ts'
import { CASE_ID, participant, TENANT } from '../fixtures/signature-case.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const linesOf = (api: TestApi) => api.log.map((line) => JSON.parse(line) as Record<string, unknown>)
const answeredOf = (api: TestApi) => linesOf(api).findLast(({ msg }) => msg === 'answered') ?? {}

t.test('every answer has an id of its own, which its log line repeats', async (t) => {
  const api = await testApi(t)
  const ids = new Set<string>()
  for (const url of ['/healthz', '/cases', '/no/such/path', '/%']) {
    const { headers } = await api.ask('GET', url)
    const id = String(headers['x-request-id'])
    t.match(id, UUID, url)
    ids.add(id)
    if (url !== '/%') t.equal(answeredOf(api)['requestId'], id)
  }
  t.equal(ids.size, 4)
})

t.test('a safe id of a client is kept, any other is replaced', async (t) => {
  const api = await testApi(t)
  const requestIdFor = async (given: string) => {
    const headers = { 'x-request-id': given }
    return (await api.ask('GET', '/healthz', { headers })).headers['x-request-id']
  }
  t.equal(await requestIdFor('abcdef-0123_XYZ'), 'abcdef-0123_XYZ')
  const unsafe = [
    '',
    '123456',
    'x'.repeat(65),
    'jan.novak@example.com',
    'eyJhbGciOiJIUzI1NiJ9.e30.abc',
    'with space and more',
    '"},{"level":60',
    '€€€€€€€€',
  ]
  for (const given of unsafe) {
    t.match(await requestIdFor(given), UUID, given)
    t.match(answeredOf(api)['requestId'], UUID)
  }
})

t.test('log lines name tenant and case once they are known', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'IN_PROGRESS' })
  await api.ask('GET', `/cases/${CASE_ID.toUpperCase()}`)
  t.match(answeredOf(api), { tenant: TENANT, caseId: CASE_ID })
  await api.asParticipant(1, 'GET', 'caseDefinition')
  t.match(answeredOf(api), { tenant: TENANT, caseId: CASE_ID })
  const made = await api.ask('POST', '/cases', { body: input() })
  t.match(answeredOf(api), { tenant: TENANT, caseId: made.json().case.id })
  await api.ask('GET', `/cases/${CASE_ID}`, { token: 'forged' })
  t.equal(answeredOf(api)['tenant'], undefined, 'a forged token names no tenant')
  t.equal(answeredOf(api)['caseId'], undefined)
  await api.ask('GET', '/cases/jan.novak@example.com')
  t.equal(answeredOf(api)['caseId'], undefined, 'a path is not trusted')
})

t.test('lines between request and answer have the same ids', async (t) => {
  const api = await testApi(t)
  api.cases.get = async () => {
    throw new Error('broken')
  }
  const { headers } = await api.ask('GET', `/cases/${CASE_ID}`)
  const line = linesOf(api).find(({ msg }) => msg === 'unexpected failure')
  t.match(line, { requestId: headers['x-request-id'], tenant: TENANT, caseId: CASE_ID })
})

t.test('no token, PIN, code, address or name is logged', async (t) => {
  const api = await testApi(t)
  const { email, phone, lastName } = participant(1)
  api.seed({
    phase: 'IN_PROGRESS',
    definition: { participantAuth: 'SMS_CODE', pin: true } as never,
  })
  const tokens = [await api.tenantToken(), await api.link(1)]
  const headers = { 'service-pin': '73519264', 'service-otp-session': 'session-of-jan' }
  for (const token of tokens) {
    await api.ask('GET', `/cases/${CASE_ID}?token=${token}&email=${email}`, { token, headers })
    await api.ask('POST', '/cases', { token, body: input({ pin: '73519264' }) })
    const route = `/participant/${participant(1).id}`
    await api.ask('GET', `${route}/caseDefinition`, { token, headers })
    await api.ask('POST', `${route}/otp`, { token, headers, body: {} })
    await api.ask('POST', `${route}/otp/verify`, { token, headers, body: { code: '418273' } })
    await api.ask('GET', `/cases/${encodeURIComponent(email)}`, { token })
  }
  const log = api.log.join('')
  t.ok(api.log.length >= 12)
  const secrets = [...tokens, ...tokens.map((token) => token.slice(-20))]
  for (const secret of [...secrets, '73519264', 'session-of-jan', '418273', email, lastName]) {
    t.notOk(log.includes(secret), secret)
  }
  if (phone !== undefined) t.notOk(log.includes(phone))
  t.notMatch(log, /eyJ|@example|Bearer/i)
})
