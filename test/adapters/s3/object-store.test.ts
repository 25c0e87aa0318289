/** An S3-compatible store keeps the port's contract, through faults of network and store. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { CredentialsFile } from '../../../adapters/s3/credentials.ts'
import { S3ObjectStore } from '../../../adapters/s3/object-store.ts'
import { emulatedS3, s3Error, type EmulatedS3Options } from '../../../dev/emulators/s3/server.ts'
import type { EmulatedAnswer, EmulatedRequest } from '../../../dev/emulators/http.ts'
import { objectStoreContract } from '../../contract/object-store.ts'

const BUCKET = 'cases-of-acme'
const REGION = 'eu-test-1'
const TEXT = 'text/plain'
const PDF = 'application/pdf'
const ACCOUNT = { accessKeyId: 'AKEXAMPLE', secretAccessKey: 'secret/of+example' }
const TIMEOUT = { name: 'ServiceError', code: 'TIMEOUT' }
const bytes = (text: string) => new TextEncoder().encode(text)
const soon = () => new Date(Date.now() + 60_000)
const fileOf = ({ accessKeyId, secretAccessKey } = ACCOUNT) =>
  `[other]\naws_access_key_id=OTHER\n[default]\naws_access_key_id = ${accessKeyId}\n` +
  `aws_secret_access_key = ${secretAccessKey}\n`

async function open(t: Test, options: Partial<EmulatedS3Options> = {}, nowMs = Date.now) {
  const s3 = await emulatedS3({
    bucket: BUCKET,
    region: REGION,
    account: ACCOUNT,
    pageSize: 3,
    ...options,
  })
  t.teardown(() => s3.close())
  const path = join(t.testdir({ credentials: fileOf() }), 'credentials')
  const store = new S3ObjectStore({
    bucket: BUCKET,
    region: REGION,
    addressing: 'path',
    endpoint: s3.origin,
    publicEndpoint: s3.origin,
    credentials: new CredentialsFile(path),
    now: () => new Date(nowMs()),
  })
  t.teardown(() => store.close())
  return { store, s3, path }
}

objectStoreContract('S3', async (t) => (await open(t)).store)
objectStoreContract(
  'S3 with quoted tags',
  async (t) => (await open(t, { needsQuotes: true })).store,
)

const isWrite = ({ method }: EmulatedRequest) => method === 'PUT'
const isRead = ({ method }: EmulatedRequest) => method === 'GET'
const always = () => true

t.test('a put whose answer was lost is known again as ours', async (t) => {
  const { store, s3 } = await open(t)
  s3.faults.push({ matches: isWrite, afterEffect: true, times: 1 })
  t.ok(await store.putIfAbsent('key', bytes('mine'), TEXT))
  t.equal(s3.requests.filter(isWrite).length, 2)
  s3.faults.push({ matches: isWrite, times: 1 })
  t.notOk(await store.putIfAbsent('key', bytes('mine'), TEXT), 'the same octets of another')
  const { generation } = (await store.stat('key'))!
  s3.faults.push({ matches: isWrite, afterEffect: true, answer: { status: 503 }, times: 1 })
  t.ok(await store.compareAndSwap('key', bytes('new'), { contentType: TEXT, generation }))
})

t.test('a short outage is retried, a long one is TIMEOUT', async (t) => {
  const { store, s3 } = await open(t)
  await store.putIfAbsent('key', bytes('x'), TEXT)
  const passing = [
    s3Error(429, 'SlowDown'),
    s3Error(500, 'InternalError'),
    s3Error(503, 'SlowDown'),
    s3Error(400, 'RequestTimeout'),
  ]
  for (const answer of passing) {
    s3.faults.push({ matches: isRead, answer, times: 2 })
    t.equal((await store.get('key'))?.size, 1)
  }
  s3.faults.push({ matches: isWrite, answer: s3Error(409, 'ConditionalRequestConflict'), times: 2 })
  t.ok(await store.putIfAbsent('other', bytes('x'), TEXT), 'a conflict is not a lost race')
  s3.faults.push({ matches: always, answer: s3Error(503, 'SlowDown'), times: 1_000 })
  await Promise.all([
    t.rejects(store.get('key'), TIMEOUT),
    t.rejects(store.stat('key'), TIMEOUT),
    t.rejects(store.list('', { limit: 1 }), TIMEOUT),
    t.rejects(store.putIfAbsent('third', bytes(''), TEXT), TIMEOUT),
    t.rejects(store.delete('key'), TIMEOUT),
  ])
})

t.test('the store is asked again no sooner than it says', async (t) => {
  const { store, s3 } = await open(t)
  s3.faults.push({
    matches: isRead,
    answer: s3Error(503, 'SlowDown', { 'retry-after': '1' }),
    times: 1,
  })
  const startedMs = performance.now()
  t.equal(await store.get('key'), undefined)
  t.ok(performance.now() - startedMs >= 990)
  const answer = s3Error(429, 'SlowDown', { 'retry-after': '30' })
  s3.faults.push({ matches: isRead, answer, times: 1 })
  await t.rejects(store.get('key'), { ...TIMEOUT, details: { retryAfterSeconds: 30 } })
})

t.test('a page of a proxy is not an answer', async (t) => {
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  const page = (status: number): EmulatedAnswer => ({
    status,
    headers,
    body: '<!doctype html><title>Proxy</title>',
  })
  for (const status of [200, 404, 412]) {
    const { store, s3 } = await open(t)
    await store.putIfAbsent('key', bytes('x'), TEXT)
    s3.faults.push({ matches: always, answer: page(status), times: 1_000 })
    await Promise.all([
      t.rejects(store.get('key'), TIMEOUT, `get ${status}`),
      t.rejects(store.stat('key'), TIMEOUT, `stat ${status}`),
      t.rejects(store.list('', { limit: 1 }), TIMEOUT, `list ${status}`),
      t.rejects(store.putIfAbsent('other', bytes(''), TEXT), TIMEOUT, `put ${status}`),
      t.rejects(store.delete('key'), TIMEOUT, `delete ${status}`),
    ])
  }
})

t.test('bodies that are cut, or changed on their way, are not given out', async (t) => {
  const { store, s3 } = await open(t)
  await store.putIfAbsent('key', bytes('a whole object'), TEXT)
  s3.faults.push({ matches: isRead, body: 'cut', times: 1 })
  t.equal((await store.get('key'))?.size, 14, 'asked again')
  s3.faults.push({ matches: isRead, body: 'slow', times: 1 })
  t.equal((await store.get('key'))?.size, 14)
  s3.faults.push({ matches: isRead, body: 'cut', times: 1 })
  t.equal((await store.list('', { limit: 5 })).length, 1)
  s3.bucket.damage('key')
  await t.rejects(store.get('key'), { ...TIMEOUT, cause: { name: 'S3ChecksumError' } })
})

t.test('a body that stalls is given up after its limit', async (t) => {
  const { store, s3 } = await open(t)
  await store.putIfAbsent('key', bytes('a whole object'), TEXT)
  s3.faults.push({ matches: isRead, body: 'stalled', times: 1 })
  t.equal((await store.get('key'))?.size, 14)
})

t.test('what an operator has to mend is said at once, without secrets', async (t) => {
  const refusals: [EmulatedAnswer, RegExp][] = [
    [s3Error(403, 'AccessDenied'), /403 AccessDenied: the credentials lack a right/],
    [s3Error(404, 'NoSuchBucket'), /404 NoSuchBucket: the bucket does not exist/],
    [s3Error(403, 'RequestTimeTooSkewed'), /the clock of this machine differs/],
    [s3Error(400, 'AuthorizationHeaderMalformed'), /S3_REGION is not the region/],
    [s3Error(501, 'NotImplemented'), /the store lacks a function/],
  ]
  for (const [answer, message] of refusals) {
    const { store, s3 } = await open(t)
    s3.faults.push({ matches: always, answer, times: 1 })
    const error: Error = (await store.putIfAbsent('key', bytes('x'), TEXT).then(
      () => t.fail('it is refused'),
      (reason: Error) => reason,
    )) as Error
    t.match(error, { name: 'S3RefusedError', message })
    t.notMatch(String(error.stack), ACCOUNT.secretAccessKey)
    t.equal(s3.requests.length, 1)
  }
})

t.test('credentials that were replaced in their file are used', async (t) => {
  const { store, s3, path } = await open(t)
  writeFileSync(path, fileOf({ ...ACCOUNT, secretAccessKey: 'wrong' }))
  await t.rejects(store.get('key'), { message: /SignatureDoesNotMatch: the credentials were not/ })
  t.equal(s3.requests.length, 2, 'they were read again once')
  writeFileSync(path, fileOf())
  t.equal(await store.get('key'), undefined)
  writeFileSync(path, '[default]\n')
  await t.rejects(store.get('key'), { name: 'S3RefusedError', message: /no section \[default\]/ })
})

t.test('a clock that differs from that of the store is named', async (t) => {
  const { store } = await open(t, {}, () => Date.now() + 20 * 60_000)
  await t.rejects(store.get('key'), { message: /the clock of this machine differs/ })
})

t.test('a listing goes on over pages, each as long as it is', async (t) => {
  const { store, s3 } = await open(t)
  const keys = Array.from({ length: 10 }, (_, index) => `f/${index}`)
  for (const key of keys) await store.putIfAbsent(key, bytes(key), TEXT)
  const before = s3.requests.length
  const stats = await store.list('f/', { limit: 8, after: 'f/0' })
  t.same(
    stats.map(({ key }) => key),
    keys.slice(1, 9),
  )
  t.equal(s3.requests.length - before, 3)
})

t.test('a URL signs type and size of an upload, and no other header is needed', async (t) => {
  const { store, s3 } = await open(t)
  const plain = new URL(await store.presignPut('key', { contentType: PDF, expiresAt: soon() }))
  t.equal(plain.searchParams.get('X-Amz-SignedHeaders'), 'content-type;host')
  const headers = { 'content-type': PDF, 'x-amz-acl': 'public-read' }
  t.equal((await fetch(plain, { method: 'PUT', body: 'x', headers })).status, 403)
  const bound = { contentType: PDF, maximumBytes: 5, isAnnounced: true, expiresAt: soon() }
  const { url, headers: sent } = await store.presignBoundedPut('key', bound)
  t.same(sent, { 'Content-Type': PDF })
  t.equal((await fetch(url, { method: 'PUT', body: '1234', headers: sent })).status, 403)
  t.equal((await fetch(url, { method: 'PUT', body: '12345', headers: sent })).status, 200)
  const unbound = { ...bound, isAnnounced: false }
  const refused = { name: 'ServiceError', code: 'UPLOAD_SIZE_REQUIRED' }
  await t.rejects(store.presignBoundedPut('key', unbound), refused)
  t.equal(s3.bucket.get('key')?.bytes.length, 5)
})

t.test('a bucket can be named in the host, and links can have another origin', async (t) => {
  const path = join(t.testdir({ credentials: fileOf() }), 'credentials')
  const store = new S3ObjectStore({
    bucket: BUCKET,
    region: REGION,
    addressing: 'host',
    endpoint: 'https://store.internal:9000',
    publicEndpoint: 'https://objects.example.com',
    credentials: new CredentialsFile(path),
    now: () => new Date(),
  })
  t.teardown(() => store.close())
  const url = new URL(await store.presignGet('a/b', { expiresAt: soon() }))
  t.equal(url.origin + url.pathname, `https://${BUCKET}.objects.example.com/a/b`)
})
