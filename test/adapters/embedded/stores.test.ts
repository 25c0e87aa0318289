/** The embedded stores keep their ports' contracts, and what a restart or a kill asks of them. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { SqliteCaseStore } from '../../../adapters/embedded/case-store.ts'
import {
  DataDirectoryError,
  DataDirectoryInUseError,
  takeDataDirectory,
} from '../../../adapters/embedded/data-directory.ts'
import { SqliteDeviceStore } from '../../../adapters/embedded/device-store.ts'
import { ObjectServer } from '../../../adapters/embedded/object-server.ts'
import { FileObjectStore } from '../../../adapters/embedded/object-store.ts'
import { SqliteSecretStore } from '../../../adapters/embedded/secret-store.ts'
import { MAXIMUM_PDF_BYTES } from '../../../domain/limits.ts'
import { caseStoreContract } from '../../contract/case-store.ts'
import { deviceStoreContract } from '../../contract/device-store.ts'
import { secretStoreContract } from '../../contract/secret-store.ts'
import { objectStoreContract } from '../../contract/object-store.ts'
import { MemoryDeviceStore } from '../../fixtures/memory-devices.ts'
import { CASE_ID, CASE_KEY, keyring, signatureCase } from '../../fixtures/signature-case.ts'

const PREFIX = '/objects/'
const now = () => new Date()

async function openCases(t: Test): Promise<SqliteCaseStore> {
  const store = new SqliteCaseStore(join(t.testdir(), 'cases.sqlite'), now)
  t.teardown(() => store.close())
  return store
}

async function serve(server: ObjectServer, request: IncomingMessage, response: ServerResponse) {
  const { pathname, searchParams } = new URL(request.url!, 'http://localhost')
  const answer = await server.answer({
    method: request.method!,
    key: decodeURIComponent(pathname.slice(PREFIX.length)),
    query: searchParams,
    contentType: request.headers['content-type'],
    contentEncoding: request.headers['content-encoding'],
    contentRange: request.headers['content-range'],
    range: request.headers.range,
    body: request,
  })
  response.writeHead(answer.status, answer.headers)
  if (answer.body instanceof Readable) answer.body.pipe(response)
  else response.end(answer.body)
}

/** Takes every upload. */
const desk = { findRefusal: async () => undefined, onUploaded: () => {} }

async function openObjects(t: Test, onUploaded: (key: string) => void = () => {}) {
  const http = createServer((request, response) => void serve(server, request, response))
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  t.teardown(() => void http.close().closeAllConnections())
  const baseUrl = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const store = new FileObjectStore({ folder: t.testdir(), baseUrl, keyring })
  const server = new ObjectServer(store, keyring, now, { ...desk, onUploaded })
  return store
}

secretStoreContract('SqliteSecretStore', async (t) => {
  const store = new SqliteSecretStore(join(t.testdir(), 'secrets.sqlite'), now)
  t.teardown(() => store.close())
  return store
})
deviceStoreContract('SqliteDeviceStore', async (t) => {
  const store = new SqliteDeviceStore(join(t.testdir(), 'devices.sqlite'), now)
  t.teardown(() => store.close())
  return store
})
deviceStoreContract('MemoryDeviceStore', async () => new MemoryDeviceStore())
caseStoreContract('SqliteCaseStore', openCases)
objectStoreContract('FileObjectStore', openObjects)

t.test('cases are there after a restart, and versions go on from where they were', async (t) => {
  const path = join(t.testdir(), 'cases.sqlite')
  const before = new SqliteCaseStore(path, now)
  const { status: _, ...one } = signatureCase()
  const created = await before.create({ ...one, metadata: { name: CASE_ID, namespace: 'acme' } })
  before.close()
  const after = new SqliteCaseStore(path, now)
  t.teardown(() => after.close())
  t.same(await after.get(CASE_KEY), created)
  const changed = await after.replaceSpec(created)
  t.ok(Number(changed.metadata.resourceVersion) > Number(created.metadata.resourceVersion))
})

