import { Buffer } from 'node:buffer'
import t from 'tap'
import { InProcessEphemeral } from '../../../adapters/embedded/ephemeral.ts'
import type { OutboundResult } from '../../../domain/ports/outbound-http.ts'
import type { ClientCredentials } from '../../../workers/oauth/client-credentials.ts'
import { AccessTokens } from '../../../workers/oauth/access-tokens.ts'
import { FrozenTimers, settle } from '../../fixtures/frozen-timers.ts'
import { MemoryEphemeral } from '../../fixtures/memory-ephemeral.ts'
import { outboundAnswer, ScriptedHttp } from '../../fixtures/scripted-http.ts'
import { keyring } from '../../fixtures/signature-case.ts'

const START = '2026-11-02T09:00:00.000Z'
const SECRET = 'šéf:tajné +heslo'

const credentials: ClientCredentials = {
  tenant: 'acme',
  tokenUrl: 'https://login.example/token?realm=a',
  clientId: 'hooks@acme',
  clientSecret: SECRET,
  tokenAuthMethod: 'basic',
}

const granted = (token: unknown, more: object = {}) =>
  outboundAnswer(200, { access_token: token, token_type: 'Bearer', ...more })

function setUp() {
  const timers = new FrozenTimers(START)
  const outboundHttp = new ScriptedHttp()
  const warnings: object[] = []
  const log = { info: () => {}, warn: (details: object) => void warnings.push(details) }
  const ephemeral = new InProcessEphemeral(timers.now)
  const deps = { outboundHttp, ephemeral, keyring, now: timers.now, log }
  const at = (seconds: number) => timers.moveTo(Date.parse(START) + seconds * 1000)
  return { deps, outboundHttp, warnings, ephemeral, at, tokens: new AccessTokens(deps) }
}

const token = (accessToken: string) => ({ outcome: 'token', accessToken })

t.test('the request of either method, as the standard has it', async (t) => {
  const { tokens, outboundHttp } = setUp()
  outboundHttp.answers.push(granted('a'), granted('b'))
  await tokens.get({ ...credentials, scope: 'write read', audience: 'https://api.example/' })
  await tokens.get({ ...credentials, tokenAuthMethod: 'post' })
  const [basic, post] = outboundHttp.requests
  t.match(basic, { url: credentials.tokenUrl, method: 'POST', timeoutMs: 10_000 })
  t.equal(basic?.headers['Content-Type'], 'application/x-www-form-urlencoded')
  const encoded = basic?.headers.Authorization?.replace('Basic ', '') ?? ''
  t.equal(
    Buffer.from(encoded, 'base64').toString(),
    'hooks%40acme:%C5%A1%C3%A9f%3Atajn%C3%A9+%2Bheslo',
  )
  const audience = encodeURIComponent('https://api.example/')
  t.equal(basic?.body, `grant_type=client_credentials&scope=write+read&audience=${audience}`)
  t.equal(post?.headers.Authorization, undefined)
  t.equal(
    post?.body,
    'grant_type=client_credentials&client_id=hooks%40acme' +
      '&client_secret=%C5%A1%C3%A9f%3Atajn%C3%A9+%2Bheslo',
  )
})

t.test('credentials go to https alone', async (t) => {
  const { tokens, outboundHttp } = setUp()
  for (const tokenUrl of ['http://login.example/token', 'ftp://login.example/', 'login', '']) {
    t.match(await tokens.get({ ...credentials, tokenUrl }), { outcome: 'refused' }, tokenUrl)
  }
  t.equal(outboundHttp.requests.length, 0)
})

t.test('a token is kept until 60 s before it expires', async (t) => {
  for (const [more, untilSeconds] of [
    [{}, 3_540],
    [{ expires_in: null }, 3_540],
    [{ expires_in: 600 }, 540],
    [{ expires_in: '600' }, 540],
    [{ expires_in: 1e300 }, 24 * 3_600],
  ] as const) {
    const { tokens, outboundHttp, at } = setUp()
    outboundHttp.answers.push(granted('first', more), granted('second', more))
    t.same(await tokens.get(credentials), token('first'))
    await at(untilSeconds - 1)
    t.same(await tokens.get(credentials), token('first'), JSON.stringify(more))
    await at(untilSeconds)
    t.same(await tokens.get(credentials), token('second'), JSON.stringify(more))
  }
})

t.test('the time that the exchange took is not given to the token', async (t) => {
  const { tokens, outboundHttp, at } = setUp()
  outboundHttp.answers.push(async () => {
    await at(8)
    return granted('first', { expires_in: 100 })
  }, granted('second'))
  await tokens.get(credentials)
  await at(39)
  t.same(await tokens.get(credentials), token('first'))
  await at(40)
  t.same(await tokens.get(credentials), token('second'))
})

