/** Who holds no token of ours gets 401 and nothing else (specification 5.1, 5.2). */
import { Buffer } from 'node:buffer'
import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import t, { type Test } from 'tap'
import { NOW, testApi, type TestApi } from '../fixtures/api.ts'
import { CASE_ID, CASE_KEY, keyring, participant, TENANT } from '../fixtures/signature-case.ts'

const LINK = keyring.current('signing-link')
const SESSION = keyring.current('code-session')
const PERSON = participant(1).id
const CLAIMS = { tenant: TENANT, case: CASE_ID, sub: PERSON }
const HEADER = { alg: 'HS256', typ: 'sigcase-link+jwt', kid: LINK.kid }
const OTHER_CASE = '0b1c2d3e-4f50-4a6b-8c7d-8e9fa0b1c2d3'
const AN_HOUR_ON = new Date(Date.parse(NOW) + 60 * 60 * 1000)

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A compact JWS with any header, which a library would refuse to make. */
function forged(header: object, claims: object, secret: KeyObject | string = LINK.secret): string {
  const input = `${part(header)}.${part(claims)}`
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
}

async function refused(
  t: Test,
  api: TestApi,
  [name, method, url, token]: readonly [string, string, string, string],
) {
  const answer = await api.ask(method, url, { token, ...(method === 'POST' ? { body: {} } : {}) })
  t.equal(answer.statusCode, 401, name)
  t.same(Object.keys(answer.json()), ['message'], `${name}: the message alone`)
}

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const jwk = publicKey.export({ format: 'jwk' })

const FORGED: Record<string, string | Promise<string>> = {
  'no algorithm': `${part({ ...HEADER, alg: 'none' })}.${part(CLAIMS)}.`,
  'no algorithm, otherwise spelt': `${part({ ...HEADER, alg: 'nOnE' })}.${part(CLAIMS)}.`,
  'an empty signature': `${part(HEADER)}.${part(CLAIMS)}.`,
  'an empty secret': forged(HEADER, CLAIMS, ''),
  'a guessed secret': forged(HEADER, CLAIMS, 'secret'),
  'another algorithm with the right key': new SignJWT(CLAIMS)
    .setProtectedHeader({ ...HEADER, alg: 'HS512' })
    .sign(LINK.secret),
  'a key that the token brings along': new SignJWT(CLAIMS)
    .setProtectedHeader({ ...HEADER, alg: 'ES256', jwk })
    .sign(privateKey),
  'a key of another purpose': forged({ ...HEADER, kid: SESSION.kid }, CLAIMS, SESSION.secret),
  'a key of another purpose under the right name': forged(HEADER, CLAIMS, SESSION.secret),
  'no name of a key': forged({ ...HEADER, kid: undefined }, CLAIMS),
  'the name of a property': forged({ ...HEADER, kid: '__proto__' }, CLAIMS, ''),
  'a path': forged({ ...HEADER, kid: '../../../../dev/null' }, CLAIMS, ''),
  'a list of names': forged({ ...HEADER, kid: [LINK.kid] }, CLAIMS),
  'another kind of token': forged({ ...HEADER, typ: 'JWT' }, CLAIMS),
  'no kind of token': forged({ alg: 'HS256', kid: LINK.kid }, CLAIMS),
  'an extension that is not known': forged({ ...HEADER, crit: ['x'], x: 1 }, CLAIMS),
  'another participant': forged(HEADER, { ...CLAIMS, sub: participant(2).id }),
  'several participants': forged(HEADER, { ...CLAIMS, sub: [PERSON] }),
  'no participant': forged(HEADER, { ...CLAIMS, sub: undefined }),
  'no case': forged(HEADER, { ...CLAIMS, case: undefined }),
  'a case that is a thing': forged(HEADER, { ...CLAIMS, case: { caseId: CASE_ID } }),
  'no tenant': forged(HEADER, { ...CLAIMS, tenant: 7 }),
  'a token that ended': forged(HEADER, { ...CLAIMS, exp: 1 }),
  nothing: 'x',
}

t.test('a token that we did not give out opens no participant route', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'IN_PROGRESS' })
  const path = `/participant/${PERSON}`
  for (const [name, token] of Object.entries(FORGED)) {
    await refused(t, api, [name, 'GET', `${path}/caseDefinition`, await token])
    await refused(t, api, [name, 'POST', `${path}/signature`, await token])
    await refused(t, api, [name, 'GET', `${path}/signedDocument`, await token])
  }
  t.same((await api.stored())?.spec.signatures, [])
  t.same(await api.eventTypes(), [], 'nothing was recorded')
  t.equal((await api.asParticipant(1, 'GET', 'caseDefinition')).statusCode, 200)
})

