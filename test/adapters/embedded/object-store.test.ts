/** Objects on one machine keep the contract of their port, and survive a process that is killed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import t, { type Test } from 'tap'
import { FileObjectStore } from '../../../adapters/embedded/object-store.ts'
import { MAXIMUM_ROW_BYTES } from '../../../adapters/embedded/objects/rows.ts'
import { objectStoreContract } from '../../contract/object-store.ts'
import { openObjects } from '../../fixtures/served-objects.ts'
import { keyring } from '../../fixtures/signature-case.ts'

const TEXT = 'text/plain'
const SMALL = 2_000
const LARGE = MAXIMUM_ROW_BYTES + 1
const ROUNDS = 4
const MODULE = import.meta.resolve('../../../adapters/embedded/object-store.ts')

function openStore(t: Test, folder: string): FileObjectStore {
  const store = new FileObjectStore({ folder, baseUrl: '', keyring })
  t.teardown(() => store.close())
  return store
}

/** Runs a script with a `store` of its own in another process. */
const runScript = (folder: string, script: string) =>
  spawn(process.execPath, [
    '--input-type=module',
    '-e',
    `
    const { FileObjectStore } = await import(${JSON.stringify(MODULE)})
    const { createSecretKey } = await import('node:crypto')
    const key = { kid: 'k', secret: createSecretKey(new Uint8Array(32)) }
    const keyring = { current: () => key, find: () => undefined }
    const store = new FileObjectStore({ folder: ${JSON.stringify(folder)}, baseUrl: '', keyring })
    ${script}`,
  ])

const filled = (n: number, size: number) => new Uint8Array(size).fill(n % 251)
/** Small and large objects in turn. */
const sizeOf = (n: number) => (n % 3 === 0 ? LARGE : SMALL)

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
const largeIn = (folder: string) => filesIn(folder).filter((path) => path.includes('/large/'))
const asideIn = (folder: string) => filesIn(folder).filter((path) => path.includes('/.aside/'))

objectStoreContract('FileObjectStore', (t) => openObjects(t))
objectStoreContract('FileObjectStore with files only', (t) =>
  openObjects(t, undefined, { maximumRowBytes: 0 }),
)

