/** Tokens with a genuine signature and odd claims, or with a foreign key, name no tenant. */
import { createSign, generateKeyPairSync } from 'node:crypto'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import t from 'tap'
import { OidcTenantIdentity } from '../../../adapters/oidc/tenant-identity.ts'
import { IdentityTokens } from '../../../adapters/oidc/tokens.ts'
import { outboundAnswer, ScriptedHttp } from '../../fixtures/scripted-http.ts'

const ISSUER = 'https://issuer.example'
const AUDIENCE = 'https://sign.example'
const NOW = new Date('2026-11-24T04:00:00Z')
const SECONDS = NOW.getTime() / 1000
const ours = await generateKeyPair('ES256', { extractable: true })
const stranger = await generateKeyPair('ES256', { extractable: true })
const published = { ...(await exportJWK(ours.publicKey)), kid: 'one', alg: 'ES256' }
const CLAIMS = { iss: ISSUER, aud: AUDIENCE, org: 'acme', iat: SECONDS, exp: SECONDS + 600 }

const encode = (text: string) => Buffer.from(text).toString('base64url')

/** A token with this header and payload, signed with a key. */
async function sign(payload: string, header: object = {}, { privateKey } = ours): Promise<string> {
  const head = encode(JSON.stringify({ alg: 'ES256', kid: 'one', ...header }))
  const input = `${head}.${encode(payload)}`
  const algorithm = { name: 'ECDSA', hash: 'SHA-256' }
  const value = await crypto.subtle.sign(algorithm, privateKey, Buffer.from(input))
  return `${input}.${Buffer.from(value).toString('base64url')}`
}

const withClaims = (changed: object, header: object = {}) =>
  sign(JSON.stringify({ ...CLAIMS, ...changed }), header)

function identity(key: object = published) {
  const http = new ScriptedHttp()
  const jwksUri = `${ISSUER}/keys`
  http.answers.push(outboundAnswer(200, { issuer: ISSUER, jwks_uri: jwksUri }))
  http.answers.push(outboundAnswer(200, { keys: [key] }))
  const rule = { issuer: ISSUER, audience: AUDIENCE, claim: 'org' }
  const tenants = new OidcTenantIdentity({
    tokens: new IdentityTokens({ http, now: () => NOW }),
    rules: () => [
      { ...rule, tenant: 'acme', value: 'acme' },
      { ...rule, tenant: 'globex', value: 'globex' },
    ],
  })
  return { http, tenants }
}

const jwk = await exportJWK(stranger.publicKey)
const asStranger = (header: object) => sign(JSON.stringify(CLAIMS), header, stranger)
const GOOD = await withClaims({})
const HOSTILE: Readonly<Record<string, string>> = {
  'a key in the header': await asStranger({ jwk }),
  'the address of a key': await asStranger({ jku: 'https://evil.example/keys' }),
  'the address of a certificate': await asStranger({ x5u: 'https://evil.example/a.pem' }),
  'a path as the name of a key': await asStranger({ kid: '../../dev/null' }),
  'a list as the name of a key': await asStranger({ kid: ['one'] }),
  'an unknown critical header': await withClaims({}, { crit: ['exp2'], exp2: 1 }),
  'a payload that is not encoded': await withClaims({}, { b64: false, crit: ['b64'] }),
  'another algorithm': await withClaims({}, { alg: 'RS256' }),
  'an algorithm in another case': await withClaims({}, { alg: 'es256' }),
  'an end that is text': await withClaims({ exp: `${SECONDS + 600}` }),
  'an end that is null': await withClaims({ exp: null }),
  'a start that is text': await withClaims({ nbf: '0' }),
  'another audience': await withClaims({ aud: [`${AUDIENCE}/`, 'https://other.example'] }),
  'an audience that is an object': await withClaims({ aud: { [AUDIENCE]: true } }),
  'an audience within a list': await withClaims({ aud: [[AUDIENCE]] }),
  'issuers in a list': await withClaims({ iss: [ISSUER] }),
  'another issuer behind the first': await sign(
    JSON.stringify(CLAIMS).replace('}', ',"iss":"https://evil.example"}'),
  ),
  'two tenants': await withClaims({ org: ['acme', 'globex'] }),
  'a tenant within a list': await withClaims({ org: [['acme']] }),
  'a claim of the prototype': await sign(
    JSON.stringify({ ...CLAIMS, org: undefined }).replace('}', ',"__proto__":{"org":"acme"}}'),
  ),
  'a list in place of claims': await sign(JSON.stringify([CLAIMS])),
  'no claims': await sign('null'),
  'a fourth part': `${GOOD}.AAAA`,
  'a signature twice as long': `${GOOD}${GOOD.split('.')[2]}`,
  'a payload with white space': GOOD.replace('.', '. '),
}

t.test('a plain token names its tenant', async (t) => {
  const { tenants } = identity()
  t.same(await tenants.authenticate(GOOD), { outcome: 'tenant', tenant: 'acme' })
  const ordinary = await new SignJWT({ ...CLAIMS, aud: [AUDIENCE, 'https://other.example'] })
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .sign(ours.privateKey)
  t.same(await tenants.authenticate(ordinary), { outcome: 'tenant', tenant: 'acme' })
})

for (const [what, token] of Object.entries(HOSTILE)) {
  t.test(`a token with ${what} names no tenant, and no other address is asked`, async (t) => {
    const { http, tenants } = identity()
    // Newer keys may be asked for: the issuer has the same.
    t.not((await tenants.authenticate(token)).outcome, 'tenant')
    t.ok(http.requests.every(({ url }) => url.startsWith(`${ISSUER}/`)))
  })
}

/** Keys that implementations ignore (RFC 7517, 5). */
const UNUSABLE: Readonly<Record<string, object>> = {
  'no coordinates': { kty: 'EC', crv: 'P-256' },
  'a point beside the curve': { ...published, x: published.y },
  'coordinates that are numbers': { ...published, x: 5, y: 5 },
  'unknown operations': { ...published, key_ops: ['verify', 'sing'] },
  'no curve': { ...published, crv: undefined },
}

for (const [what, key] of Object.entries(UNUSABLE)) {
  t.test(`a token of an issuer whose key has ${what} is refused`, async (t) => {
    const { tenants } = identity({ kid: 'one', ...key })
    t.same(await tenants.authenticate(GOOD), { outcome: 'invalid' })
  })
}

t.test('a token by an RSA key that is too short is refused', async (t) => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const { tenants } = identity({ ...publicKey.export({ format: 'jwk' }), kid: 'one' })
  const head = encode(JSON.stringify({ alg: 'RS256', kid: 'one' }))
  const input = `${head}.${encode(JSON.stringify(CLAIMS))}`
  const value = createSign('sha256').update(input).sign(privateKey).toString('base64url')
  t.same(await tenants.authenticate(`${input}.${value}`), { outcome: 'invalid' })
})
