import t from 'tap'
import { ReadObjects, snapshotFolder } from '../../../application/store/folder-snapshot.ts'
import { encodeJson } from '../../../domain/json-object.ts'
import { MemoryObjectStore } from '../../fixtures/memory-objects.ts'

const FOLDER = 'tenants/acme/cases/1/'

async function build(names: readonly string[], read = new ReadObjects()) {
  const objects = new MemoryObjectStore(() => new Date(0))
  for (const name of names) objects.upload(FOLDER + name, encodeJson({ name }))
  return { objects, read, snapshot: await snapshotFolder(objects, FOLDER, read) }
}

const keysOf = (stats: readonly { key: string }[]) =>
  stats.map(({ key }) => key.slice(FOLDER.length))

t.test('listings, stats and reads are answered from one listing', async (t) => {
  const { objects, snapshot } = await build(['a', 'b/1', 'b/2', 'c'])
  objects.upload(`${FOLDER}later`, encodeJson({}))
  objects.list = async () => t.fail('listed again') as never
  t.same(keysOf(await snapshot.list(FOLDER, { limit: 9 })), ['a', 'b/1', 'b/2', 'c'])
  t.same(keysOf(await snapshot.list(`${FOLDER}b/`, { limit: 9 })), ['b/1', 'b/2'])
  t.same(keysOf(await snapshot.list(FOLDER, { limit: 2, after: `${FOLDER}a` })), ['b/1', 'b/2'])
  t.match(await snapshot.stat(`${FOLDER}a`), { key: `${FOLDER}a`, generation: '1' })
  t.equal(await snapshot.stat(`${FOLDER}later`), undefined)
  t.equal(await snapshot.get(`${FOLDER}later`), undefined)
  t.match(await snapshot.get(`${FOLDER}a`), { bytes: encodeJson({ name: 'a' }) })
  t.same(objects.gets, [`${FOLDER}a`])
})

t.test('keys of other folders are read from the store', async (t) => {
  const { objects, snapshot } = await build([])
  objects.upload('redeliveries/1', encodeJson({}))
  t.ok(await snapshot.stat('redeliveries/1'))
  t.ok(await snapshot.get('redeliveries/1'))
  t.equal((await snapshot.list('redeliveries/', { limit: 9 })).length, 1)
})

t.test('a small object is read once for each generation, a large one each time', async (t) => {
  const { objects, read, snapshot } = await build(['a'])
  objects.upload(`${FOLDER}large`, new Uint8Array(20_000))
  const next = await snapshotFolder(objects, FOLDER, read)
  for (const one of [snapshot, next, next]) await one.get(`${FOLDER}a`)
  await next.get(`${FOLDER}large`)
  await next.get(`${FOLDER}large`)
  t.same(objects.gets, [`${FOLDER}a`, `${FOLDER}large`, `${FOLDER}large`])
  objects.upload(`${FOLDER}a`, encodeJson({ name: 'other' }))
  const last = await snapshotFolder(objects, FOLDER, read)
  t.match(await last.get(`${FOLDER}a`), { bytes: encodeJson({ name: 'other' }) })
})

t.test('an object that became large after its listing is not kept', async (t) => {
  const { objects, read, snapshot } = await build(['a'])
  objects.upload(`${FOLDER}a`, new Uint8Array(20_000))
  await snapshot.get(`${FOLDER}a`)
  const next = await snapshotFolder(objects, FOLDER, read)
  await next.get(`${FOLDER}a`)
  t.same(objects.gets, [`${FOLDER}a`, `${FOLDER}a`])
})

t.test('an object that was removed since its listing is absent', async (t) => {
  const { objects, snapshot } = await build(['a'])
  await objects.delete(`${FOLDER}a`)
  t.equal(await snapshot.get(`${FOLDER}a`), undefined)
})

t.test('a recent listing is used again, and what it lacks is looked for', async (t) => {
  const { objects, read } = await build(['a'])
  await snapshotFolder(objects, FOLDER, read, 1_000)
  objects.list = async () => t.fail('listed again') as never
  objects.upload(`${FOLDER}later`, encodeJson({}))
  const recent = read.recent(FOLDER, 60_999, objects)
  t.same(keysOf((await recent?.list(FOLDER, { limit: 9 })) ?? []), ['a'])
  t.ok(await recent?.stat(`${FOLDER}a`))
  t.ok(await recent?.stat(`${FOLDER}later`))
  t.ok(await recent?.get(`${FOLDER}later`))
  t.equal(await recent?.get(`${FOLDER}never`), undefined)
})

t.test('a listing is recent for a minute of a clock that moves forward', async (t) => {
  const { objects, read } = await build(['a'])
  t.equal(read.recent(FOLDER, 0, objects), undefined, 'not listed yet')
  await snapshotFolder(objects, FOLDER, read, 1_000)
  t.equal(read.recent(FOLDER, 61_000, objects), undefined)
  t.equal(read.recent(FOLDER, 999, objects), undefined)
  await snapshotFolder(objects, `${FOLDER}b/`, read)
  t.equal(read.recent(`${FOLDER}b/`, 1_000, objects), undefined, 'its time is not known')
})

t.test('a listing that was to be forgotten while it ran is not kept', async (t) => {
  const { objects, read } = await build(['a'])
  const { list } = objects
  objects.list = async (...asked) => {
    const listed = await list.apply(objects, asked)
    objects.upload(`${FOLDER}receipt`, encodeJson({}))
    read.forgetListing(FOLDER)
    return listed
  }
  const snapshot = await snapshotFolder(objects, FOLDER, read, 1_000)
  t.same(keysOf(await snapshot.list(FOLDER, { limit: 9 })), ['a'])
  t.equal(read.recent(FOLDER, 1_000, objects), undefined, 'the next run lists the receipt')
  objects.list = list
  await snapshotFolder(objects, FOLDER, read, 1_000)
  t.ok(read.recent(FOLDER, 1_000, objects))
})

t.test('a listing that fails passes its error on, and is not recent', async (t) => {
  const { objects, read } = await build(['a'])
  await snapshotFolder(objects, FOLDER, read, 1_000)
  objects.list = async () => Promise.reject(new Error('the store is away'))
  await t.rejects(snapshotFolder(objects, FOLDER, read, 2_000), { message: /away/ })
  t.equal(read.recent(FOLDER, 2_000, objects), undefined)
})