t.test('cases of an earlier version, whose table had no annotations, are read', async (t) => {
  const path = join(t.testdir(), 'cases.sqlite')
  const first = new SqliteCaseStore(path, now)
  const { status: _, ...one } = signatureCase()
  await first.create({ ...one, metadata: { name: CASE_ID, namespace: 'acme' } })
  first.close()
  const database = new DatabaseSync(path)
  database.exec('ALTER TABLE signature_case DROP COLUMN annotations')
  database.close()
  const store = new SqliteCaseStore(path, now)
  t.teardown(() => store.close())
  const found = (await store.get(CASE_KEY))!
  t.equal(found.metadata.annotations, undefined)
  const annotations = { 'sigcase.dev/erase': CASE_ID }
  await store.replaceSpec({ ...found, metadata: { ...found.metadata, annotations } })
  t.same((await store.get(CASE_KEY))?.metadata.annotations, annotations)
})

t.test('a second service does not start in the same data directory', async (t) => {
  const folder = t.testdir()
  const release = await takeDataDirectory(folder)
  await t.rejects(takeDataDirectory(folder), DataDirectoryInUseError)
  release()
  const again = await takeDataDirectory(folder)
  again()
})

t.test(
  'a folder that the system creates for no user is refused, not retried for ever',
  async (t) => {
    const error = await takeDataDirectory('/proc/nobody/below').then(String, (fault) => fault)
    t.type(error, DataDirectoryError)
    t.match(error.message, '/proc/nobody/below cannot be used (')
  },
)

t.test('a folder in which nothing can be kept is refused, and is not in use', async (t) => {
  const folder = t.testdir({ file: '', strange: { 'lock.sqlite': 'no database'.repeat(100) } })
  for (const place of ['file', 'file/below', 'strange']) {
    const error = await takeDataDirectory(join(folder, place)).then(String, (fault) => fault)
    t.type(error, DataDirectoryError)
    t.notOk(error instanceof DataDirectoryInUseError, place)
    t.match(error.message, `${join(folder, place)} cannot be used (`)
  }
})

t.test('taking a folder leaves nothing in it but the lock', async (t) => {
  const folder = t.testdir()
  const release = await takeDataDirectory(folder)
  t.teardown(release)
  t.same(
    readdirSync(folder).filter((name) => !name.startsWith('lock.sqlite')),
    [],
  )
})

t.test('an upload that is too large is cut, refused and reported', async (t) => {
  const uploaded: string[] = []
  const store = await openObjects(t, (key) => uploaded.push(key))
  const expiresAt = new Date(Date.now() + 60_000)
  const url = await store.presignPut('in/doc', { contentType: 'application/pdf', expiresAt })
  const body = new Uint8Array(MAXIMUM_PDF_BYTES + 100_000)
  const headers = { 'content-type': 'application/pdf' }
  const status = await fetch(url, { method: 'PUT', body, headers }).then(
    (response) => response.status,
    // The server may close the connection before all was sent.
    () => 413,
  )
  t.equal(status, 413)
  t.same(uploaded, ['in/doc'])
  t.equal((await store.stat('in/doc'))?.size, MAXIMUM_PDF_BYTES + 1)
})

t.test('a process that is killed while it writes leaves whole objects or none', async (t) => {
  const folder = t.testdir()
  const size = 200_000
  const module = import.meta.resolve('../../../adapters/embedded/object-store.ts')
  const script = `
    const { FileObjectStore } = await import(${JSON.stringify(module)})
    const { createSecretKey } = await import('node:crypto')
    const key = { kid: 'k', secret: createSecretKey(new Uint8Array(32)) }
    const keyring = { current: () => key, find: () => undefined }
    const store = new FileObjectStore({ folder: ${JSON.stringify(folder)}, baseUrl: '', keyring })
    for (let n = 0; ; n++) {
      await store.putIfAbsent('objects/' + n, new Uint8Array(${size}).fill(n % 251), 'text/plain')
      if (n === 3) console.log('writing')
    }`
  for (let round = 0; round < 5; round++) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script])
    await once(child.stdout, 'data')
    await setTimeout(10 + round * 7)
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const store = new FileObjectStore({ folder, baseUrl: '', keyring })
  const stats = await store.list('objects/', { limit: 100_000 })
  t.ok(stats.length >= 4)
  for (const { key } of stats) {
    const object = (await store.get(key))!
    const value = Number(key.slice('objects/'.length)) % 251
    if (object.bytes.length !== size || object.bytes.some((byte) => byte !== value)) t.fail(key)
  }
})

