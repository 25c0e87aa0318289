/** Tokens of a real OpenID provider name tenants; all other tokens are refused. */
import { exportJWK, generateKeyPair, importJWK, SignJWT, type JWK } from 'jose'
import { Provider } from 'oidc-provider'
import t, { type Test } from 'tap'
import { OidcTenantIdentity, type TenantRule } from '../../../adapters/oidc/tenant-identity.ts'
import { IdentityTokens } from '../../../adapters/oidc/tokens.ts'
import { OidcUploadNotifiers } from '../../../adapters/oidc/upload-notifiers.ts'
import { outboundHttp } from '../../fixtures/outbound.ts'
import { httpReceiver } from '../../fixtures/receiver.ts'
import { tlsIdentity } from '../../fixtures/tls-identity.ts'

const AUDIENCE = 'https://sign.example'
const MINUTE_MS = 60_000

async function newKey(kid: string, alg = 'RS256'): Promise<JWK> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true })
  return { ...(await exportJWK(privateKey)), kid, alg, use: 'sig' }
}

const identity = await tlsIdentity(['127.0.0.1'])

/** An OpenID provider whose keys can be replaced, over TLS on loopback. */
async function provider(t: Test, keys: JWK[]) {
  const state = { requests: [] as string[], isAway: false }
  let listener: ReturnType<Provider['callback']> = () => {}
  const receiver = await httpReceiver(
    (request, response) => {
      state.requests.push(request.url ?? '')
      if (state.isAway) response.writeHead(503).end()
      else listener(request, response)
    },
    { identity, streamed: true },
  )
  t.teardown(() => receiver.close())
  const issuer = `https://127.0.0.1:${receiver.port}`
  const use = (jwks: JWK[]) => {
    const server = new Provider(issuer, {
      clients: [
        {
          client_id: 'acme-backend',
          client_secret: 'a-secret-of-acme',
          grant_types: ['client_credentials'],
          redirect_uris: [],
          response_types: [],
        },
      ],
      features: {
        clientCredentials: { enabled: true },
        devInteractions: { enabled: false },
        resourceIndicators: {
          enabled: true,
          defaultResource: () => AUDIENCE,
          getResourceServerInfo: () => ({
            scope: '',
            audience: AUDIENCE,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'RS256' } },
          }),
        },
      },
      extraTokenClaims: () => ({ org: 'acme' }),
      jwks: { keys: jwks },
      cookies: { keys: ['for tests alone'] },
    })
    listener = server.callback()
  }
  use(keys)
  return { issuer, use, state }
}

async function fromProvider(t: Test, issuer: string): Promise<string> {
  const answer = await outboundHttp(t, { certificateAuthorities: [identity.authority] }).send({
    url: `${issuer}/token`,
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa('acme-backend:a-secret-of-acme')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
    timeoutMs: 5_000,
    maximumResponseOctets: 10_000,
  })
  if (answer.outcome !== 'answered') throw new Error(answer.reason)
  return (JSON.parse(new TextDecoder().decode(answer.body)) as { access_token: string })
    .access_token
}

async function mint(
  key: JWK,
  issuer: string,
  changed: Record<string, unknown> = {},
  at = Date.now(),
) {
  const seconds = Math.floor(at / 1000)
  const claims = {
    iss: issuer,
    aud: AUDIENCE,
    sub: 's',
    org: 'acme',
    iat: seconds,
    exp: seconds + 600,
  }
  return new SignJWT({ ...claims, ...changed })
    .setProtectedHeader({ alg: key.alg as string, ...(key.kid ? { kid: key.kid } : {}) })
    .sign(await importJWK(key))
}

async function open(t: Test, rules?: (issuer: string) => TenantRule[]) {
  const key = await newKey('one')
  const server = await provider(t, [key])
  const { issuer } = server
  const clock = { ms: Date.now() }
  const tokens = new IdentityTokens({
    http: outboundHttp(t, { certificateAuthorities: [identity.authority] }),
    now: () => new Date(clock.ms),
  })
  const rule = { issuer, audience: AUDIENCE, claim: 'org' }
  const all = rules?.(issuer) ?? [
    { tenant: 'acme', ...rule, value: 'acme' },
    { tenant: 'other', ...rule, value: 'other-value' },
  ]
  const tenants = new OidcTenantIdentity({ tokens, rules: () => all })
  const outcome = async (token: string) => {
    const answer = await tenants.authenticate(token)
    return answer.outcome === 'tenant' ? answer.tenant : answer.outcome
  }
  return { ...server, key, clock, tokens, outcome }
}

const INVALID = 'invalid'

t.test('a token that the provider issued names its tenant, its keys fetched once', async (t) => {
  const { issuer, outcome, state } = await open(t)
  const token = await fromProvider(t, issuer)
  state.requests.length = 0
  const all = await Promise.all(Array.from({ length: 20 }, () => outcome(token)))
  t.ok(all.every((answer) => answer === 'acme'))
  t.same(state.requests, ['/.well-known/openid-configuration', '/jwks'])
})

