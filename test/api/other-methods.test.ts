import t from 'tap'
import { testApi } from '../fixtures/api.ts'
import { CASE_ID, participant } from '../fixtures/signature-case.ts'

const SIGNER = participant(1).id
const PATHS = {
  '/cases': 'GET, HEAD, POST',
  [`/cases/${CASE_ID}`]: 'DELETE, GET, HEAD',
  '/cases/nothing': 'DELETE, GET, HEAD',
  [`/cases/${CASE_ID}/events`]: 'GET, HEAD',
  [`/participant/${SIGNER}/signature`]: 'POST',
  [`/devices/${CASE_ID}/events`]: 'GET',
  '/graphql': 'GET, HEAD, POST',
  '/verify': 'POST',
  '/healthz': 'GET, HEAD',
}

t.test('a path that does not take a method says which ones it takes', async (t) => {
  const api = await testApi(t)
  const token = await api.tenantToken()
  for (const [url, allow] of Object.entries(PATHS)) {
    const methods = allow.split(', ')
    for (const method of api.app.supportedMethods.filter((other) => !methods.includes(other))) {
      const answer = await api.ask(method, url, { token })
      t.equal(answer.statusCode, 405, `${method} ${url}`)
      t.equal(answer.headers.allow, allow, `${method} ${url}`)
      t.equal(answer.headers['cache-control'], 'no-store')
      if (method === 'HEAD') continue
      t.match(answer.json(), { code: 'METHOD_NOT_ALLOWED', message: /\w+/ })
    }
  }
})

t.test('every caller gets the same answer, whatever they send', async (t) => {
  const api = await testApi(t)
  const headers = { 'content-type': 'text/plain' }
  for (const body of ['', 'x', 'x'.repeat(1_000_000)]) {
    const answer = await api.ask('PUT', '/cases', { token: '', headers, body })
    t.equal(answer.statusCode, 405)
    t.equal(answer.headers.allow, 'GET, HEAD, POST')
  }
})

t.test('a path that leads nowhere is not found by any method', async (t) => {
  const api = await testApi(t)
  const token = await api.tenantToken()
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']) {
    for (const url of ['/nothing', '/cases/', '/CASES', `/cases/${CASE_ID}/nothing`]) {
      const { statusCode, headers, body } = await api.ask(method, url, { token })
      t.equal(statusCode, 404, `${method} ${url}`)
      t.equal(headers.allow, undefined)
      const isText = String(headers['content-type']).startsWith('text/plain')
      if (method !== 'HEAD') t.match(body, isText ? 'Case not found' : '"code":"PATH_NOT_FOUND"')
    }
  }
})

t.test('where nothing is, no body is read', async (t) => {
  const api = await testApi(t)
  for (const [type, body] of [
    ['text/plain', 'x'],
    ['application/json', '{'],
    ['application/json', `"${'x'.repeat(200_000)}"`],
  ] as const) {
    for (const url of ['/nothing', '/cases/%', `/cases/${CASE_ID}/nothing`]) {
      const answer = await api.ask('POST', url, { headers: { 'content-type': type }, body })
      t.match([answer.statusCode, answer.json()], [404, { code: 'PATH_NOT_FOUND' }], url)
      t.ok(answer.headers['x-request-id'])
      t.equal(answer.headers['cache-control'], 'no-store')
    }
  }
})

t.test('routes of other methods are not documented', async (t) => {
  const { app } = await testApi(t)
  await app.ready()
  const { paths = {} } = app.swagger()
  t.strictSame(Object.keys(paths['/verify'] ?? {}), ['post'])
})