t.test('only the owner of the service reads the secrets', async (t) => {
  const folder = t.testdir()
  const store = new SqliteSecretStore(join(folder, 'secrets.sqlite'), now)
  t.teardown(() => store.close())
  await store.create(CASE_KEY, { clientSecret: 's3cret' })
  const modes = readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777)
  t.ok(modes.length > 1, 'the log is a file of its own')
  t.same(new Set(modes), new Set([0o600]))
})

t.test('what a killed process was writing is swept away, and no object with it', async (t) => {
  const folder = t.testdir()
  const store = new FileObjectStore({ folder, baseUrl: '', keyring })
  await store.putIfAbsent('a/b', new Uint8Array(3), 'text/plain')
  await store.writeAside('a/c', [new Uint8Array(3)], 'text/plain')
  const names = () => readdirSync(folder, { recursive: true, encoding: 'utf8' })
  t.equal(names().filter((name) => name.endsWith('.tmp')).length, 1)
  await store.sweep()
  t.equal(names().filter((name) => name.endsWith('.tmp')).length, 0)
  t.equal((await store.get('a/b'))?.size, 3)
  t.ok(await store.putIfAbsent('a/c', new Uint8Array(3), 'text/plain'))
})

t.test(
  'an upload whose body breaks off is refused, leaves nothing and is not reported',
  async (t) => {
    const uploaded: string[] = []
    const folder = t.testdir()
    const baseUrl = 'http://localhost'
    const store = new FileObjectStore({ folder, baseUrl, keyring })
    const server = new ObjectServer(store, keyring, now, {
      ...desk,
      onUploaded: (key) => void uploaded.push(key),
    })
    const expiresAt = new Date(Date.now() + 60_000)
    const url = new URL(await store.presignPut('a/b', { contentType: 'text/plain', expiresAt }))
    async function* body() {
      yield new Uint8Array(100_000)
      throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
    }
    const { status } = await server.answer({
      method: 'PUT',
      key: 'a/b',
      query: url.searchParams,
      contentType: 'text/plain',
      contentEncoding: undefined,
      contentRange: undefined,
      range: undefined,
      body: body(),
    })
    t.equal(status, 400)
    t.same(uploaded, [])
    t.equal(await store.stat('a/b'), undefined)
    t.same(readdirSync(join(folder, '.aside')), [])
  },
)

t.test('one link receives a few uploads at once, and more when those have ended', async (t) => {
  const folder = t.testdir()
  const store = new FileObjectStore({ folder, baseUrl: 'http://localhost', keyring })
  const server = new ObjectServer(store, keyring, now, desk)
  const expiresAt = new Date(Date.now() + 60_000)
  const options = { contentType: 'text/plain', maximumBytes: 1000, expiresAt }
  const { url } = await store.presignBoundedPut('a/b', options)
  const { promise: goOn, resolve: endAll } = Promise.withResolvers<void>()
  async function* slow() {
    yield new Uint8Array(10)
    await goOn
    throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
  }
  const put = (body: AsyncIterable<Uint8Array>) =>
    server.answer({
      method: 'PUT',
      key: 'a/b',
      query: new URL(url).searchParams,
      contentType: 'text/plain',
      contentEncoding: undefined,
      contentRange: undefined,
      range: undefined,
      body,
    })
  const flood = Array.from({ length: 50 }, () => put(slow()))
  const refused = await Promise.all(flood.slice(3))
  t.same(new Set(refused.map(({ status }) => status)), new Set([429]))
  await setTimeout(50)
  t.equal(readdirSync(join(folder, '.aside')).length, 3, 'that much is on the disk')
  endAll()
  for (const { status } of await Promise.all(flood.slice(0, 3))) t.equal(status, 400)
  const { status } = await put(Readable.from([new Uint8Array(10)]))
  t.equal(status, 200, 'uploads that broke off leave their place')
})
