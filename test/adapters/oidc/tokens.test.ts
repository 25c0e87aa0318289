/** Google's and other issuers' documented answers, through the egress guard, for OIDC and OAuth. */
import { exportJWK, generateKeyPair, SignJWT, type JWK } from 'jose'
import t, { type Test } from 'tap'
import { InProcessEphemeral } from '../../../adapters/embedded/ephemeral.ts'
import { IdentityTokens } from '../../../adapters/oidc/tokens.ts'
import { OidcUploadNotifiers } from '../../../adapters/oidc/upload-notifiers.ts'
import { GuardedHttp } from '../../../adapters/outbound-http/guarded-http.ts'
import { systemTimers } from '../../../adapters/shared/system-timers.ts'
import { AccessTokens } from '../../../workers/oauth/access-tokens.ts'
import { keyring } from '../../fixtures/signature-case.ts'
import { HTML, JSON_TYPE, PROXY_PAGE, vendor, withoutNock } from '../../fixtures/vendor.ts'

const skip = { skip: withoutNock }
const ISSUER = 'https://accounts.google.com'
const AUDIENCE = 'https://sign.example'
const ACCOUNT = 'push@project.iam.gserviceaccount.com'
const START_MS = Date.parse('2026-11-22T10:00:00.000Z')
/** The guard connects to an address that it checked, and nock sees that address. */
const ADDRESSES: Readonly<Record<string, string>> = {
  'accounts.google.com': '203.0.114.10',
  'www.googleapis.com': '203.0.114.11',
  'login.example.com': '203.0.114.12',
}
const at = (host: string) => `https://${ADDRESSES[host]}`
const DISCOVERY = {
  issuer: ISSUER,
  jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs',
  id_token_signing_alg_values_supported: ['RS256'],
}