t.test('a token that lives a minute or less, or who knows how long, is used once', async (t) => {
  for (const expires_in of [60, 1, 0, -5, 'soon', '1e9', true, [], {}]) {
    const { tokens, outboundHttp, ephemeral } = setUp()
    ephemeral.set = async () => t.fail(`${expires_in}: a token without a life is not stored`)
    const lasting = granted('second', { expires_in: 1 })
    outboundHttp.answers.push(granted('first', { expires_in }), lasting)
    t.same(await tokens.get(credentials), token('first'))
    t.same(await tokens.get(credentials), token('second'), String(expires_in))
  }
})

t.test('workers share a token; one who asks for anything else gets another', async (t) => {
  const { deps, tokens, outboundHttp } = setUp()
  outboundHttp.answers.push(granted('shared'))
  await tokens.get(credentials)
  t.same(await new AccessTokens(deps).get({ ...credentials }), token('shared'))
  const others: ClientCredentials[] = [
    { ...credentials, tenant: 'other' },
    { ...credentials, tokenUrl: 'https://login.example/token' },
    { ...credentials, clientId: 'hooks' },
    { ...credentials, clientSecret: 'x' },
    { ...credentials, tokenAuthMethod: 'post' },
    { ...credentials, scope: 'a' },
    { ...credentials, audience: 'a' },
  ]
  for (const [index, other] of others.entries()) {
    outboundHttp.answers.push(granted(`other-${index}`))
    t.same(await tokens.get(other), token(`other-${index}`))
  }
})

t.test(
  'what is kept shows neither the token nor the secret, and only fits its place',
  async (t) => {
    const { deps, outboundHttp, warnings } = setUp()
    const ephemeral = new MemoryEphemeral()
    const tokens = new AccessTokens({ ...deps, ephemeral })
    outboundHttp.answers.push(granted('token-of-acme'), granted('token-of-other'), granted('new'))
    const other = { ...credentials, tenant: 'other' }
    await tokens.get(credentials)
    await tokens.get(other)
    const kept = [...ephemeral.values]
    t.equal(kept.length, 2)
    for (const text of kept.flat()) {
      const octets = Buffer.from(text, 'base64url').toString('latin1')
      for (const secret of ['token-of', SECRET, 'hooks@acme', 'login.example']) {
        t.notOk(text.includes(secret) || octets.includes(secret))
      }
    }
    const [[key = '', own = ''] = [], [, foreign = ''] = []] = kept
    const [digest = ''] = own.split('.')
    ephemeral.values.set(key, `${digest}.${foreign.split('.')[1]}`)
    t.same(await tokens.get(credentials), token('new'), 'a value of another place is not read')
    t.equal(warnings.length, 1)
  },
)

t.test('a tenant with thousands of credentials fills a bounded number of places', async (t) => {
  const { deps, outboundHttp, warnings } = setUp()
  const ephemeral = new MemoryEphemeral()
  const tokens = new AccessTokens({ ...deps, ephemeral })
  const clients = Array.from({ length: 3_000 }, (_, client) => `client-${client}`)
  /** @returns the clients that did not get their own token */
  const findWrong = async () => {
    const wrong: string[] = []
    for (const clientId of clients) {
      outboundHttp.answers.splice(0, 1, granted(clientId))
      const result = await tokens.get({ ...credentials, clientId })
      const isOwn = 'accessToken' in result && result.accessToken === clientId
      if (!isOwn) wrong.push(clientId)
    }
    return wrong
  }
  t.same(await findWrong(), [])
  t.ok(ephemeral.values.size <= 1_024, `${ephemeral.values.size} places`)
  t.same(await findWrong(), [], 'who finds the token of others gets another')
  t.ok(outboundHttp.requests.length < 2 * clients.length, 'some are found again')
  t.equal(warnings.length, 0, 'to share a place is not a fault')
})

t.test('a value that was damaged, and a store that is down, cost one more exchange', async (t) => {
  for (const value of ['', 'x', 'A'.repeat(80)]) {
    const { deps, outboundHttp } = setUp()
    const ephemeral = new MemoryEphemeral()
    const tokens = new AccessTokens({ ...deps, ephemeral })
    outboundHttp.answers.push(granted('first'), granted('second'))
    await tokens.get(credentials)
    for (const name of ephemeral.values.keys()) ephemeral.values.set(name, value)
    t.same(await tokens.get(credentials), token('second'))
  }
  const { deps, outboundHttp, warnings } = setUp()
  const ephemeral = new MemoryEphemeral()
  const down = async () => Promise.reject(new Error('down'))
  Object.assign(ephemeral, { get: down, set: down, delete: down })
  outboundHttp.answers.push(granted('first'))
  t.same(await new AccessTokens({ ...deps, ephemeral }).get(credentials), token('first'))
  t.equal(warnings.length, 2)
})

