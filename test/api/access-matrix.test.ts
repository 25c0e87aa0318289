/**
 * Every route of the OpenAPI document with every credential that does not open it: never a success,
 * never a failure of the service, and never a word about whether the thing exists.
 */
import { generateKeyPairSync } from 'node:crypto'
import { SignJWT } from 'jose'
import t from 'tap'
import { mintTenantToken } from '../../adapters/jose/local-identity.ts'
import { eventId } from '../../domain/cases/due-audit-events.ts'
import { uuidV5 } from '../../domain/ids.ts'
import { NOW, testApi, type TestApi } from '../fixtures/api.ts'
import { device, DEVICE_ID, tokenOf } from '../fixtures/device.ts'
import {
  callback,
  CASE_ID,
  CASE_KEY,
  keyring,
  participant,
  signatureCase,
  TENANT,
} from '../fixtures/signature-case.ts'

const STRANGER = 'globex'
const OTHER_CASE = '0b1c2d3e-4f50-4a6b-8c7d-8e9fa0b1c2d3'
const NOTHING = '9a1c2d3e-4f50-4a6b-8c7d-8e9fa0b1c2d3'
const OTHER_DEVICE = uuidV5(OTHER_CASE, 'device', '1')
const STRANGERS_PERSON = participant(1, { id: uuidV5(OTHER_CASE, 'participant', '1') })
const A_MONTH_AGO = new Date(Date.parse(NOW) - 32 * 24 * 60 * 60 * 1000)

const EXISTING: Readonly<Record<string, string>> = {
  caseId: CASE_ID,
  participantId: participant(1).id,
  deviceId: DEVICE_ID,
  eventId: eventId(CASE_ID, 'webhook.case-failed', undefined, undefined),
}
/** With ids in the body, too: a stranger's token is not to learn by them either. */
const BODIES: Readonly<Record<string, (deviceId: string) => object>> = {
  '/cases/{caseId}/participants/{participantId}/open': (deviceId) => ({ deviceId }),
  '/cases/{caseId}/deliveries/{eventId}/redeliver': () => ({}),
  '/tenant/devices/{deviceId}/pairingCode': (deviceId) => ({
    token: tokenOf({ tenant: TENANT, deviceId }),
  }),
  '/participant/{participantId}/otp/verify': () => ({ code: '123456' }),
  '/cases': () => ({}),
  '/graphql': () => ({ query: '{ cases { cases { id } } }' }),
  '/graphql/stream': () => ({ query: 'subscription { caseChanged { id } }' }),
}

interface Route {
  method: string
  path: string
  /** Names of its security schemes; empty for a public route. */
  opensFor: readonly string[]
}

/** The routes of the document, HEAD beside each GET, and what it leaves out. */
function routesOf({ app }: TestApi): Route[] {
  const { paths = {} } = app.swagger() as {
    paths?: Record<string, Record<string, { security?: Record<string, string[]>[] }>>
  }
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([name, { security = [] }]) => {
      const route = { path, opensFor: security.flatMap((one) => Object.keys(one)) }
      const method = name.toUpperCase()
      const methods = method === 'GET' && !path.endsWith('/events') ? ['GET', 'HEAD'] : [method]
      return methods.map((one) => ({ ...route, method: one }))
    }),
  )
  return [...documented, { method: 'POST', path: '/graphql/stream', opensFor: ['tenant'] }]
}

