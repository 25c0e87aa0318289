/** Only pushes of Pub/Sub publish a change of the case whose upload ended. */
import t, { type Test } from 'tap'
import { documentKey, uploadKey } from '../../../domain/cases/keys.ts'
import { testApi } from '../../fixtures/api.ts'
import { CASE_KEY } from '../../fixtures/signature-case.ts'

const TOKEN = 'a-token-of-pubsub'
const BUCKET = 'cases'
const URL = '/notifications/uploads'
const notifiers = { isNotifier: async (token: string) => token === TOKEN }

function push(changed: Record<string, unknown> = {}) {
  const attributes = {
    eventType: 'OBJECT_FINALIZE',
    bucketId: BUCKET,
    objectId: uploadKey(CASE_KEY),
    objectGeneration: '1',
    payloadFormat: 'JSON_API_V1',
    ...changed,
  }
  const message = { attributes, data: 'e30=', messageId: '1', publishTime: '2026-11-02T08:30:00Z' }
  return { message, subscription: 'projects/project/subscriptions/uploads' }
}

async function open(t: Test) {
  return testApi(t, { uploadNotifications: { notifiers, bucket: BUCKET } })
}

t.test('an upload that ended is reported at once', async (t) => {
  const api = await open(t)
  const answer = await api.ask('POST', URL, { token: TOKEN, body: push() })
  t.equal(answer.statusCode, 204)
  t.equal(api.ephemeral.published.length, 1)
  t.match(api.ephemeral.published[0], CASE_KEY.caseId)
})

t.test('a push that is not about an upload is accepted and publishes nothing', async (t) => {
  const api = await open(t)
  for (const changed of [
    { eventType: 'OBJECT_DELETE' },
    { bucketId: 'another' },
    { objectId: documentKey(CASE_KEY) },
    { objectId: 'tenants/acme/cases/../upload.pdf/x' },
  ]) {
    const answer = await api.ask('POST', URL, { token: TOKEN, body: push(changed) })
    t.equal(answer.statusCode, 204, JSON.stringify(changed))
  }
  t.same(api.ephemeral.published, [])
})

t.test('others are refused before their body is looked at', async (t) => {
  const api = await open(t)
  for (const token of ['', 'another', await api.tenantToken()]) {
    for (const body of [push(), {}]) {
      t.equal((await api.ask('POST', URL, { token, body })).statusCode, 401)
    }
  }
  t.equal((await api.ask('POST', URL, { token: TOKEN, body: {} })).statusCode, 400)
  t.same(api.ephemeral.published, [])
})

t.test('a push that comes twice publishes twice, which does no harm', async (t) => {
  const api = await open(t)
  for (let times = 0; times < 2; times++) {
    t.equal((await api.ask('POST', URL, { token: TOKEN, body: push() })).statusCode, 204)
  }
  t.equal(new Set(api.ephemeral.published).size, 1)
})

t.test('what is not the JSON of a push is a bad request', async (t) => {
  const api = await open(t)
  const send = (payload: string, contentType = 'application/json') =>
    api.app.inject({
      method: 'POST',
      url: URL,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': contentType },
      payload,
    })
  for (const payload of ['{"message":', '[]', '"x"', 'null', '{"message":{"attributes":[]}}']) {
    t.equal((await send(payload)).statusCode, 400, payload)
  }
  const long = push({ objectId: 'a'.repeat(2_000) })
  t.equal((await send(JSON.stringify(long))).statusCode, 400)
  const { statusCode } = await send(JSON.stringify(push()), 'text/plain')
  t.ok(statusCode >= 400 && statusCode < 500, `${statusCode}`)
  t.same(api.ephemeral.published, [])
})

t.test('without a subscription there is no such address', async (t) => {
  const api = await testApi(t)
  t.equal((await api.ask('POST', URL, { token: TOKEN, body: push() })).statusCode, 404)
})
