/** Requests that clients should not send: each is answered as the documentation says. */
import addFormats from 'ajv-formats'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import t from 'tap'
import { specFault } from '../../domain/cases/check.ts'
import { eventId } from '../../domain/cases/due-audit-events.ts'
import { PHASES } from '../../domain/cases/status.ts'
import { seeded } from '../e2e/seeded.ts'
import { A4, input, NOW, signing, testApi, type TestApi } from '../fixtures/api.ts'
import { device, DEVICE_ID, tokenOf as deviceTokenOf } from '../fixtures/device.ts'
import { callback, CASE_ID, participant, TENANT } from '../fixtures/signature-case.ts'

/** Number of generated bodies, and of addresses and headers. */
const BODIES = 1500
const ENVELOPES = 700
const SEED = 20261102

const random = seeded(SEED)
const oneOf = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T

/** These enclose text that JSON.stringify would not write while a body is a value. */
const RAW = '\u{e000}'
const raw = (text: string) => `${RAW}${text}${RAW}`
const RAW_STRING = new RegExp(`"${RAW}([^${RAW}]*)${RAW}"`, 'gu')
const toText = (value: unknown) => (JSON.stringify(value) ?? '').replace(RAW_STRING, '$1')

const NASTY: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 14_401, 1e308, -1e308, 2 ** 53, 5e-324],
  ...['', ' ', 'x', '0', 'null', 'NaN', '\u0000', '\r\nSet-Cookie: a=b', '\u202e\u2066', '🖋️', 'Ľ'],
  ...[
    'x'.repeat(101),
    'x'.repeat(256),
    '€'.repeat(70_000),
    '../../etc/passwd',
    '<script>',
    "' OR 1",
  ],
  ...['${jndi:ldap://x}', '{{7*7}}', '__proto__', 'constructor', 'data:image/png;base64,', 'M0 0'],
  ...['2026-13-45T99:99:99Z', '9999-12-31T23:59:59-23:59', '0000-01-01T00:00:00+23:59', '+275760'],
  ...['2027-06-30T23:59:60Z', '2027-01-01', '2027-01-01T00:00:00', 'a@b', '"a b"@x.sk', 'a@b.sk'],
  ...[[], {}, [[]], [null], [{}], { length: 3 }, { toString: null }, { then: 'x' }, ['f1', 'f1']],
  ...[{ constructor: { prototype: { admin: true } } }, JSON.parse('{"__proto__":{"admin":true}}')],
  ...[raw('1e999'), raw('-1e999'), raw('-0'), raw('1e-999'), raw('9'.repeat(400)), raw('NaN')],
  ...[raw('0x10'), raw('01'), raw('Infinity'), raw('undefined'), raw(''), raw('{"a":1,"a":2}')],
  ...[raw('"\\ud800"'), raw('"\\udc00x"'), raw('{"\\ud800":1}'), raw(String.raw`"\x41"`)],
  ...[raw('['.repeat(5000) + ']'.repeat(5000)), raw('{"a":'.repeat(5000) + '1' + '}'.repeat(5000))],
  ...[Array.from({ length: 60 }, () => ({})), Array.from({ length: 2000 }, () => null)],
]
const NAMES = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '',
  'a/b~c',
  'id',
  '0',
  'é',
]

type Node = Record<string, unknown>
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** Every object and list in a value, itself among them. */
function nodesOf(value: unknown): Node[] {
  return isNode(value) ? [value, ...Object.values(value).flatMap(nodesOf)] : []
}

/** Changes one member somewhere in the value: another value, none, twice, or one more. */
function breakOnce(value: Node): void {
  const node = oneOf(nodesOf(value))
  const name = oneOf([...Object.keys(node), oneOf(NAMES)])
  const next = structuredClone(oneOf([...NASTY, ...nodesOf(value)]))
  if (random() < 0.15) delete node[name]
  // An assignment to `__proto__` would not make a member.
  else
    Object.defineProperty(node, name, {
      value: next,
      enumerable: true,
      configurable: true,
      writable: true,
    })
}

