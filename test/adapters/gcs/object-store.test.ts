/** Cloud Storage keeps the port's contract, through faults of the network and of the service. */
import { chmodSync, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { GcsRefusedError } from '../../../adapters/gcs/attempts.ts'
import { GcsObjectStore } from '../../../adapters/gcs/object-store.ts'
import { readObject } from '../../../adapters/gcs/read-object.ts'
import { googleAuth } from '../../../adapters/shared/google-auth.ts'
import { objectStoreContract } from '../../contract/object-store.ts'
import { emulatedGcs } from '../../../dev/emulators/gcs/server.ts'
import { EmulatedIdentity } from '../../../dev/emulators/google-identity.ts'
import { emulatedServer, type EmulatedRequest } from '../../../dev/emulators/http.ts'

const BUCKET = 'cases-of-acme'
const LIMIT = 1_000_000
const TEXT = 'text/plain'
const identity = new EmulatedIdentity()
const soon = () => new Date(Date.now() + 60_000)
const bytes = (text: string) => new TextEncoder().encode(text)
const accounts = await identity.serve()
t.teardown(() => accounts.close())
process.env.GCE_METADATA_HOST = new URL(accounts.origin).host

async function open(t: Test, by: 'key' | 'workload identity' = 'key', who = identity) {
  const gcs = await emulatedGcs({ bucket: BUCKET, identity, pageSize: 3 })
  t.teardown(() => gcs.close())
  const keyFile = join(t.testdir({ 'key.json': who.keyFile() }), 'key.json')
  const store = new GcsObjectStore({
    now: () => new Date(),
    bucket: BUCKET,
    auth: googleAuth(by === 'key' ? { keyFile } : {}),
    endpoint: gcs.origin,
    signingEndpoint: `${accounts.origin}/v1/projects/-/serviceAccounts/`,
  })
  return { store, gcs }
}

objectStoreContract('Cloud Storage by key', async (t) => (await open(t)).store)
objectStoreContract(
  'Cloud Storage by workload identity',
  async (t) => (await open(t, 'workload identity')).store,
)

t.test('neither gcloud nor the metadata server is asked for a project', async (t) => {
  const folder = t.testdir({ gcloud: '#!/bin/sh\ntouch "$(dirname "$0")/was-run"\n' })
  chmodSync(join(folder, 'gcloud'), 0o755)
  const { PATH = '' } = process.env
  t.teardown(() => (process.env.PATH = PATH))
  process.env.PATH = [folder, PATH].join(delimiter)
  const asked = accounts.requests.length
  for (const by of ['key', 'workload identity'] as const) {
    await t.test(by, async (t) => {
      const { store } = await open(t, by)
      t.equal(await store.stat('missing'), undefined)
      t.ok(await store.presignGet('missing', { expiresAt: soon() }))
    })
  }
  t.notOk(existsSync(join(folder, 'was-run')), 'gcloud')
  const paths = accounts.requests.slice(asked).map(({ url }) => url.pathname)
  t.ok(paths.some((path) => path.endsWith('/token')))
  t.notOk(paths.some((path) => path.includes('project-id')))
})

const isWrite = ({ method }: EmulatedRequest) => method === 'POST'
const isRead = ({ method }: EmulatedRequest) => method === 'GET'

t.test('a put whose answer was lost is known again as ours', async (t) => {
  const { store, gcs } = await open(t)
  gcs.faults.push({ matches: isWrite, afterEffect: true, times: 1 })
  t.ok(await store.putIfAbsent('key', bytes('mine'), TEXT))
  t.equal(gcs.requests.filter(isWrite).length, 2)
  gcs.faults.push({ matches: isWrite, times: 1 })
  t.notOk(await store.putIfAbsent('key', bytes('mine'), TEXT), 'the same octets of another')
  const { generation } = (await store.stat('key'))!
  gcs.faults.push({ matches: isWrite, afterEffect: true, answer: { status: 503 }, times: 1 })
  t.ok(await store.compareAndSwap('key', bytes('new'), { contentType: TEXT, generation }))
})

t.test('a short outage of the store is retried, a long one is TIMEOUT', async (t) => {
  const { store, gcs } = await open(t)
  await store.putIfAbsent('key', bytes('x'), TEXT)
  for (const status of [429, 500, 503]) {
    gcs.faults.push({ matches: isRead, answer: { status }, times: 2 })
    t.equal((await store.get('key'))?.size, 1)
    gcs.faults.push({ matches: isRead, answer: { status }, times: 2 })
    t.equal((await store.list('', { limit: 10 })).length, 1)
  }
  gcs.faults.push({ matches: () => true, answer: { status: 503 }, times: 100 })
  const timeout = { name: 'ServiceError', code: 'TIMEOUT' }
  await t.rejects(store.get('key'), timeout)
  await t.rejects(store.stat('key'), timeout)
  await t.rejects(store.list('', { limit: 1 }), timeout)
  await t.rejects(store.putIfAbsent('other', bytes(''), TEXT), timeout)
  await t.rejects(store.delete('key'), timeout)
})

t.test('octets that changed on their way are not given out', async (t) => {
  const { store, gcs } = await open(t)
  await store.putIfAbsent('key', bytes('whole'), TEXT)
  gcs.bucket.damage('key')
  await t.rejects(store.get('key'), { code: 'TIMEOUT', cause: { name: 'GcsChecksumError' } })
})

t.test('what the account may not do is said at once, without credentials', async (t) => {
  const stranger = new EmulatedIdentity()
  const { store, gcs } = await open(t, 'key', stranger)
  const error = await store.stat('key').then(
    () => undefined,
    (error: unknown) => error,
  )
  t.type(error, GcsRefusedError)
  t.match(String(error), 'Cloud Storage answered 401: the credentials were not accepted')
  t.equal(gcs.requests.length, 1)
  const url = await store.presignGet('key', { expiresAt: new Date(Date.now() + 60_000) })
  t.equal((await fetch(url)).status, 403, 'signed with a key that Google does not know')
})

t.test('an account that may not sign in its own name is reported as such', async (t) => {
  const { store } = await open(t, 'workload identity')
  identity.mayTokenCreate = false
  t.teardown(() => (identity.mayTokenCreate = true))
  const options = { contentType: TEXT, expiresAt: new Date(Date.now() + 60_000) }
  await t.rejects(store.presignPut('key', options), { name: 'GcsRefusedError' })
})

t.test('a listing goes on over pages, each as long as it is', async (t) => {
  const { store, gcs } = await open(t)
  const keys = Array.from({ length: 10 }, (_, index) => `f/${index}`)
  for (const key of keys) await store.putIfAbsent(key, bytes(key), TEXT)
  const before = gcs.requests.length
  const stats = await store.list('f/', { limit: 8, after: 'f/0' })
  t.same(
    stats.map(({ key }) => key),
    keys.slice(1, 9),
  )
  t.equal(gcs.requests.length - before, 3)
})

t.test('a URL signs the type of an upload and nothing that has to be sent besides', async (t) => {
  const { store } = await open(t)
  const expiresAt = new Date(Date.now() + 60_000)
  const url = new URL(await store.presignPut('key', { contentType: 'application/pdf', expiresAt }))
  t.equal(url.searchParams.get('X-Goog-SignedHeaders'), 'content-type;host')
  t.ok(Number(url.searchParams.get('X-Goog-Expires')) <= 60)
  const headers = { 'content-type': 'application/pdf', 'x-goog-acl': 'public-read' }
  t.equal((await fetch(url, { method: 'PUT', body: 'x', headers })).status, 403)
})

t.test('a URL with a size signs the range, which has to be sent as it is', async (t) => {
  const { store } = await open(t)
  const bound = {
    contentType: 'application/pdf',
    maximumBytes: 10,
    isAnnounced: true,
    expiresAt: soon(),
  }
  const { url, headers } = await store.presignBoundedPut('key', bound)
  const signed = new URL(url).searchParams.get('X-Goog-SignedHeaders')
  t.equal(signed, 'content-type;host;x-goog-content-length-range')
  t.same(headers, {
    'Content-Type': 'application/pdf',
    'x-goog-content-length-range': '0,10',
  })
  const put = async (body: string, sent: Record<string, string>) => {
    const answer = await fetch(url, { method: 'PUT', body, headers: sent })
    const code = /<Code>(\w+)/.exec(await answer.text())?.[1]
    return [answer.status, code]
  }
  const missing = await put('x', { 'Content-Type': 'application/pdf' })
  t.same(missing, [403, 'SignatureDoesNotMatch'], 'without the range')
  const wider = { ...headers, 'x-goog-content-length-range': '0,1000' }
  t.same(await put('x', wider), [403, 'SignatureDoesNotMatch'], 'another range')
  t.same(await put('x'.repeat(11), headers), [400, 'EntityTooLarge'])
  t.same(await put('x'.repeat(10), headers), [200, undefined])
})

const AFTER_ANSWER_MS = 400

t.test('an answer that comes too late is given up, and breaks nothing when it comes', async (t) => {
  const asked: string[] = []
  const givenUp = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  const server = await emulatedServer(async () => {
    asked.push('once')
    await givenUp.promise
    answered.resolve()
    return { status: 200, body: 'octets' }
  })
  t.teardown(() => server.close())
  const keyFile = join(t.testdir({ 'key.json': identity.keyFile() }), 'key.json')
  const auth = googleAuth({ keyFile })
  const source = { auth, endpoint: server.origin, bucket: BUCKET, key: 'key' }
  // On a busy machine the client may give up before it has sent its request.
  for (let limitMs = 200; asked.length === 0; limitMs *= 2) {
    const late = new RegExp(`not read in ${limitMs} ms`)
    await t.rejects(readObject(source, { maximumBytes: LIMIT, limitMs }), late)
  }
  givenUp.resolve()
  await answered.promise
  // An exception that the client throws after the answer fails this test.
  await sleep(AFTER_ANSWER_MS)
})

t.test('no request logs a warning about listeners', async (t) => {
  const { store } = await open(t)
  const warnings: string[] = []
  const onWarning = ({ name }: Error) => void warnings.push(name)
  process.on('warning', onWarning)
  t.teardown(() => process.off('warning', onWarning))
  await store.putIfAbsent('key', bytes('octets'), TEXT)
  await store.get('key')
  await store.get('missing')
  await store.list('k', { limit: 1 })
  await store.delete('key')
  await sleep(0)
  t.same(warnings, [])
})