interface Credential {
  headers: Record<string, string>
  /** The security scheme whose routes it opens, unless they name another thing. */
  isOf?: string
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

async function credentials(api: TestApi): Promise<Record<string, Credential>> {
  const person = { participantId: participant(1).id }
  const link = await api.link(1)
  const session = await api.deps.codeSessions.mint({ ...CASE_KEY, ...person }, new Date(NOW))
  const tenant = await api.tenantToken()
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const asymmetric = await new SignJWT({ tenant: TENANT, iss: 'sigcase-local', aud: 'sigcase' })
    .setProtectedHeader({ alg: 'RS256', kid: keyring.current('tenant-token').kid })
    .setExpirationTime('1h')
    .sign(privateKey)
  const [head, payload] = tenant.split('.') as [string, string]
  const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
  const expired = await mintTenantToken(keyring, TENANT, A_MONTH_AGO)
  const foreignLink = await api.links.mint({
    tenant: STRANGER,
    caseId: OTHER_CASE,
    participantId: STRANGERS_PERSON.id,
  })
  const foreignKiosk = tokenOf({ tenant: STRANGER, deviceId: OTHER_DEVICE })
  const coSigner = await api.link(2)
  return {
    nothing: { headers: {} },
    'another scheme': { headers: { authorization: `Basic ${btoa('acme:acme')}` } },
    'an expired token of the tenant': { headers: bearer(expired) },
    'a token without algorithm': { headers: bearer(`${none}.${payload}.`) },
    'a token without signature': { headers: bearer(`${head}.${payload}.`) },
    'a token by another kind of key': { headers: bearer(asymmetric) },
    'the session of a code': { headers: bearer(session) },
    'the session of a code beside nothing': { headers: { 'service-otp-session': session } },
    'a token in a cookie': { headers: { cookie: `authorization=${tenant}; token=${tenant}` } },
    'a kiosk that is not registered': {
      headers: bearer(tokenOf({ tenant: TENANT, deviceId: NOTHING })),
    },
    "another tenant's token": {
      headers: bearer(await api.tenantToken(STRANGER)),
      isOf: 'tenant',
    },
    'a co-signer': { headers: bearer(coSigner), isOf: 'signingLink' },
    'a participant of another tenant': { headers: bearer(foreignLink), isOf: 'signingLink' },
    'the participant, elsewhere': { headers: bearer(link) },
    'the kiosk, elsewhere': { headers: bearer(tokenOf()) },
    'the tenant, elsewhere': { headers: bearer(tenant) },
    "another tenant's kiosk": { headers: bearer(foreignKiosk), isOf: 'device' },
    "another tenant's kiosk by cookie": {
      headers: { cookie: `__Host-sigcase-kiosk=${foreignKiosk}` },
      isOf: 'device',
    },
  }
}

/** Which routes a credential opens for their rightful holder. */
const OWN: Readonly<Record<string, string>> = {
  'the participant, elsewhere': 'signingLink',
  'the kiosk, elsewhere': 'device',
  'the tenant, elsewhere': 'tenant',
}

async function world(t: Parameters<typeof testApi>[0]): Promise<TestApi> {
  const api = await testApi(t)
  await api.app.ready()
  const definition = { callback: callback(), quickSign: true }
  api.seed({ phase: 'IN_PROGRESS', definition })
  const other = signatureCase({ phase: 'IN_PROGRESS', participants: [STRANGERS_PERSON] })
  Object.assign(other.metadata, { name: OTHER_CASE, namespace: STRANGER })
  api.cases.seed(other)
  api.devices.seed(device())
  api.devices.seed(device({ tenant: STRANGER, deviceId: OTHER_DEVICE }))
  return api
}

/** What the caller can see, without what differs between any two requests. */
async function answerOf(
  api: TestApi,
  { method, path }: Route,
  idOf: (name: string) => string,
  headers: Record<string, string>,
) {
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => idOf(name))
  const body = ['GET', 'HEAD'].includes(method) ? undefined : BODIES[path]?.(idOf('deviceId'))
  const answer = await api.ask(method, url, { token: '', headers, ...(body ? { body } : {}) })
  const { date: _, 'x-request-id': __, ...kept } = answer.headers
  return { status: answer.statusCode, text: answer.body, headers: kept }
}

const state = async (api: TestApi) =>
  JSON.stringify([
    await api.cases.list({ limit: 100 }),
    await api.eventTypes(),
    api.mailer.sent.length,
    await api.devices.list(TENANT, { limit: 100 }),
  ])

t.test('no credential opens what it is not for, nor says what exists', async (t) => {
  const api = await world(t)
  const before = await state(api)
  const routes = routesOf(api).filter(({ opensFor }) => opensFor.length > 0)
  const given = await credentials(api)
  let tries = 0
  for (const route of routes) {
    for (const [name, { headers, isOf }] of Object.entries(given)) {
      if (route.opensFor.includes(OWN[name] ?? '')) continue
      const isListing = !route.path.includes('{')
      if (isOf !== undefined && route.opensFor.includes(isOf) && isListing) continue
      const what = `${route.method} ${route.path} with ${name}`
      const found = await answerOf(api, route, (id) => EXISTING[id] ?? '', headers)
      const missing = await answerOf(api, route, () => NOTHING, headers)
      tries += 2
      // A stranger's own kind of token is good: it finds nothing. Any other is refused.
      const expected = isOf === 'tenant' && route.opensFor.includes('tenant') ? 404 : 401
      if (found.status !== expected) t.fail(`${what}: ${found.status} ${found.text}`)
      t.same(missing, found, what)
    }
  }
  t.ok(tries > 800, `${tries} tries`)
  t.equal(await state(api), before, 'nothing was changed, sent or recorded')
})

t.test("listings and GraphQL show the token's tenant alone", async (t) => {
  const api = await world(t)
  const theirs = await api.tenantToken(STRANGER)
  const OURS = [CASE_ID, DEVICE_ID, participant(1).id, 'Nováková', TENANT]
  const own = await api.ask('GET', '/cases?limit=1')
  t.match(own.body, CASE_ID)
  const asked = [
    ...['/cases', '/tenant/devices', '/tenant/webhook-events?status=dead'].map((url) =>
      api.ask('GET', url, { token: theirs }),
    ),
    ...[
      `{ case(id: "${CASE_ID}") { id title participants { id } } }`,
      `{ a: case(id: "${CASE_ID}") { id } b: case(id: "${NOTHING}") { id } }`,
      '{ cases { cases { id title } } }',
    ].map((query) => api.ask('POST', '/graphql', { token: theirs, body: { query } })),
  ]
  for (const { statusCode, body } of await Promise.all(asked)) {
    t.equal(statusCode, 200, body)
    const seen = OURS.filter((text) => body.replaceAll(/"path":\[.*?\]/g, '').includes(text))
    t.same(seen, [], body)
  }
})