/** Cuts, doubles or soils the text of a body. */
function soil(text: string): string {
  const at = Math.floor(random() * text.length)
  const dirt = oneOf(['', '\u0000', '\ufeff', ',', '"', '}', '\\u', '\ud800', '/**/', '\n'])
  return oneOf([text.slice(0, at), text.slice(0, at) + dirt + text.slice(at), text + text])
}

const field = { page: 1, x: 0.1, y: 0.1, width: 0.2, height: 0.1, unit: 'fraction' }
const person = {
  ...input().participants[0],
  phone: '+421900123456',
  gender: 'female',
  address: { country: 'SK', city: 'Nitra', street: 'Dlhá 1', zip: '949 01' },
  notify: true,
  language: 'sk',
  signatureFields: [
    { id: 'a', ...field },
    { ...field, unit: 'pt', width: 100, height: 40 },
  ],
}
const link = `/participant/${participant(1).id}`

interface Operation {
  method: string
  path: string
  /** As the documentation has it. */
  pattern: string
  bodies?: readonly (() => Node)[]
}

const later = {
  pin: '1234',
  multiFactorType: 'SMS',
  reminders: { afterDays: [1] },
  device: { deviceId: DEVICE_ID },
}
const CALLBACKS = [
  { url: 'https://acme.example/', authType: 'NONE', data: { a: [1] } },
  {
    url: 'http://acme.example:8080/a?b=c',
    authType: 'API_KEY',
    apiKeyHeader: 'X-Key',
    apiKeyValue: 'v4lue',
    signingSecret: 's'.repeat(32),
  },
  {
    url: 'https://acme.example/',
    authType: 'OAUTH_CLIENT_CREDENTIALS',
    tokenUrl: 'https://login.acme.example/token',
    tokenAuthMethod: 'post',
    clientId: 'client',
    clientSecret: 'secret',
    scope: 'hooks',
    audience: 'https://acme.example/',
  },
]
const WEBHOOK_ID = eventId(CASE_ID, 'webhook.case-failed', undefined, undefined)
const withCallback = { definition: { callback: callback() } }
const client = { timezone: 'Europe/Bratislava', screen: { width: 1, height: 2 }, language: 'sk' }
const OPERATIONS: readonly Operation[] = [
  {
    method: 'post',
    path: '/cases',
    pattern: '/cases',
    bodies: [
      () =>
        input({
          quickSign: true,
          sender: { name: 'A', replyTo: 'a@b.sk' },
          participants: [person],
        }),
      () => input({ ...later, participants: [person, person] }),
      () => input({ callback: oneOf(CALLBACKS) }),
    ],
  },
  { method: 'get', path: '/cases', pattern: '/cases' },
  {
    method: 'post',
    path: '/graphql',
    pattern: '/graphql',
    bodies: [() => ({ query: '{ cases { cases { id } } }' })],
  },
  { method: 'get', path: `/cases/${CASE_ID}`, pattern: '/cases/{caseId}' },
  { method: 'post', path: `/cases/${CASE_ID}/upload`, pattern: '/cases/{caseId}/upload' },
  {
    method: 'post',
    path: `/cases/${CASE_ID}/participants/${participant(1).id}/invitation`,
    pattern: '/cases/{caseId}/participants/{participantId}/invitation',
  },
  {
    method: 'delete',
    path: `/cases/${CASE_ID}`,
    pattern: '/cases/{caseId}',
    bodies: [() => ({ reason: 'mistake' })],
  },
  { method: 'get', path: '/pki', pattern: '/pki' },
  { method: 'post', path: '/verify/uploads', pattern: '/verify/uploads' },
  {
    method: 'post',
    path: '/verify',
    pattern: '/verify',
    bodies: [() => ({ key: CASE_ID })],
  },
  { method: 'get', path: `/cases/${CASE_ID}/events`, pattern: '/cases/{caseId}/events' },
  { method: 'get', path: `/cases/${CASE_ID}/deliveries`, pattern: '/cases/{caseId}/deliveries' },
  {
    method: 'post',
    path: `/cases/${CASE_ID}/deliveries/${WEBHOOK_ID}/redeliver`,
    pattern: '/cases/{caseId}/deliveries/{eventId}/redeliver',
    bodies: [() => ({})],
  },
  {
    method: 'get',
    path: '/tenant/webhook-events?status=dead',
    pattern: '/tenant/webhook-events',
  },
  {
    method: 'get',
    path: `${link}/caseDefinition`,
    pattern: '/participant/{participantId}/caseDefinition',
  },
  {
    method: 'get',
    path: `${link}/signedDocument`,
    pattern: '/participant/{participantId}/signedDocument',
  },
  {
    method: 'post',
    path: `${link}/signature`,
    pattern: '/participant/{participantId}/signature',
    bodies: [
      () => signing({ fieldIds: ['f1'], client: { ...client, viewedAllPages: true } }),
      () => signing({ signatures: [field, { ...field, page: 2 }], pageSize: { ...A4 }, client }),
    ],
  },
  {
    method: 'post',
    path: '/tenant/devices',
    pattern: '/tenant/devices',
    bodies: [() => ({ name: 'Reception' })],
  },
  { method: 'get', path: '/tenant/devices', pattern: '/tenant/devices' },
  {
    method: 'delete',
    path: `/tenant/devices/${DEVICE_ID}`,
    pattern: '/tenant/devices/{deviceId}',
  },
  {
    method: 'post',
    path: `/cases/${CASE_ID}/participants/${participant(2).id}/open`,
    pattern: '/cases/{caseId}/participants/{participantId}/open',
    bodies: [() => ({ deviceId: DEVICE_ID })],
  },
  {
    method: 'post',
    path: '/kiosk/pair',
    pattern: '/kiosk/pair',
    bodies: [() => ({ token: deviceTokenOf() })],
  },
  // With tokens that open nothing: a stream would not end.
  { method: 'get', path: `/devices/${DEVICE_ID}/events`, pattern: '/devices/{deviceId}/events' },
  {
    method: 'post',
    path: `${link}/otp`,
    pattern: '/participant/{participantId}/otp',
  },
  {
    method: 'post',
    path: `${link}/otp/verify`,
    pattern: '/participant/{participantId}/otp/verify',
    // A digit short: tries would run out.
    bodies: [() => ({ code: '12345' })],
  },
]