t.test('a process that is killed loses nothing that it acknowledged', async (t) => {
  const folder = t.testdir()
  const acknowledged = new Set<number>()
  for (let round = 0; round < ROUNDS; round++) {
    const child = runScript(
      folder,
      `const write = async (n) => {
        const size = n % 3 === 0 ? ${LARGE} : ${SMALL}
        await store.putIfAbsent('objects/' + n, new Uint8Array(size).fill(n % 251), '${TEXT}')
        console.log(n)
      }
      for (let n = ${round * 1_000_000}; ; n += 4) {
        await Promise.all([write(n), write(n + 1), write(n + 2), write(n + 3)])
      }`,
    )
    let written = 0
    for await (const line of createInterface(child.stdout)) {
      acknowledged.add(Number(line))
      // The lines that are in the pipe were acknowledged too.
      if (++written === 10 + round) child.kill('SIGKILL')
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  const store = openStore(t, folder)
  await store.sweep()
  for (const n of acknowledged) {
    const object = await store.get(`objects/${n}`)
    if (!object) t.fail(`object ${n} is lost`)
    else t.ok(Buffer.from(object.bytes).equals(filled(n, sizeOf(n))), `object ${n} is whole`)
  }
  t.ok(acknowledged.size >= ROUNDS * 10)
  const stats = await store.list('objects/', { limit: 100_000 })
  for (const { key, size } of stats) t.equal((await store.get(key))?.bytes.length, size, key)
  t.same(asideIn(folder), [])
  t.equal(largeIn(folder).length, stats.filter(({ size }) => size === LARGE).length)
})

t.test('small objects have no files of their own', async (t) => {
  const folder = t.testdir()
  const store = openStore(t, folder)
  const keys = Array.from({ length: 40 }, (_, index) => `a/${index}`)
  await Promise.all(keys.map((key) => store.putIfAbsent(key, filled(1, SMALL), TEXT)))
  const names = filesIn(folder).map((path) => path.slice(folder.length + 1))
  t.same(names.sort(), ['objects.sqlite', 'objects.sqlite-shm', 'objects.sqlite-wal'])
})

t.test('large objects are files, which a replacement and a deletion remove', async (t) => {
  const folder = t.testdir()
  const store = openStore(t, folder)
  const first = await store.putIfAbsent('a/b', filled(1, LARGE), TEXT)
  t.equal(largeIn(folder).length, 1)
  const options = { contentType: TEXT, generation: first }
  const second = await store.compareAndSwap('a/b', filled(2, LARGE), options)
  t.ok(second)
  t.equal(largeIn(folder).length, 1)
  t.same((await store.get('a/b'))?.bytes, filled(2, LARGE))
  t.notOk(await store.compareAndSwap('a/b', filled(3, LARGE), options))
  const small = { contentType: TEXT, generation: second }
  t.ok(await store.compareAndSwap('a/b', filled(4, SMALL), small))
  t.same(largeIn(folder), [])
  t.ok(await store.putIfAbsent('a/c', filled(5, LARGE), TEXT))
  await store.delete('a/c')
  t.same(largeIn(folder), [])
  t.same(asideIn(folder), [], 'of those that lost a race, nothing remains')
})

t.test('nothing of a deleted object is left in the folder', async (t) => {
  const folder = t.testdir()
  const store = openStore(t, folder)
  const secret = 'the name of a participant'
  await store.putIfAbsent('a/small', new TextEncoder().encode(secret.repeat(50)), TEXT)
  await store.putIfAbsent('a/large', new TextEncoder().encode(secret.repeat(LARGE / 20)), TEXT)
  const holders = () => filesIn(folder).filter((path) => readFileSync(path).includes(secret))
  t.ok(holders().length >= 2)
  await store.delete('a/small')
  await store.delete('a/large')
  await store.close()
  t.same(holders(), [])
})

t.test('what a killed process was writing is swept away, and no object with it', async (t) => {
  const folder = t.testdir()
  const store = openStore(t, folder)
  await store.putIfAbsent('a/b', filled(1, LARGE), TEXT)
  await store.receive([filled(2, LARGE)], TEXT)
  t.equal(asideIn(folder).length, 1)
  await store.sweep()
  t.same(asideIn(folder), [])
  t.equal((await store.get('a/b'))?.size, LARGE)
  t.ok(await store.putIfAbsent('a/c', filled(3, LARGE), TEXT))
})

t.test('several processes share a folder: of all that swap one generation, one wins', async (t) => {
  const folder = t.testdir()
  const PROCESSES = 3
  const SWAPS = 15
  const script = `
    for (let done = 0; done < ${SWAPS}; ) {
      const current = await store.get('counter')
      const value = current ? new Uint32Array(current.bytes.slice().buffer)[0] : 0
      const bytes = new Uint8Array(new Uint32Array([value + 1]).buffer)
      const options = { contentType: '${TEXT}', generation: current?.generation }
      // A write that waits too long for the other processes fails, and is tried again.
      if (await store.compareAndSwap('counter', bytes, options).catch(() => undefined)) done++
    }
    await store.close()`
  const store = openStore(t, folder)
  t.equal(await store.stat('counter'), undefined)
  const children = Array.from({ length: PROCESSES }, () => runScript(folder, script))
  for (const child of children) child.stderr.pipe(process.stderr)
  const ends = children.map(async (child) => (await once(child, 'exit'))[0] as number)
  t.same(await Promise.all(ends), [0, 0, 0])
  const counter = await store.get('counter')
  t.equal(new Uint32Array(counter!.bytes.slice().buffer)[0], PROCESSES * SWAPS)
})

t.test('a store sees at once what another one has written', async (t) => {
  const folder = t.testdir()
  const [store, other] = [openStore(t, folder), openStore(t, folder)]
  const stored = await store.putIfAbsent('a/b', filled(1, SMALL), TEXT)
  t.match(await other.stat('a/b'), { generation: stored, contentType: TEXT })
  const options = { contentType: 'text/html', generation: stored }
  const replaced = await other.compareAndSwap('a/b', filled(1, LARGE), options)
  t.match(await store.stat('a/b'), { generation: replaced, contentType: 'text/html' })
  await other.delete('a/b')
  t.equal(await store.stat('a/b'), undefined)
  t.same(await store.list('a/', { limit: 9 }), [])
})
