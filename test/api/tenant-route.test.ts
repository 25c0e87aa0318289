/** What belongs to another tenant is answered as what does not exist, on every route there is. */
import { Buffer } from 'node:buffer'
import t, { type Test } from 'tap'
import { eventId } from '../../domain/cases/due-audit-events.ts'
import { testApi, type Asked, type TestApi } from '../fixtures/api.ts'
import { device, DEVICE_ID } from '../fixtures/device.ts'
import { callback, CASE_ID, participant } from '../fixtures/signature-case.ts'

const STRANGER = 'globex'
const NOBODYS = '0b1c2d3e-4f50-4a6b-8c7d-8e9fa0b1c2d3'
const WEBHOOK_ID = eventId(CASE_ID, 'webhook.case-failed', undefined, undefined)

/** The ids of existing objects, keyed by the name of the parameter. */
const THERE: Readonly<Record<string, string>> = {
  caseId: CASE_ID,
  participantId: participant(1).id,
  deviceId: DEVICE_ID,
  eventId: WEBHOOK_ID,
}

/** Spellings of an id that must not lead to it by another way. */
const SPELLINGS: Readonly<Record<string, (id: string) => string>> = {
  'as it is': (id) => id,
  'in upper case': (id) => id.toUpperCase(),
  'with an encoded letter': (id) => `%${id.charCodeAt(0).toString(16)}${id.slice(1)}`,
  'encoded twice': (id) => `%25${id.charCodeAt(0).toString(16)}${id.slice(1)}`,
  'with a slash': (id) => `${id}%2F`,
  'with a way up': (id) => `..%2F${id}`,
  'with a tenant': (id) => `acme%2F${id}`,
  'with a NUL': (id) => `${id}%00`,
  'with a dot': (id) => `${id}.`,
  'with a line end': (id) => `${id}%0d%0a`,
  'very long': (id) => id.repeat(60),
}

interface Operation {
  method: string
  /** With parameters in braces. */
  path: string
}

/** Every route of a tenant that names something, as documented. */
function operationsOf({ app }: TestApi): Operation[] {
  const { paths = {} } = app.swagger() as { paths?: Record<string, Record<string, object>> }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, one]) => JSON.stringify((one as { security?: object }).security) === TENANT_ONLY)
      .filter(() => path.includes('{'))
      .map(([method]) => ({ method: method.toUpperCase(), path })),
  )
}
const TENANT_ONLY = JSON.stringify([{ tenant: [] }])

const BODIES: Readonly<Record<string, object>> = {
  '/cases/{caseId}/participants/{participantId}/open': { deviceId: DEVICE_ID },
  '/cases/{caseId}/deliveries/{eventId}/redeliver': {},
}

async function seeded(t: Test): Promise<TestApi> {
  const api = await testApi(t)
  await api.app.ready()
  api.seed({ phase: 'IN_PROGRESS', definition: { callback: callback(), quickSign: true } })
  api.devices.seed(device())
  return api
}

/** All of an answer but its time and the id of the request. */
async function requestAnswer(
  api: TestApi,
  { method, path }: Operation,
  url: string,
  token: string,
) {
  const body = BODIES[path]
  const asked: Asked = { token, ...(body ? { body } : {}) }
  const { statusCode, body: text, headers } = await api.ask(method, url, asked)
  const { date: _, 'x-request-id': __, ...kept } = headers
  return { statusCode, text, headers: kept }
}

const filled = (path: string, idOf: (name: string) => string) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => idOf(name))

t.test("another tenant's ids read as ids of nothing, on every route, however spelt", async (t) => {
  const api = await seeded(t)
  const before = JSON.stringify([await api.stored(), await api.eventTypes()])
  const token = await api.tenantToken(STRANGER)
  const operations = operationsOf(api)
  t.ok(operations.length >= 9, `${operations.length} routes`)
  for (const operation of operations) {
    for (const [spelling, spelt] of Object.entries(SPELLINGS)) {
      const requestLine = `${operation.method} ${operation.path} ${spelling}`
      const theirs = filled(operation.path, (name) => spelt(THERE[name] as string))
      const nobodys = filled(operation.path, () => spelt(NOBODYS))
      const answer = await requestAnswer(api, operation, theirs, token)
      t.equal(answer.statusCode, 404, requestLine)
      t.same(
        answer,
        await requestAnswer(api, operation, nobodys, token),
        `${requestLine}: reveals nothing`,
      )
    }
  }
  t.equal(JSON.stringify([await api.stored(), await api.eventTypes()]), before)
  t.ok(await api.devices.get({ tenant: 'acme', deviceId: DEVICE_ID }), 'the kiosk is still there')
})

t.test(
  'a route that names two things needs both to be of the tenant and of each other',
  async (t) => {
    const api = await seeded(t)
    for (const { method, path } of operationsOf(api)) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      if (names.length < 2) continue
      for (const wrong of names) {
        const url = filled(path, (name) => (name === wrong ? NOBODYS : (THERE[name] as string)))
        const { statusCode } = await requestAnswer(
          api,
          { method, path },
          url,
          await api.tenantToken(),
        )
        t.equal(statusCode, 404, `${method} ${url}`)
      }
    }
  },
)

t.test("another tenant's kiosk is unknown to a case of one's own", async (t) => {
  const api = await seeded(t)
  const token = await api.tenantToken(STRANGER)
  const body = {
    title: 'x',
    validUntil: '2026-11-30T00:00:00Z',
    device: { deviceId: DEVICE_ID },
    participants: [{ firstName: 'a', lastName: 'b', email: 'a@b.sk' }],
  }
  const theirs = await api.ask('POST', '/cases', { token, body })
  const nobodys = await api.ask('POST', '/cases', {
    token,
    body: { ...body, device: { deviceId: NOBODYS } },
  })
  t.equal(theirs.json().code, 'UNKNOWN_DEVICE')
  t.equal(theirs.body, nobodys.body)
})

t.test('a cursor of one tenant leads nowhere in the listings of another', async (t) => {
  const api = await seeded(t)
  for (let n = 0; n < 3; n++) {
    const body = {
      title: `${n}`,
      validUntil: '2026-11-30T00:00:00Z',
      participants: [{ firstName: 'a', lastName: 'b', email: 'a@b.sk' }],
    }
    await api.ask('POST', '/cases', { body })
    await api.ask('POST', '/tenant/devices', { body: { name: `${n}` } })
  }
  const token = await api.tenantToken(STRANGER)
  for (const listing of ['/cases', '/tenant/devices']) {
    const { nextCursor } = (await api.ask('GET', `${listing}?limit=1`)).json()
    t.type(nextCursor, 'string', listing)
    const [position, kid, mac] = nextCursor.split('.')
    const other = Buffer.from('{"after":""}').toString('base64url')
    for (const cursor of [
      nextCursor,
      `${nextCursor}=`,
      `${other}.${kid}.${mac}`,
      `${position}.${kid}.`,
      `${position}..${mac}`,
      `${position}.__proto__.${mac}`,
      `${position}.${kid}.${mac}.x`,
    ]) {
      const answer = await api.ask('GET', `${listing}?cursor=${encodeURIComponent(cursor)}`, {
        token,
      })
      t.equal(answer.json().code, 'INVALID_CURSOR', `${listing} ${cursor}`)
    }
  }
})