interface Documented {
  content?: Record<string, { schema: object }>
}
type Responses = Record<string, Documented | { $ref: string }>

interface Components {
  responses?: Record<string, Documented>
}

/** Describes how an answer differs from what the documentation says of the route. */
async function buildJudge({ app }: TestApi) {
  await app.ready()
  const ajv = addFormats.default(new Ajv2020({ strict: false, logger: false }))
  const { paths = {}, components } = app.swagger() as {
    paths?: Record<string, Record<string, unknown>>
    components?: Components
  }
  const compiled = new Map<object, ValidateFunction>()
  const validatorOf = (schema: object) => {
    const known = compiled.get(schema) ?? ajv.compile({ ...schema, components })
    compiled.set(schema, known)
    return known
  }
  return ({ method, pattern }: Operation, answer: Awaited<ReturnType<TestApi['ask']>>) => {
    const operation = paths[pattern]?.[method] as { responses: Responses }
    const given = operation.responses[answer.statusCode]
    const name = given && '$ref' in given ? given.$ref.split('/').at(-1) : undefined
    const documented = name === undefined ? (given as Documented) : components?.responses?.[name]
    if (!documented) return 'the status is not documented'
    if (!documented.content) return answer.body === '' ? undefined : 'a body is not documented'
    const mediaType = String(answer.headers['content-type']).split(';')[0] as string
    const schema = documented.content[mediaType]?.schema
    if (!schema) return `${mediaType} is not documented`
    const validate = validatorOf(schema)
    const body = mediaType === 'application/json' ? answer.json() : answer.body
    return validate(body) ? undefined : ajv.errorsText(validate.errors)
  }
}

