/** Cloud Storage answers as its documentation says, and as proxies answer in its place. */
import { Buffer } from 'node:buffer'
import { join } from 'node:path'
import process from 'node:process'
import t, { type Test } from 'tap'
import { crc32cBase64 } from '../../../adapters/shared/crc32c.ts'
import { applyLifecycle } from '../../../adapters/gcs/lifecycle.ts'
import { GcsObjectStore, openBucket } from '../../../adapters/gcs/object-store.ts'
import { googleAuth } from '../../../adapters/shared/google-auth.ts'
import { EmulatedIdentity } from '../../../dev/emulators/google-identity.ts'
import {
  googleError,
  HTML,
  JSON_TYPE,
  metadataServer,
  PROXY_PAGE,
  vendor,
  withoutNock,
  type Vendor,
} from '../../fixtures/vendor.ts'

t.setTimeout(600_000)

const ORIGIN = 'https://storage.googleapis.com'
const BUCKET = 'cases-of-acme'
const OBJECT = `/storage/v1/b/${BUCKET}/o/key`
const LISTING = `/storage/v1/b/${BUCKET}/o`
const UPLOAD = `/upload${LISTING}`
const TEXT = 'text/plain'
const BYTES = new TextEncoder().encode('octets')
const TIMEOUT = { name: 'ServiceError', code: 'TIMEOUT' }
const identity = new EmulatedIdentity()
process.env.GCE_METADATA_HOST = 'metadata.google.internal'
const skip = { skip: withoutNock }

const METADATA = {
  name: 'key',
  size: String(BYTES.length),
  generation: '1793610000000000',
  contentType: TEXT,
  crc32c: crc32cBase64(BYTES),
  updated: '2026-11-22T10:00:00.000Z',
}

function open(t: Test, by: 'key' | 'workload identity' = 'key') {
  const google = vendor(t)
  const keyFile = join(t.testdir({ 'key.json': identity.keyFile() }), 'key.json')
  const auth = googleAuth(by === 'key' ? { keyFile } : {})
  const options = { bucket: BUCKET, auth, endpoint: ORIGIN }
  const store = new GcsObjectStore({
    ...options,
    now: () => new Date(),
    signingEndpoint: 'https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/',
  })
  return { google, store, bucket: openBucket(options) }
}

type Reply = [status: number, body?: string | object, headers?: Record<string, string>]
type Operation = keyof typeof OPERATIONS

/** What the service asks of Cloud Storage, each with its request. */
const OPERATIONS = {
  stat: {
    ask: (store: GcsObjectStore) => store.stat('key'),
    on: ({ at }: Vendor) =>
      at(ORIGIN)
        .get(OBJECT)
        .query(({ alt }) => alt === undefined),
  },
  get: {
    ask: (store: GcsObjectStore) => store.get('key'),
    on: ({ at }: Vendor) => at(ORIGIN).get(OBJECT).query({ alt: 'media' }),
  },
  list: {
    ask: (store: GcsObjectStore) => store.list('k', { limit: 2 }),
    on: ({ at }: Vendor) => at(ORIGIN).get(LISTING).query(true),
  },
  put: {
    ask: (store: GcsObjectStore) => store.putIfAbsent('key', BYTES, TEXT),
    on: ({ at }: Vendor) => at(ORIGIN).post(UPLOAD).query(true),
  },
  delete: {
    ask: (store: GcsObjectStore) => store.delete('key'),
    on: ({ at }: Vendor) => at(ORIGIN).delete(OBJECT).query(true),
  },
} as const
const ALL = Object.keys(OPERATIONS) as Operation[]

function answer(google: Vendor, operation: Operation, times: number, ...reply: Reply): void {
  const [status, body = '', headers = {}] = reply
  OPERATIONS[operation].on(google).times(times).reply(status, body, headers)
}

const ask = (operation: Operation, store: GcsObjectStore): Promise<unknown> =>
  OPERATIONS[operation].ask(store)

/** How often a request is sent before the adapter gives up. */
const ATTEMPTS = 4

for (const status of [200, 404, 412]) {
  t.test(`a page of a proxy is not an answer: ${status}`, skip, async (t) => {
    const { google, store } = open(t)
    const asked = ALL.map((operation) => {
      answer(google, operation, ATTEMPTS, status, PROXY_PAGE, HTML)
      return t.rejects(ask(operation, store), TIMEOUT, operation)
    })
    await Promise.all(asked)
    t.same(google.unmatched, [])
  })
}