t.test('fifty who want a token at once wait for one exchange', async (t) => {
  const { tokens, outboundHttp } = setUp()
  let answer: (result: OutboundResult) => void = () => {}
  outboundHttp.answers.push(() => new Promise((resolve) => (answer = resolve)))
  const wanting = Array.from({ length: 50 }, () => tokens.get(credentials))
  await settle()
  t.equal(outboundHttp.requests.length, 1)
  answer(granted('one'))
  for (const result of await Promise.all(wanting)) t.same(result, token('one'))
})

t.test('a failure is returned to those who waited for it, and not kept', async (t) => {
  const { tokens, outboundHttp } = setUp()
  outboundHttp.answers.push(outboundAnswer(503), granted('later'))
  const both = await Promise.all([tokens.get(credentials), tokens.get(credentials)])
  for (const result of both) t.match(result, { outcome: 'unavailable' })
  t.same(await tokens.get(credentials), token('later'))
})

t.test('a token that the receiver rejects is renewed once for all who met the 401', async (t) => {
  const { tokens, outboundHttp } = setUp()
  outboundHttp.answers.push(granted('old'), granted('new'))
  await tokens.get(credentials)
  const renewing = Array.from({ length: 20 }, () => tokens.get(credentials, 'old'))
  for (const result of await Promise.all(renewing)) t.same(result, token('new'))
  t.same(await tokens.get(credentials, 'old'), token('new'), 'who met it late has the new one too')
  t.same(await tokens.get(credentials), token('new'))
  t.equal(outboundHttp.requests.length, 2)
})

t.test('a rejected token is forgotten though no new one is to be had or kept', async (t) => {
  for (const second of [outboundAnswer(500), granted('short', { expires_in: 30 })]) {
    const { tokens, outboundHttp } = setUp()
    outboundHttp.answers.push(granted('old'), second, granted('new'))
    await tokens.get(credentials)
    await tokens.get(credentials, 'old')
    t.same(await tokens.get(credentials), token('new'))
  }
})

t.test('an endpoint that is down can be asked again, one that refuses cannot', async (t) => {
  const unavailable: [OutboundResult, string][] = [
    ...[408, 429, 500, 502, 503, 504, 599].map((status): [OutboundResult, string] => [
      outboundAnswer(status, { error: 'invalid_client' }),
      `status ${status}`,
    ]),
    // Not a word of the token endpoint: a proxy answered, or the answer was cut.
    ...['', 'not json', '<html>', '\u0000', 'null', '[]', '"token"', '{"access_token":"a"'].map(
      (body): [OutboundResult, string] => [
        outboundAnswer(200, body),
        'the answer is not a JSON object',
      ],
    ),
    [{ outcome: 'no-answer', reason: 'timeout', durationMs: 1 }, 'timeout'],
    [{ outcome: 'no-answer', reason: 'connection-failed', durationMs: 1 }, 'connection-failed'],
  ]
  const refused: [OutboundResult, string][] = [
    [outboundAnswer(401, { error: 'invalid_client' }), 'status 401 invalid_client'],
    [outboundAnswer(400, { error: SECRET }), 'status 400'],
    [outboundAnswer(400, 'null'), 'status 400'],
    [outboundAnswer(403, '<html>'), 'status 403'],
    [outboundAnswer(302), 'status 302'],
    [outboundAnswer(304), 'status 304'],
    [outboundAnswer(404), 'status 404'],
    [{ outcome: 'refused', reason: 'address-forbidden', durationMs: 1 }, 'address-forbidden'],
  ]
  for (const [outcome, cases] of Object.entries({ unavailable, refused })) {
    for (const [answer, text] of cases) {
      const { tokens, outboundHttp } = setUp()
      outboundHttp.answers.push(answer)
      const error = `token endpoint: ${text}`
      t.same(await tokens.get(credentials), { outcome, error }, text)
    }
  }
})

t.test('an answer without a bearer token that fits a header is a refusal', async (t) => {
  const bad: unknown[] = [
    {},
    { access_token: '' },
    { access_token: 5 },
    { access_token: null },
    { access_token: 'a b' },
    { access_token: 'a\r\nX-Other: b' },
    { access_token: 'ž' },
    { access_token: 'a'.repeat(16 * 1024 + 1) },
    { access_token: 'a', token_type: 'mac' },
    { access_token: 'a', token_type: '' },
    { access_token: 'a', token_type: 5 },
    { access_token: 'a', token_type: ['Bearer'] },
  ]
  for (const body of bad) {
    const { tokens, outboundHttp } = setUp()
    outboundHttp.answers.push(outboundAnswer(200, body))
    t.match(
      await tokens.get(credentials),
      { outcome: 'refused' },
      JSON.stringify(body).slice(0, 60),
    )
  }
  for (const token_type of ['Bearer', 'bearer', 'BEARER', null, undefined]) {
    const { tokens, outboundHttp } = setUp()
    outboundHttp.answers.push(outboundAnswer(200, { access_token: 'a.b-c_d~e+f/g=', token_type }))
    t.same(await tokens.get(credentials), token('a.b-c_d~e+f/g='))
  }
})