/** What was written can be worked with: no request creates a case that its own schema refuses. */
async function faultOfStored({ cases }: TestApi): Promise<string | undefined> {
  const { items } = await cases.list({ limit: 10_000 })
  return items.map(({ spec }) => specFault(spec)).find((fault) => fault !== undefined)
}

const WITH_CODE = { multiFactorType: 'EMAIL' } as const

const tokenOf = (api: TestApi, { path }: Operation) =>
  path.startsWith('/participant') ? api.link(1) : api.tenantToken()
const shorten = (text: string) => (text.length > 300 ? `${text.slice(0, 300)}…` : text)

t.test('broken bodies are answered as documented, and never with 500', async (t) => {
  const api = await testApi(t)
  const judge = await buildJudge(api)
  const counts: Record<number, number> = {}
  api.seed({ phase: 'IN_PROGRESS', definition: WITH_CODE })
  await api.asParticipant(1, 'POST', 'otp')
  for (let n = 0; n < BODIES; n++) {
    const chosen = oneOf(OPERATIONS.filter(({ bodies }) => bodies))
    const value = structuredClone(oneOf(chosen.bodies ?? [])())
    for (let left = Math.floor(random() * 4); left > 0; left--) breakOnce(value)
    const text = random() < 0.1 ? soil(toText(value)) : toText(value)
    const phase = random() < 0.9 ? 'IN_PROGRESS' : oneOf(PHASES)
    const definition = chosen.path.includes('/otp')
      ? WITH_CODE
      : { ...withCallback.definition, quickSign: random() < 0.5 }
    api.seed({ phase, definition })
    api.devices.seed(device())
    const headers = { 'content-type': 'application/json' }
    const token = await tokenOf(api, chosen)
    const answer = await api.ask(chosen.method.toUpperCase(), chosen.path, {
      token,
      headers,
      body: text,
    })
    counts[answer.statusCode] = (counts[answer.statusCode] ?? 0) + 1
    // A request that is refused stores nothing; the end of the test shows that.
    const isTaken = answer.statusCode < 300
    const fault = judge(chosen, answer) ?? (isTaken ? await faultOfStored(api) : undefined)
    const summary = `${n}: ${chosen.method} ${chosen.path} ${shorten(text)} → ${answer.statusCode}`
    if (fault ?? answer.statusCode >= 500) t.fail(`${summary} ${shorten(answer.body)} ${fault}`)
  }
  t.equal(await faultOfStored(api), undefined)
  t.equal(
    Object.values(counts).reduce((sum, count) => sum + count, 0),
    BODIES,
  )
  t.ok((counts[200] ?? 0) > BODIES / 20, `enough were taken: ${counts[200]}`)
  t.ok((counts[400] ?? 0) > BODIES / 4, `most were refused: ${counts[400]}`)
})

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/
const QUERIES = [
  'status=NEW',
  'status=new&limit=1',
  'status=NEW&status=DONE',
  'limit=1',
  'limit=',
  'limit=-1',
  'limit=1e2',
  'limit=5&limit=6',
  'limit[]=1',
  'limit=%00',
  'cursor=',
  'cursor=AAAA',
  'cursor=a&cursor=b',
  `cursor=${'A'.repeat(5000)}`,
  'cursor=%ff',
  '__proto__=1',
  '__proto__[a]=1',
  'constructor=x',
  '%',
  '&&==',
  'limit=100',
  'limit=١',
]
const IDS = [
  CASE_ID,
  '..',
  '%2e%2e%2f',
  '%00',
  '__proto__',
  '%',
  '%ff',
  'a'.repeat(3000),
  '٣',
  "'",
  '00000000-0000-0000-0000-000000000000',
  `${CASE_ID}%0a`,
  CASE_ID.toUpperCase(),
  '*',
  '{}',
]
const KEYS = ['', 'k', 'k', 'a b', 'x'.repeat(256), '\u00e9', '{"a":1}', '__proto__']
const TOKENS = ['', 'x', 'a.b.c', 'eyJhbGciOiJub25lIn0.e30.', '='.repeat(5000), 'null', '\u00ff']
const TYPES = [
  '',
  'text/plain',
  'application/json; charset=utf-16',
  'application/json;',
  ';',
  '*/*',
  'application/problem+json',
  'multipart/form-data; boundary=x',
  'application/json, text/plain',
]