async function newKey(kid: string) {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk: JWK = { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' }
  const sign = (claims: object = {}) =>
    new SignJWT({ email: ACCOUNT, email_verified: true, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
  return { jwk, sign, privateKey }
}

const [first, second] = await Promise.all([newKey('first'), newKey('second')])
const seconds = (ms: number) => Math.floor(ms / 1000)

function open(t: Test) {
  const outside = vendor(t)
  const clock = { ms: START_MS }
  const now = () => new Date(clock.ms)
  const resolve = async (host: string) => [ADDRESSES[host] ?? '']
  const http = new GuardedHttp({ timers: systemTimers, resolve })
  t.teardown(() => http.close())
  const tokens = new IdentityTokens({ http, now })
  const rule = { audience: AUDIENCE, serviceAccount: ACCOUNT, issuer: ISSUER }
  const notifiers = new OidcUploadNotifiers(tokens, rule)
  /** A token of a push, issued now and good for an hour unless said otherwise. */
  const push = ({ key = first, issuedMs = clock.ms, lifeMs = 3_600_000 } = {}) =>
    key
      .sign()
      .setIssuedAt(seconds(issuedMs))
      .setExpirationTime(seconds(issuedMs + lifeMs))
      .sign(key.privateKey)
  const discovery = () =>
    outside.at(at('accounts.google.com')).get('/.well-known/openid-configuration')
  const certificates = () => outside.at(at('www.googleapis.com')).get('/oauth2/v3/certs')
  /** Both documents, once. */
  const keys = (...jwks: JWK[]) => {
    discovery().reply(200, DISCOVERY, JSON_TYPE)
    certificates().reply(200, { keys: jwks }, { ...JSON_TYPE, 'cache-control': 'max-age=21600' })
  }
  return { outside, clock, http, now, notifiers, push, discovery, certificates, keys }
}

const TIMEOUT = { name: 'ServiceError', code: 'TIMEOUT' }

t.test('a push of Pub/Sub is believed by the keys of Google', skip, async (t) => {
  const { outside, notifiers, push, keys } = open(t)
  keys(first.jwk)
  t.equal(await notifiers.isNotifier(await push()), true)
  t.equal(await notifiers.isNotifier(await push()), true, 'the keys are kept')
  t.same(outside.unmatched, [])
})

t.test('an issuer that throttles is left alone for as long as it asks', skip, async (t) => {
  for (const status of [429, 503]) {
    const { outside, clock, notifiers, push, discovery, keys } = open(t)
    discovery().reply(status, 'Rate limit exceeded', { 'retry-after': '20' })
    await t.rejects(notifiers.isNotifier(await push()), TIMEOUT)
    clock.ms += 5_000
    await t.rejects(notifiers.isNotifier(await push()), {
      ...TIMEOUT,
      details: { retryAfterSeconds: 15 },
    })
    t.same(outside.unmatched, [], 'it was asked once')
    clock.ms += 15_000
    keys(first.jwk)
    t.equal(await notifiers.isNotifier(await push()), true)
    t.same(outside.unmatched, [])
  }
})

t.test('no issuer locks its tenants out for longer than half a minute', skip, async (t) => {
  const { outside, clock, notifiers, push, discovery, keys } = open(t)
  discovery().reply(503, '', { 'retry-after': '86400' })
  await t.rejects(notifiers.isNotifier(await push()), TIMEOUT)
  clock.ms += 30_000
  keys(first.jwk)
  t.equal(await notifiers.isNotifier(await push()), true)
  t.same(outside.unmatched, [])
})

t.test('pages, redirects, other documents and broken JSON are an outage', skip, async (t) => {
  const wrong: readonly [number, string, Record<string, string>][] = [
    [200, PROXY_PAGE, HTML],
    [200, '{"issuer":"https://acc', JSON_TYPE],
    [200, '[]', JSON_TYPE],
    [200, 'null', JSON_TYPE],
    [200, JSON.stringify({ ...DISCOVERY, issuer: 'https://evil.example' }), JSON_TYPE],
    [200, JSON.stringify({ ...DISCOVERY, jwks_uri: 'http://www.googleapis.com/x' }), JSON_TYPE],
    [308, '', { location: 'https://evil.example/' }],
    [409, '', {}],
    [412, '', {}],
  ]
  for (const [status, body, headers] of wrong) {
    const { outside, notifiers, push, discovery } = open(t)
    discovery().reply(status, body, headers)
    await t.rejects(notifiers.isNotifier(await push()), TIMEOUT, `${status} ${body}`)
    t.same(outside.unmatched, [], 'and no other server is asked')
  }
  for (const body of [PROXY_PAGE, '{}', '{"keys":{}}', '{"keys":[', '{"keys":[1]}']) {
    const { outside, notifiers, push, discovery, certificates } = open(t)
    discovery().reply(200, DISCOVERY, JSON_TYPE)
    certificates().reply(200, body, JSON_TYPE)
    await t.rejects(notifiers.isNotifier(await push()), TIMEOUT, body)
    t.same(outside.unmatched, [])
  }
})

t.test('known keys serve through an outage of the issuer, for an hour', skip, async (t) => {
  const { outside, clock, notifiers, push, discovery, keys } = open(t)
  keys(first.jwk)
  t.equal(await notifiers.isNotifier(await push()), true)
  clock.ms += 11 * 60_000
  discovery().reply(503, PROXY_PAGE, { ...HTML, 'retry-after': '60' })
  t.equal(await notifiers.isNotifier(await push()), true)
  clock.ms += 50 * 60_000
  discovery().reply(503, PROXY_PAGE, HTML)
  await t.rejects(notifiers.isNotifier(await push()), TIMEOUT, 'a withdrawn key ends by then')
  t.same(outside.unmatched, [])
})

t.test('a key that Google rotated is fetched, one that it withdrew ends', skip, async (t) => {
  const { outside, clock, notifiers, push, keys } = open(t)
  keys(first.jwk)
  t.equal(await notifiers.isNotifier(await push()), true)
  clock.ms += 31_000
  keys(second.jwk)
  t.equal(await notifiers.isNotifier(await push({ key: second })), true)
  t.equal(await notifiers.isNotifier(await push({ issuedMs: clock.ms - 1_000 })), false)
  t.same(outside.unmatched, [])
})

t.test('clocks may differ by half a minute', skip, async (t) => {
  const { outside, clock, notifiers, push, keys } = open(t)
  keys(first.jwk)
  const expired = (ms: number) => push({ issuedMs: clock.ms - 3_600_000 - ms })
  t.equal(await notifiers.isNotifier(await expired(20_000)), true)
  t.equal(await notifiers.isNotifier(await expired(40_000)), false)
  t.equal(await notifiers.isNotifier(await push({ issuedMs: clock.ms + 20_000 })), true)
  t.same(outside.unmatched, [])
})

t.test('token endpoints: what is retried and what fails a delivery', skip, async (t) => {
  const answers: readonly [number, string | object, Record<string, string>, string][] = [
    [429, { error: 'slow_down' }, { 'retry-after': '30' }, 'unavailable'],
    [503, PROXY_PAGE, HTML, 'unavailable'],
    [200, PROXY_PAGE, HTML, 'unavailable'],
    [200, '{"access_token":"ab', JSON_TYPE, 'unavailable'],
    [200, { token: 'x' }, JSON_TYPE, 'refused'],
    [400, { error: 'invalid_grant', error_description: 'Bad clock' }, JSON_TYPE, 'refused'],
    [401, { error: 'invalid_client' }, JSON_TYPE, 'refused'],
    [308, '', { location: 'https://evil.example/token' }, 'refused'],
    [409, '', {}, 'refused'],
    [412, '', {}, 'refused'],
    [200, { access_token: 'token', expires_in: 3600 }, JSON_TYPE, 'token'],
  ]
  for (const [status, body, headers, outcome] of answers) {
    const { outside, http, now } = open(t)
    outside.at(at('login.example.com')).post('/token').reply(status, body, headers)
    const log = { info: () => undefined, warn: () => undefined }
    const ephemeral = new InProcessEphemeral(now)
    const tokens = new AccessTokens({ outboundHttp: http, ephemeral, keyring, now, log })
    const result = await tokens.get({
      tenant: 'acme',
      tokenUrl: 'https://login.example.com/token',
      clientId: 'id',
      clientSecret: 'opensesame',
      tokenAuthMethod: 'basic',
    })
    t.equal(result.outcome, outcome, `${status} ${JSON.stringify(body)}`)
    t.notMatch(JSON.stringify(result), 'opensesame')
    t.same(outside.unmatched, [])
  }
})