t.test(
  'an answer that ends too early or says something else is asked for again',
  skip,
  async (t) => {
    const wrong: readonly [Operation, string][] = [
      ['stat', '{"name":"key","siz'],
      ['stat', '{}'],
      ['stat', '{"name":"key","size":"many","generation":"1","updated":"2026-11-22T10:00:00Z"}'],
      ['list', '{"items":['],
      ['list', '{"items":[{}]}'],
      ['list', '[]x'],
      ['put', '{}'],
      ['put', JSON.stringify({ ...METADATA, crc32c: 'AAAAAA==' })],
    ]
    for (const [operation, body] of wrong) {
      const { google, store } = open(t)
      answer(google, operation, ATTEMPTS, 200, body, JSON_TYPE)
      await t.rejects(ask(operation, store), TIMEOUT, `${operation}: ${body}`)
      t.same(google.unmatched, [])
    }
  },
)

t.test('a write that a proxy answered is known again by its id', skip, async (t) => {
  const { google, store } = open(t)
  let written = ''
  OPERATIONS.put.on(google).reply((request: Request) => {
    void request.text().then((text) => (written = text))
    return [200, PROXY_PAGE, HTML]
  })
  answer(google, 'put', 1, 412, googleError(412, 'conditionNotMet'), JSON_TYPE)
  OPERATIONS.stat.on(google).reply(() => {
    const metadata = /"metadata":(\{[^}]*\})/.exec(written)?.[1] ?? '{}'
    return [200, JSON.stringify({ ...METADATA, metadata: JSON.parse(metadata) }), JSON_TYPE]
  })
  t.equal(await OPERATIONS.put.ask(store), METADATA.generation, 'it was ours')
  t.same(google.unmatched, [])
})

t.test('429 and 503 are waited for as long as Google asks', skip, async (t) => {
  for (const status of [429, 503]) {
    const { google, store } = open(t)
    const error = googleError(status, status === 429 ? 'rateLimitExceeded' : 'backendError')
    answer(google, 'stat', 1, status, error, { ...JSON_TYPE, 'retry-after': '1' })
    answer(google, 'stat', 1, 200, METADATA)
    const startedMs = performance.now()
    t.equal((await store.stat('key'))?.size, BYTES.length)
    t.ok(performance.now() - startedMs >= 990, 'not before the time is over')
    t.same(google.unmatched, [])
  }
})

t.test('a longer wait is the caller’s: one request, and for how long', skip, async (t) => {
  for (const [header, seconds] of [
    ['120', 120],
    [new Date(Date.now() + 60_500).toUTCString(), 60],
  ] as const) {
    const { google, store } = open(t)
    const headers = { ...HTML, 'retry-after': header }
    answer(google, 'put', 1, 503, '<html>Service Unavailable</html>', headers)
    const error: unknown = await OPERATIONS.put.ask(store).catch((failure: unknown) => failure)
    t.match(error, TIMEOUT)
    const { retryAfterSeconds } = (error as { details: { retryAfterSeconds: number } }).details
    t.ok(Math.abs(retryAfterSeconds - seconds) <= 1, `${retryAfterSeconds}`)
    t.same(google.unmatched, [])
  }
})

t.test('403 for too many requests passes, 403 for a quota or a right does not', skip, async (t) => {
  for (const reason of ['rateLimitExceeded', 'userRateLimitExceeded']) {
    const { google, store } = open(t)
    answer(google, 'stat', 2, 403, googleError(403, reason), JSON_TYPE)
    answer(google, 'stat', 1, 200, METADATA)
    t.ok(await store.stat('key'), reason)
    t.same(google.unmatched, [])
  }
  for (const [reason, message] of [
    ['quotaExceeded', /answered 403: a quota of the project is used up/],
    ['dailyLimitExceeded', /answered 403: a quota of the project is used up/],
    ['forbidden', /answered 403: the service account lacks a right on the bucket/],
  ] as const) {
    const { google, store } = open(t)
    answer(google, 'put', 1, 403, googleError(403, reason), JSON_TYPE)
    await t.rejects(OPERATIONS.put.ask(store), { name: 'GcsRefusedError', message })
    t.same(google.unmatched, [], 'asked once')
  }
})