t.test('a link to a participant of another case or tenant finds nothing', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'IN_PROGRESS' })
  for (const other of [{ caseId: OTHER_CASE }, { tenant: 'globex' }, { caseId: '../x' }]) {
    const token = await api.links.mint({ ...CASE_KEY, participantId: PERSON, ...other })
    const answer = await api.asParticipant(1, 'POST', 'signature', { token, body: {} })
    t.equal(answer.statusCode, 404, JSON.stringify(other))
  }
})

t.test("a tenant's token opens no participant route, nor a link a tenant's", async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'IN_PROGRESS' })
  const tenant = await api.tenantToken()
  for (const route of ['caseDefinition', 'signedDocument']) {
    await refused(t, api, [route, 'GET', `/participant/${PERSON}/${route}`, tenant])
  }
  await refused(t, api, ['signature', 'POST', `/participant/${PERSON}/signature`, tenant])
  const link = await api.link(1)
  await refused(t, api, ['create', 'POST', '/cases', link])
  await refused(t, api, ['get', 'GET', `/cases/${CASE_ID}`, link])
  await refused(t, api, ['cancel', 'DELETE', `/cases/${CASE_ID}`, link])
  await refused(t, api, ['events', 'GET', `/cases/${CASE_ID}/events`, link])
})

t.test("a tenant's token is not made from another key, issuer or time", async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'IN_PROGRESS' })
  const key = keyring.current('tenant-token')
  const header = { alg: 'HS256', typ: 'JWT', kid: key.kid }
  const exp = Math.floor(AN_HOUR_ON.getTime() / 1000)
  const claims = { tenant: TENANT, iss: 'sigcase-local', aud: 'sigcase', sub: TENANT, exp }
  const wrong: Record<string, string> = {
    'another key': forged(header, claims),
    'the key of links': forged({ ...header, kid: LINK.kid }, claims),
    'another issuer': forged(header, { ...claims, iss: 'https://evil.example' }, key.secret),
    'another audience': forged(header, { ...claims, aud: 'other' }, key.secret),
    'no end': forged(header, { ...claims, exp: undefined }, key.secret),
    'an end that passed': forged(header, { ...claims, exp: exp - 7200 }, key.secret),
    'no algorithm': `${part({ ...header, alg: 'none' })}.${part(claims)}.`,
  }
  for (const [name, token] of Object.entries(wrong)) {
    await refused(t, api, [name, 'GET', `/cases/${CASE_ID}`, token])
  }
  const right = { token: forged(header, claims, key.secret) }
  t.equal((await api.ask('GET', `/cases/${CASE_ID}`, right)).statusCode, 200)
  for (const tenant of ['../acme', 'ACME', '', 7, null]) {
    const token = forged(header, { ...claims, tenant }, key.secret)
    t.equal((await api.ask('GET', `/cases/${CASE_ID}`, { token })).statusCode, 403, `${tenant}`)
  }
})

t.test('a token counts in its header alone, and only one', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'IN_PROGRESS' })
  const token = await api.tenantToken()
  const url = `/cases/${CASE_ID}`
  const asked = (path: string, headers: Record<string, string>) =>
    api.ask('GET', path, { token: '', headers })
  for (const headers of [
    {},
    { authorization: token },
    { authorization: `Basic ${token}` },
    { authorization: `Bearer ${token} ${token}` },
    { authorization: `Bearer ${token}, Bearer x` },
    { cookie: `authorization=Bearer ${token}` },
  ]) {
    const answer = await asked(url, headers as Record<string, string>)
    t.equal(answer.statusCode, 401, JSON.stringify(Object.keys(headers)))
  }
  t.equal((await asked(`${url}?authorization=Bearer%20${token}`, {})).statusCode, 401)
  t.equal((await asked(`${url}?access_token=${token}`, {})).statusCode, 401)
})

t.test('an address that a caller claims counts from a trusted proxy alone', async (t) => {
  const claimed = { headers: { 'x-forwarded-for': '203.0.113.9, 198.51.100.7' } }
  const recordedIp = async (trustedProxies: string[]) => {
    const api = await testApi(t, { trustedProxies })
    api.seed({ phase: 'IN_PROGRESS' })
    t.equal((await api.sign(1, {}, claimed)).statusCode, 200)
    return (await api.stored())?.spec.signatures[0]?.ip
  }
  t.equal(await recordedIp([]), '127.0.0.1')
  t.equal(await recordedIp(['192.0.2.0/24']), '127.0.0.1')
  t.equal(
    await recordedIp(['127.0.0.1']),
    '198.51.100.7',
    'what the caller put before is not believed',
  )
  t.equal(await recordedIp(['127.0.0.0/8', '198.51.100.0/24']), '203.0.113.9')
})
