/** Uploads through presigned URLs: too large, broken off, or too many at once. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { ObjectServer } from '../../../adapters/embedded/object-server.ts'
import { FileObjectStore } from '../../../adapters/embedded/object-store.ts'
import { MAXIMUM_ROW_BYTES } from '../../../adapters/embedded/objects/rows.ts'
import { MAXIMUM_PDF_BYTES } from '../../../domain/limits.ts'
import { allUploads, now, openObjects } from '../../fixtures/served-objects.ts'
import { keyring } from '../../fixtures/signature-case.ts'

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

t.test(
  'an upload whose body breaks off is refused, leaves nothing and is not reported',
  async (t) => {
    const uploaded: string[] = []
    const folder = t.testdir()
    const baseUrl = 'http://localhost'
    const store = new FileObjectStore({ folder, baseUrl, keyring })
    t.teardown(() => store.close())
    const server = new ObjectServer(store, keyring, now, {
      ...allUploads,
      onUploaded: (key) => void uploaded.push(key),
    })
    const expiresAt = new Date(Date.now() + 60_000)
    const url = new URL(await store.presignPut('a/b', { contentType: 'text/plain', expiresAt }))
    async function* body() {
      yield new Uint8Array(MAXIMUM_ROW_BYTES)
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
  t.teardown(() => store.close())
  const server = new ObjectServer(store, keyring, now, allUploads)
  const expiresAt = new Date(Date.now() + 60_000)
  const maximumBytes = 2 * MAXIMUM_ROW_BYTES
  const options = { contentType: 'text/plain', maximumBytes, isAnnounced: true, expiresAt }
  const { url } = await store.presignBoundedPut('a/b', options)
  const { promise: goOn, resolve: endAll } = Promise.withResolvers<void>()
  async function* slow() {
    yield new Uint8Array(MAXIMUM_ROW_BYTES + 1)
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
  const onDisk = () => readdirSync(folder).includes('.aside') && readdirSync(join(folder, '.aside'))
  for (let files = onDisk(); !files || files.length < 3; files = onDisk()) await setImmediate()
  t.equal(readdirSync(join(folder, '.aside')).length, 3, 'that much is on the disk')
  endAll()
  for (const { status } of await Promise.all(flood.slice(0, 3))) t.equal(status, 400)
  const { status } = await put(Readable.from([new Uint8Array(10)]))
  t.equal(status, 200, 'uploads that broke off leave their place')
})

t.test(
  'an upload that cannot be stored is read to its end, so its connection serves on',
  async (t) => {
    const failure = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    const expiresAt = new Date(Date.now() + 60_000)
    for (const partsUntilFull of [0, 1, 2]) {
      const folder = t.testdir()
      const store = new FileObjectStore({ folder, baseUrl: 'http://localhost', keyring })
      t.teardown(() => store.close())
      store.receive = async (parts) => {
        let count = 0
        if (partsUntilFull > 0) for await (const _ of parts) if (++count === partsUntilFull) break
        throw failure
      }
      const server = new ObjectServer(store, keyring, now, allUploads)
      const url = new URL(await store.presignPut('a/b', { contentType: 'text/plain', expiresAt }))
      const body = Readable.from(Array.from({ length: 10 }, () => new Uint8Array(1_000)))
      const answer = server.answer({
        method: 'PUT',
        key: 'a/b',
        query: url.searchParams,
        contentType: 'text/plain',
        contentEncoding: undefined,
        contentRange: undefined,
        range: undefined,
        body,
      })
      await t.rejects(answer, { code: 'ENOSPC' })
      t.ok(body.readableEnded, `after ${partsUntilFull} parts`)
    }
  },
)
