/** Specification 7: 503 TIMEOUT when a request runs out of time, 500 when something unexpected
 * fails; on every route, and without the reason. */
import t, { type Test } from 'tap'
import type { ApiDeps } from '../../api/deps.ts'
import { eventId } from '../../domain/cases/due-audit-events.ts'
import { input, signing, testApi, type TestApi } from '../fixtures/api.ts'
import { DEVICE_ID, tokenOf } from '../fixtures/device.ts'
import { CASE_ID, participant } from '../fixtures/signature-case.ts'

const BUDGET_MS = 150
const SECRET = 'password=hunter2 at /var/lib/cases.sqlite'

const never = () => new Promise<never>(() => {})
const fail = () => Promise.reject(new Error(SECRET))

/** A port of which every call ends the same way. */
const broken = <T extends object>(call: () => Promise<never>) =>
  new Proxy({} as T, { get: (_target, name) => (name === 'then' ? undefined : call) })

const STORES = ['cases', 'devices', 'secrets', 'objects'] as const
const brokenStores = (call: () => Promise<never>) =>
  Object.fromEntries(STORES.map((name) => [name, broken(call)])) as Partial<ApiDeps>

interface Route {
  method: string
  pattern: string
  documented: string[]
}

/** Every route that is documented. */
async function listRoutes({ app }: TestApi): Promise<Route[]> {
  await app.ready()
  const { paths = {} } = app.swagger() as {
    paths?: Record<string, Record<string, { responses: object }>>
  }
  return Object.entries(paths).flatMap(([pattern, operations]) =>
    Object.entries(operations).map(([method, { responses }]) => ({
      method: method.toUpperCase(),
      pattern,
      documented: Object.keys(responses),
    })),
  )
}

/** Bodies that routes take; others need none. */
const BODIES: Readonly<Record<string, unknown>> = {
  'POST /cases': { ...input(), callback: undefined },
  'POST /participant/{participantId}/signature': signing(),
  'POST /tenant/devices': { name: 'Reception' },
  'POST /tenant/devices/{deviceId}/pairingCode': { token: tokenOf() },
  'POST /kiosk/pair': { token: tokenOf() },
  'POST /verify': { key: CASE_ID },
  'POST /graphql': { query: '{ cases { cases { id } } }' },
}
/** Routes that ask nothing without it. */
const QUERIES: Readonly<Record<string, string>> = {
  '/tenant/webhook-events': '?status=dead',
}
const IDS: Readonly<Record<string, string>> = {
  caseId: CASE_ID,
  participantId: participant(1).id,
  deviceId: DEVICE_ID,
  eventId: eventId(CASE_ID, 'webhook.case-completed', undefined, undefined),
}
/** It reports that the process lives, without a request to another service. */
const ASKS_NOBODY = ['/healthz']

async function tokenFor(pattern: string, api: TestApi): Promise<string> {
  if (pattern.startsWith('/participant/')) return api.link(1)
  return pattern.startsWith('/devices/') ? tokenOf() : api.tenantToken()
}

async function ask(api: TestApi, { method, pattern }: Route) {
  const path = pattern.replace(/\{(\w+)\}/g, (_whole, name: string) => IDS[name] ?? name)
  const url = `${path}${QUERIES[pattern] ?? ''}`
  const token = await tokenFor(pattern, api)
  const body = BODIES[`${method} ${pattern}`]
  return api.ask(method, url, { token, ...(body === undefined ? {} : { body }) })
}

async function eachRoute(
  t: Test,
  deps: Partial<ApiDeps>,
  check: (answer: Awaited<ReturnType<typeof ask>>, route: Route, api: TestApi) => void,
) {
  const api = await testApi(t, deps)
  const routes = (await listRoutes(api)).filter(({ pattern }) => !ASKS_NOBODY.includes(pattern))
  t.ok(routes.length >= 9)
  for (const route of routes) check(await ask(api, route), route, api)
}

t.test('a store that hangs: 503 TIMEOUT on every route', async (t) => {
  const deps = { ...brokenStores(never), requestBudgetMs: BUDGET_MS }
  await eachRoute(t, deps, ({ statusCode, ...answer }, { method, pattern, documented }) => {
    const name = `${method} ${pattern}`
    t.equal(statusCode, 503, name)
    t.match(answer.json(), { code: 'TIMEOUT', message: String }, name)
    t.ok(documented.includes('503'), `${name} documents 503`)
  })
})

t.test('a store that fails: 500 on every route, and nothing leaks', async (t) => {
  await eachRoute(t, brokenStores(fail), (answer, { method, pattern, documented }, api) => {
    const name = `${method} ${pattern}`
    // GraphQL reports what failed beside the data (GraphQL 2021, 7.1).
    const shown = pattern === '/graphql' ? answer.json().errors : [answer.json()]
    t.equal(answer.statusCode, pattern === '/graphql' ? 200 : 500, name)
    t.match(shown, [{ message: 'Internal Server Error' }], name)
    if (pattern !== '/graphql') t.same(Object.keys(shown[0]), ['message'], name)
    t.notOk(JSON.stringify(answer.headers).includes('hunter2'))
    t.ok(documented.includes('500'), `${name} documents 500`)
    t.ok(api.log.at(-2)?.includes('hunter2') ?? false, 'the log has the reason')
  })
})

t.test('a trail that fails: 503 TIMEOUT where something has to be recorded', async (t) => {
  const api = await testApi(t)
  api.seed({ phase: 'DONE', signed: 2 })
  api.objects.beforePut = fail
  for (const route of ['caseDefinition', 'signedDocument']) {
    const { statusCode, ...answer } = await api.asParticipant(1, 'GET', route)
    t.equal(statusCode, 503)
    t.match(answer.json(), { code: 'TIMEOUT' })
    t.notOk(answer.body.includes('hunter2'))
  }
})

t.test("an identity provider that fails: 500 on tenants' routes", async (t) => {
  const api = await testApi(t, { identity: broken(fail) })
  const { statusCode, body } = await api.ask('GET', '/cases')
  t.equal(statusCode, 500)
  t.notOk(body.includes('hunter2'))
})

t.test('an answer of a store after the time limit does no harm', async (t) => {
  const held = Promise.withResolvers<undefined>()
  const api = await testApi(t, {
    cases: { get: () => held.promise } as unknown as ApiDeps['cases'],
    requestBudgetMs: BUDGET_MS,
  })
  t.equal((await api.ask('GET', `/cases/${CASE_ID}`)).statusCode, 503)
  held.resolve(undefined)
  await new Promise((resolve) => void setImmediate(resolve))
  t.equal((await api.ask('GET', '/healthz', { token: '' })).statusCode, 200)
})