t.test('404 and 412 of Google itself are answers', skip, async (t) => {
  const { google, store } = open(t)
  answer(google, 'stat', 1, 404, googleError(404, 'notFound'), JSON_TYPE)
  t.equal(await store.stat('key'), undefined)
  answer(google, 'get', 1, 404, `No such object: ${BUCKET}/key`, HTML)
  t.equal(await store.get('key'), undefined)
  answer(google, 'delete', 1, 404, googleError(404, 'notFound'), JSON_TYPE)
  await store.delete('key')
  answer(google, 'put', 1, 412, googleError(412, 'conditionNotMet'), JSON_TYPE)
  t.equal(await OPERATIONS.put.ask(store), undefined)
  answer(google, 'delete', 1, 204)
  await store.delete('key')
  t.same(google.unmatched, [])
})

t.test('409 and 308 are refusals that no repetition helps', skip, async (t) => {
  for (const [status, reason] of [
    [409, 'conflict'],
    [308, 'resumeIncomplete'],
  ] as const) {
    const { google, store } = open(t)
    answer(google, 'put', 1, status, googleError(status, reason), {
      ...JSON_TYPE,
      range: 'bytes=0-1',
    })
    await t.rejects(OPERATIONS.put.ask(store), {
      name: 'GcsRefusedError',
      message: new RegExp(`answered ${status}: the request was refused`),
    })
    t.same(google.unmatched, [], 'asked once')
  }
})

for (const operation of ALL) {
  t.test(`an access token that Google refuses is replaced once: ${operation}`, skip, async (t) => {
    const { google, store } = open(t, 'workload identity')
    const given = metadataServer(google)
    const seen: (string | null)[] = []
    OPERATIONS[operation]
      .on(google)
      .times(2)
      .reply((request: Request) => {
        seen.push(request.headers.get('authorization'))
        return [401, JSON.stringify(googleError(401, 'authError')), JSON_TYPE]
      })
    await t.rejects(ask(operation, store), {
      name: 'GcsRefusedError',
      message: /401: the credentials were not accepted; check the account, its key and the clock/,
    })
    t.same(seen, ['Bearer token-1', 'Bearer token-2'])
    t.equal(given.tokens, 2)
    t.same(google.unmatched, [])
  })
}

t.test('after a new token the request is answered', skip, async (t) => {
  const { google, store } = open(t, 'workload identity')
  metadataServer(google)
  answer(google, 'stat', 1, 401, googleError(401, 'authError'), JSON_TYPE)
  answer(google, 'stat', 1, 200, METADATA)
  t.ok(await store.stat('key'))
  t.same(google.unmatched, [])
})

t.test('a key whose clock is wrong is refused at once: no new token helps', skip, async (t) => {
  const { google, store } = open(t)
  const message = 'Invalid JWT: Token must be a short-lived token and in a reasonable timeframe'
  answer(google, 'stat', 1, 401, googleError(401, 'authError', message), JSON_TYPE)
  await t.rejects(store.stat('key'), { name: 'GcsRefusedError', message: /and the clock/ })
  t.same(google.unmatched, [])
})

t.test('what was read has the checksum of Google, or is read again', skip, async (t) => {
  const { google, store } = open(t)
  const headers = {
    'x-goog-hash': `crc32c=${METADATA.crc32c},md5=x`,
    'x-goog-generation': METADATA.generation,
    'content-type': TEXT,
    'last-modified': 'Sun, 22 Nov 2026 10:00:00 GMT',
  }
  answer(google, 'get', 1, 200, 'oct', headers)
  answer(google, 'get', 1, 200, Buffer.from(BYTES).toString(), headers)
  t.same(new Uint8Array((await store.get('key'))?.bytes ?? []), BYTES)
  t.same(google.unmatched, [])
})

t.test('rules of others are kept when a proxy answers for the bucket', skip, async (t) => {
  const { google, bucket } = open(t)
  google
    .at(ORIGIN)
    .get(`/storage/v1/b/${BUCKET}`)
    .query(true)
    .times(ATTEMPTS)
    .reply(200, PROXY_PAGE, HTML)
  await t.rejects(applyLifecycle(bucket), TIMEOUT)
  t.same(google.unmatched, [], 'nothing was written')
})