t.test('odd addresses, tokens and headers are answered as documented', async (t) => {
  const api = await testApi(t, { trustedProxies: ['127.0.0.1'] })
  const judge = await buildJudge(api)
  const counts: Record<number, number> = {}
  for (let n = 0; n < ENVELOPES; n++) {
    const chosen = oneOf(OPERATIONS)
    api.seed({
      phase: random() < 0.7 ? 'IN_PROGRESS' : oneOf(PHASES),
      signed: oneOf([0, 0, 1, 2]),
      definition: oneOf([{}, withCallback.definition, WITH_CODE, { pinRequired: true }]),
    })
    const own = await tokenOf(api, chosen)
    const other = oneOf([await api.tenantToken('other'), await api.link(2), own.slice(0, -2), own])
    api.devices.seed(device())
    const id = random() < 0.4 ? oneOf(IDS) : undefined
    const path = id === undefined ? chosen.path : chosen.path.replace(UUID, () => id)
    const url = random() < 0.4 ? `${path}${path.includes('?') ? '&' : '?'}${oneOf(QUERIES)}` : path
    const token = random() < 0.7 ? own : oneOf([...TOKENS, other])
    const answer = await api.ask(chosen.method.toUpperCase(), url, {
      token,
      headers: {
        'user-agent': oneOf(['', 'x'.repeat(2000), 'a\u00ff\t', '{"a":1}', TENANT]),
        'x-forwarded-for': oneOf(['', 'x', '::1', `fe80::1%${'a'.repeat(99)}`, ',,', '1.2.3.4, x']),
        ...(random() < 0.2 ? { 'idempotency-key': oneOf(KEYS) } : {}),
        ...(random() < 0.5 ? { 'service-pin': oneOf([...TOKENS, '1234', '\u00e9']) } : {}),
        ...(random() < 0.5 ? { 'service-otp-session': oneOf([...TOKENS, other]) } : {}),
        accept: oneOf(['', '*/*', 'application/json', ';q=,,', 'a'.repeat(3000)]),
        ...(chosen.bodies ? { 'content-type': oneOf([...TYPES, 'application/json']) } : {}),
      },
      ...(chosen.bodies ? { body: toText(oneOf(chosen.bodies)()) } : {}),
    })
    counts[answer.statusCode] = (counts[answer.statusCode] ?? 0) + 1
    const fault =
      (answer.statusCode === 404 && answer.body.includes('PATH_NOT_FOUND')
        ? undefined
        : judge(chosen, answer)) ?? (await faultOfStored(api))
    const summary = `${n}: ${chosen.method} ${shorten(url)} → ${answer.statusCode}`
    if (fault ?? answer.statusCode >= 500) t.fail(`${summary} ${shorten(answer.body)} ${fault}`)
  }
  for (const status of [200, 400, 401, 404, 415]) t.ok(counts[status], `some were ${status}`)
  const log = api.log.join('')
  t.ok(log.length > 0)
  t.notMatch(log, /eyJ/, 'no token is logged')
  t.notOk(log.includes((await api.tenantToken()).slice(-20)))
})

t.test('the clock of the fixtures does not advance', async (t) => {
  t.equal((await testApi(t)).timers.now().toISOString(), NOW)
})
