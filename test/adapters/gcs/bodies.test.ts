/** Responses of Cloud Storage whose bodies are cut, stop or come slowly, over real connections. */
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { GcsObjectStore } from '../../../adapters/gcs/object-store.ts'
import { googleAuth } from '../../../adapters/shared/google-auth.ts'
import { emulatedGcs } from '../../../dev/emulators/gcs/server.ts'
import { EmulatedIdentity } from '../../../dev/emulators/google-identity.ts'
import type { EmulatedRequest, Fault } from '../../../dev/emulators/http.ts'

/** A response that stops takes up the limit of one attempt, twelve seconds. */
t.setTimeout(300_000)

const BUCKET = 'cases-of-acme'
const TEXT = 'text/plain'
const OCTETS = new TextEncoder().encode('octets')
const ALL = { limit: 10 }
/** How often a request is sent before the adapter gives up. */
const ATTEMPTS = 4
const identity = new EmulatedIdentity()

async function open(t: Test) {
  const gcs = await emulatedGcs({ bucket: BUCKET, identity })
  t.teardown(() => gcs.close())
  const keyFile = join(t.testdir({ 'key.json': identity.keyFile() }), 'key.json')
  const store = new GcsObjectStore({
    now: () => new Date(),
    bucket: BUCKET,
    auth: googleAuth({ keyFile }),
    endpoint: gcs.origin,
    signingEndpoint: `${gcs.origin}/`,
  })
  await store.putIfAbsent('key', OCTETS, TEXT)
  gcs.requests.length = 0
  return { store, gcs }
}

const isRead = ({ method }: EmulatedRequest) => method === 'GET'
const isWrite = ({ method }: EmulatedRequest) => method === 'POST'

/** Requests that one response of each kind takes. */
const FAULTS: Readonly<Record<NonNullable<Fault['body']>, number>> = {
  cut: 2,
  stalled: 2,
  slow: 1,
}

const READS = {
  get: async (store: GcsObjectStore) => (await store.get('key'))?.bytes,
  stat: async (store: GcsObjectStore) => (await store.stat('key'))?.size,
  list: async (store: GcsObjectStore) => (await store.list('', ALL)).map(({ key }) => key),
}

for (const [kind, requests] of Object.entries(FAULTS)) {
  const body = kind as keyof typeof FAULTS

  t.test(`a body that is ${body} is read whole in the end`, async (t) => {
    const reads = Object.entries(READS).map(async ([name, read]) => {
      const { store, gcs } = await open(t)
      const expected = await read(store)
      gcs.requests.length = 0
      gcs.faults.push({ matches: isRead, body, times: 1 })
      t.same(await read(store), expected, name)
      t.equal(gcs.requests.length, requests, `${name}: requests`)
    })
    await Promise.all(reads)
  })

  t.test(`a write whose response is ${body} is recognised as done`, async (t) => {
    const { store, gcs } = await open(t)
    gcs.faults.push({ matches: isWrite, body, times: 1 })
    const generation = await store.putIfAbsent('other', OCTETS, TEXT)
    t.equal(gcs.requests.filter(isWrite).length, requests)
    const stored = await store.get('other')
    t.same(stored?.bytes, OCTETS)
    t.equal(generation, stored?.generation)
  })
}

t.test('bodies that are always cut are an outage, and no octet of them is used', async (t) => {
  const { store, gcs } = await open(t)
  gcs.faults.push({ matches: () => true, body: 'cut', times: 3 * ATTEMPTS })
  const timeout = { name: 'ServiceError', code: 'TIMEOUT' }
  await t.rejects(store.get('key'), timeout)
  await t.rejects(store.stat('key'), timeout)
  await t.rejects(store.list('', ALL), timeout)
  t.equal(gcs.requests.length, 3 * ATTEMPTS)
})
