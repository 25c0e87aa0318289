/** Objects of former versions are taken over, also when the process is killed in between. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { FileObjectStore } from '../../../../adapters/embedded/object-store.ts'
import { MAXIMUM_ROW_BYTES } from '../../../../adapters/embedded/objects/rows.ts'
import { writeFormerObject, type FormerObject } from '../../../fixtures/former-objects.ts'
import { keyring } from '../../../fixtures/signature-case.ts'

const CASE = 'tenants/acme/cases/1'
const objectOf = (key: string, size: number): FormerObject => ({
  key,
  bytes: new Uint8Array(size).fill(key.length),
  contentType: 'application/json',
  generation: `generation-of-${key.replaceAll('/', '-')}`,
})
const FORMER = [
  objectOf('canary.json', 100),
  objectOf(`${CASE}/audit/00000001`, 0),
  objectOf(`${CASE}/audit/00000002`, 3_000),
  objectOf(`${CASE}/document.pdf`, MAXIMUM_ROW_BYTES + 1),
  // More than one transaction takes over.
  ...Array.from({ length: 450 }, (_, index) => objectOf(`issued/${1000 + index}`, 50)),
]

function openStore(t: Test, folder: string): FileObjectStore {
  const store = new FileObjectStore({ folder, baseUrl: '', keyring })
  t.teardown(() => store.close())
  return store
}

/** A folder as the former version left it. */
function formerFolder(t: Test): string {
  const folder = t.testdir()
  for (const object of FORMER) writeFormerObject(folder, object)
  return folder
}

const formerFilesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.object'),
  )

async function assertAll(t: Test, store: FileObjectStore): Promise<void> {
  for (const { key, bytes, contentType, generation } of FORMER) {
    const found = await store.get(key)
    if (!found) return void t.fail(`${key} is lost`)
    t.match(found, { key, size: bytes.length, contentType, generation })
    t.ok(Buffer.from(found.bytes).equals(bytes), key)
  }
  const listed = await store.list('', { limit: 1_000 })
  t.same(
    listed.map(({ key }) => key),
    FORMER.map(({ key }) => key).sort(),
  )
}

t.test('objects in files become rows and files of the store, with their generations', async (t) => {
  const folder = formerFolder(t)
  const store = openStore(t, folder)
  await assertAll(t, store)
  t.same(formerFilesIn(folder), [])
  t.notOk(existsSync(join(folder, 'tenants')), 'nor empty folders')
  const [document] = FORMER.filter(({ key }) => key.endsWith('.pdf'))
  const options = { contentType: 'text/plain', generation: document!.generation }
  t.ok(await store.compareAndSwap(document!.key, new Uint8Array(9), options))
})

t.test('several processes take over one folder at the same time', async (t) => {
  const folder = formerFolder(t)
  const stores = [openStore(t, folder), openStore(t, folder), openStore(t, folder)]
  for (const found of await Promise.all(stores.map((store) => store.list('', { limit: 1_000 })))) {
    t.equal(found.length, FORMER.length)
  }
  await assertAll(t, stores[0]!)
})

t.test('a process that was killed before all files had rows is continued', async (t) => {
  const folder = formerFolder(t)
  const later = FORMER.slice(0, 100)
  for (const { key } of later) rmSync(`${join(folder, key)}.object`)
  await openStore(t, folder).list('', { limit: 1 })
  // The state before the mark: some rows exist, and all files do.
  const database = new DatabaseSync(join(folder, 'objects.sqlite'))
  database.exec('PRAGMA user_version = 0')
  database.close()
  for (const object of FORMER) writeFormerObject(folder, object)
  const store = openStore(t, folder)
  await assertAll(t, store)
  t.same(formerFilesIn(folder), [])
})

t.test('after the mark, files are removed unread: a deleted object does not return', async (t) => {
  const folder = formerFolder(t)
  const store = openStore(t, folder)
  await store.delete('canary.json')
  await store.close()
  // The removal was interrupted, or a power failure has undone it.
  for (const object of FORMER.slice(0, 3)) writeFormerObject(folder, object)
  const again = openStore(t, folder)
  t.equal(await again.get('canary.json'), undefined)
  t.equal((await again.list('', { limit: 1_000 })).length, FORMER.length - 1)
  t.same(formerFilesIn(folder), [])
})
