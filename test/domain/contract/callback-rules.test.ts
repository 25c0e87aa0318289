/** Specification 4.1 and 5.6: what a callback must hold, and that what is secret stays so. */
import t from 'tap'
import { input, testApi, type TestApi } from '../../fixtures/api.ts'
import { problemsOf as problemsOfCase } from '../../fixtures/problems.ts'

const URL_OF_ACME = 'https://acme.example/hooks'
const none = { url: URL_OF_ACME, authType: 'NONE' }
const basic = { ...none, authType: 'BASIC', clientId: 'acme', clientSecret: 'geheim' }
const apiKey = { ...none, authType: 'API_KEY', apiKeyHeader: 'X-Api-Key', apiKeyValue: 'k' }
const oauth = {
  ...basic,
  authType: 'OAUTH_CLIENT_CREDENTIALS',
  tokenUrl: 'https://id.acme.example/token',
}

const problemsOf = (api: TestApi, callback: unknown) => problemsOfCase(api, input({ callback }))

t.test('each authType requires its members', async (t) => {
  const api = await testApi(t)
  const required = (...names: string[]) => names.map((name) => `/callback required ${name}`)
  for (const [authType, names] of Object.entries({
    NONE: [],
    BASIC: ['clientId', 'clientSecret'],
    API_KEY: ['apiKeyHeader', 'apiKeyValue'],
    OAUTH_CLIENT_CREDENTIALS: ['clientId', 'clientSecret', 'tokenUrl'],
  })) {
    t.same(await problemsOf(api, { ...none, authType }), required(...names), authType)
  }
  t.same(await problemsOf(api, {}), required('authType', 'url'))
  t.same(await problemsOf(api, { url: URL_OF_ACME, authType: 'toString' }), [
    '/callback/authType enum',
  ])
})

t.test('what is whole is taken', async (t) => {
  const api = await testApi(t)
  for (const callback of [
    none,
    basic,
    apiKey,
    oauth,
    { ...none, url: 'http://acme.example:8080/a?b=c' },
    { ...oauth, tokenAuthMethod: 'post', scope: 'a b', audience: 'hooks' },
    { ...apiKey, apiKeyHeader: 'Authorization', apiKeyValue: 'Token abc' },
    { ...apiKey, apiKeyHeader: "a!#$%&'*+-.^_`|~9", apiKeyValue: 'a b\tc' },
    { ...basic, clientId: 'acme ž', clientSecret: 'a:b', signingSecret: 'x'.repeat(128), data: {} },
    { ...oauth, clientId: 'https://acme.example/app', clientSecret: 'a\tb' },
  ]) {
    t.same(await problemsOf(api, callback), [], JSON.stringify(callback))
  }
})

t.test('5.6: what BASIC cannot send is refused (RFC 7617, 2)', async (t) => {
  const api = await testApi(t)
  for (const clientId of ['acme:eu', ':', 'ac\u007fme', 'acme\n']) {
    const problems = ['/callback/clientId pattern']
    t.same(await problemsOf(api, { ...basic, clientId }), problems, JSON.stringify(clientId))
  }
  t.same(await problemsOf(api, { ...basic, clientId: ':', clientSecret: 'a\u0000' }), [
    '/callback/clientId pattern',
    '/callback/clientSecret pattern',
  ])
  t.same(await problemsOf(api, { ...basic, clientId: 7, clientSecret: undefined }), [
    '/callback required clientSecret',
    '/callback/clientId type',
  ])
})

t.test('empty optional texts count as absent', async (t) => {
  const api = await testApi(t)
  const empty = { clientId: '', clientSecret: '', scope: '', audience: '' }
  t.same(await problemsOf(api, { ...oauth, scope: '', audience: '' }), [])
  const required = ['/callback required clientId', '/callback required clientSecret']
  t.same(await problemsOf(api, { ...basic, ...empty }), required)
  t.same(await problemsOf(api, { ...none, signingSecret: '' }), [
    '/callback/signingSecret minLength',
  ])
  const body = input({ callback: { ...apiKey, ...empty } })
  const { id } = (await api.ask('POST', '/cases', { body })).json().case
  t.same(await api.secrets.get({ tenant: 'acme', caseId: id }), { apiKeyValue: 'k' })
})

t.test('addresses are http or https, of tokens https, without user and fragment', async (t) => {
  const api = await testApi(t)
  for (const [url, problems] of [
    ['ftp://acme.example/', ['/callback/url webUrl']],
    ['javascript:alert(1)', ['/callback/url webUrl']],
    ['https://u@acme.example/', ['/callback/url webUrl']],
    ['https://u:p@acme.example/', ['/callback/url webUrl']],
    ['https://acme.example/#', ['/callback/url webUrl']],
    ['ftp://u@acme.example/#a', Array(3).fill('/callback/url webUrl')],
    ['http://999.999.999.999/', ['/callback/url webUrl']],
    ['acme.example', ['/callback/url format']],
  ] as const) {
    t.same(await problemsOf(api, { ...none, url }), problems, url)
  }
  for (const tokenUrl of ['http://id.acme.example/', 'https://u:p@id.example/', 'https://x/#f']) {
    t.same(await problemsOf(api, { ...oauth, tokenUrl }), ['/callback/tokenUrl httpsUrl'], tokenUrl)
  }
})