t.test('issuer, audience, times and claim are all asked for', async (t) => {
  const { issuer, key, outcome } = await open(t)
  const seconds = Math.floor(Date.now() / 1000)
  const cases: [expected: string, changed: Record<string, unknown>][] = [
    ['acme', {}],
    ['acme', { aud: ['elsewhere', AUDIENCE] }],
    ['acme', { org: ['staff', 'acme'] }],
    ['other', { org: 'other-value' }],
    ['no-tenant', { org: 'unknown' }],
    ['no-tenant', { org: undefined }],
    ['no-tenant', { org: { acme: true } }],
    ['no-tenant', { org: ['acme', 'other-value'] }],
    [INVALID, { aud: 'https://elsewhere.example' }],
    [INVALID, { aud: undefined }],
    [INVALID, { iss: 'https://elsewhere.example' }],
    [INVALID, { iss: `${issuer}/` }],
    [INVALID, { exp: undefined }],
    [INVALID, { exp: seconds - 31 }],
    [INVALID, { nbf: seconds + 90 }],
  ]
  for (const [expected, changed] of cases) {
    t.equal(await outcome(await mint(key, issuer, changed)), expected, JSON.stringify(changed))
  }
})

t.test('a token that was forged in any of the known ways names no tenant', async (t) => {
  const { issuer, key, outcome } = await open(t)
  const good = await mint(key, issuer)
  const [header = '', payload = '', signature = ''] = good.split('.')
  const encode = (value: object) => btoa(JSON.stringify(value)).replace(/=+$/, '')
  const stranger = await newKey('one')
  const publicText = JSON.stringify({ kty: key.kty, n: key.n, e: key.e })
  const secret = new TextEncoder().encode(publicText)
  const claims = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as object
  const hmac = new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256', kid: 'one' })
  const inHeader = new SignJWT({ ...claims }).setProtectedHeader({
    alg: 'RS256',
    jwk: { kty: stranger.kty as string, n: stranger.n as string, e: stranger.e as string },
  })
  for (const [name, token] of Object.entries({
    none: `${encode({ alg: 'none' })}.${payload}.`,
    hmac: await hmac.sign(secret),
    jwk: await inHeader.sign(await importJWK(stranger)),
    stranger: await mint(stranger, issuer),
    payload: `${header}.${encode({ ...claims, org: 'other-value' })}.${signature}`,
    cut: good.slice(0, -8),
    text: 'no token',
    empty: '',
    long: `${good}${'A'.repeat(20_000)}`,
  })) {
    t.equal(await outcome(token), INVALID, name)
  }
})

t.test('a new key is found, at most once in thirty seconds; an old one ends', async (t) => {
  const { issuer, key, outcome, use, state, clock } = await open(t)
  t.equal(await outcome(await mint(key, issuer)), 'acme')
  const second = await newKey('two')
  use([second])
  const rotated = await mint(second, issuer)
  t.equal(await outcome(rotated), INVALID, 'within the cool-down')
  clock.ms += 31_000
  t.equal(await outcome(rotated), 'acme')
  t.equal(await outcome(await mint(key, issuer, { jti: 'new' })), INVALID, 'withdrawn')
  const before = state.requests.length
  for (let count = 0; count < 5; count++) {
    const unknown = await newKey(`unknown-${count}`, 'ES256')
    t.equal(await outcome(await mint(unknown, issuer)), INVALID)
  }
  t.equal(state.requests.length, before, 'unknown names of keys cost nothing')
})

t.test('an issuer may be unavailable for an hour, then its tokens are refused', async (t) => {
  const { issuer, key, outcome, state, clock } = await open(t)
  t.equal(await outcome(await mint(key, issuer)), 'acme')
  state.isAway = true
  clock.ms += 59 * MINUTE_MS
  t.equal(await outcome(await mint(key, issuer, {}, clock.ms)), 'acme')
  clock.ms += 2 * MINUTE_MS
  const late = await mint(key, issuer, {}, clock.ms)
  await t.rejects(outcome(late), { name: 'ServiceError', code: 'TIMEOUT' })
  state.isAway = false
  t.equal(await outcome(late), 'acme')
})

t.test('an issuer that is not the one it is asked as has no keys', async (t) => {
  const { issuer, key, outcome } = await open(t, (real) => [
    { tenant: 'acme', issuer: `${real}/`, audience: AUDIENCE, claim: 'org', value: 'acme' },
  ])
  const token = await mint(key, `${issuer}/`)
  await t.rejects(outcome(token), { code: 'TIMEOUT', cause: { name: 'IssuerError' } })
})

t.test('a push is Pub/Sub’s when audience and verified account are those configured', async (t) => {
  const { issuer, key, tokens } = await open(t)
  const serviceAccount = 'push@project.iam.gserviceaccount.com'
  const notifiers = new OidcUploadNotifiers(tokens, { issuer, audience: AUDIENCE, serviceAccount })
  const push = { email: serviceAccount, email_verified: true }
  const isNotifier = async (changed: object) =>
    notifiers.isNotifier(await mint(key, issuer, { ...push, ...changed }))
  t.ok(await isNotifier({}))
  t.notOk(await isNotifier({ email: 'other@project.iam.gserviceaccount.com' }))
  t.notOk(await isNotifier({ email_verified: false }))
  t.notOk(await isNotifier({ aud: 'https://elsewhere.example' }))
  t.notOk(await notifiers.isNotifier('no token'))
  t.notOk(await isNotifier({ email: undefined }))
  t.notOk(await isNotifier({ iss: 'https://accounts.evil.example' }))
  t.notOk(await isNotifier({ email_verified: 'true' }))
  const hourAgo = Date.now() - 60 * MINUTE_MS
  t.notOk(await notifiers.isNotifier(await mint(key, issuer, push, hourAgo)), 'expired')
  const forged = await mint(await newKey('one'), issuer, push)
  t.notOk(await notifiers.isNotifier(forged), 'by a key that only has the name of the issuer’s')
})