t.test('a key goes in a header of its own', async (t) => {
  const api = await testApi(t)
  const withName = (apiKeyHeader: unknown) => problemsOf(api, { ...apiKey, apiKeyHeader })
  for (const name of ['', 'X Key', 'X:Key', 'X-Kéy', 'X\r\nHost', '"x"', 'x\u0000']) {
    t.same(await withName(name), ['/callback/apiKeyHeader pattern'], JSON.stringify(name))
  }
  for (const name of [
    ...['Host', 'CONNECTION', 'keep-alive', 'te', 'Trailer', 'Transfer-Encoding', 'Upgrade'],
    ...['Expect', 'Content-Type', 'content-length', 'Cookie', 'Date', 'Via'],
    ...['Service-Signature', 'service-x', 'webhook-id', 'Proxy-Authorization', 'User-Agent'],
    ...['X-Forwarded-For', 'Forwarded', 'Sec-Fetch-Mode', 'Accept-Encoding'],
  ]) {
    t.same(await withName(name), ['/callback/apiKeyHeader headerName'], name)
  }
  const values = ['', ' x', 'x ', 'a\r\nHost: b', 'a\u0000', 'a\u007f', 'ž', 'a\u0085b']
  for (const apiKeyValue of values) {
    t.same(
      await problemsOf(api, { ...apiKey, apiKeyValue }),
      ['/callback/apiKeyValue pattern'],
      JSON.stringify(apiKeyValue),
    )
  }
})

t.test('data is at most 16 KiB of JSON, counted in octets', async (t) => {
  const api = await testApi(t)
  const largest = { a: 'x'.repeat(16 * 1024 - '{"a":""}'.length) }
  t.same(await problemsOf(api, { ...none, data: largest }), [])
  const tooLarge = ['/callback/data maxJsonBytes']
  t.same(await problemsOf(api, { ...none, data: { a: `${largest.a}x` } }), tooLarge)
  t.same(await problemsOf(api, { ...none, data: { a: 'ž'.repeat(8200) } }), tooLarge)
  for (const data of [null, 'x', [1], 5]) {
    t.same(await problemsOf(api, { ...none, data }), ['/callback/data type'])
  }
})

t.test('data nests a hundred levels deep, and what nests without end is judged', async (t) => {
  const api = await testApi(t)
  for (const [depth, status] of [
    [100, 200],
    [101, 400],
    [5000, 400],
    [40_000, 400],
  ] as const) {
    const deep = `${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}`
    const body = JSON.stringify(input({ callback: { ...none, data: { a: 0 } } }))
    const answer = await api.ask('POST', '/cases', {
      body: body.replace('{"a":0}', `{"a":${deep}}`),
      headers: { 'content-type': 'application/json' },
    })
    t.equal(answer.statusCode, status, String(depth))
    if (status === 200) t.ok(answer.body.includes(deep), 'and is answered unchanged')
    else t.match(answer.json(), { validationErrors: [{ keyword: 'maxJsonDepth' }] })
  }
})

t.test('every problem is found at once', async (t) => {
  const api = await testApi(t)
  t.same(
    await problemsOf(api, {
      url: 'ftp://acme.example/',
      authType: 'API_KEY',
      apiKeyHeader: 'Host',
      signingSecret: 'short',
      data: { a: 'x'.repeat(20_000) },
    }),
    [
      '/callback required apiKeyValue',
      '/callback/apiKeyHeader headerName',
      '/callback/data maxJsonBytes',
      '/callback/signingSecret minLength',
      '/callback/url webUrl',
    ],
  )
})

t.test('secrets are kept apart: not in the case, not in an answer, not in the log', async (t) => {
  const api = await testApi(t)
  const secrets = {
    clientId: 'client-id-of-acme',
    clientSecret: 'client-secret-of-acme',
    apiKeyValue: 'api-key-of-acme',
    signingSecret: 'signing-secret-of-acme-0123456789',
  }
  const callback = { ...oauth, ...secrets, data: { order: 118 } }
  const created = await api.ask('POST', '/cases', { body: input({ callback }) })
  const { id } = created.json().case
  t.same(created.json().case.callback, {
    url: URL_OF_ACME,
    authType: 'OAUTH_CLIENT_CREDENTIALS',
    data: { order: 118 },
  })
  t.same(await api.secrets.get({ tenant: 'acme', caseId: id }), secrets)
  const stored = await api.cases.get({ tenant: 'acme', caseId: id })
  const objects = api.objects.under('').map((key) => api.objects.objects.get(key)?.bytes.toString())
  const shown = JSON.stringify([created.body, stored, objects, api.log])
  for (const secret of Object.values(secrets)) t.notOk(shown.includes(secret), secret)
})
