/** Objects in files keep the contract of their port, and survive a process that is killed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { FileObjectStore } from '../../../adapters/embedded/object-store.ts'
import { objectStoreContract } from '../../contract/object-store.ts'
import { openObjects } from '../../fixtures/served-objects.ts'
import { keyring } from '../../fixtures/signature-case.ts'

objectStoreContract('FileObjectStore', openObjects)

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

t.test('a description in memory does not outlive its file', async (t) => {
  const folder = t.testdir()
  const open = () => new FileObjectStore({ folder, baseUrl: '', keyring })
  const [store, other] = [open(), open()]
  const stored = await store.putIfAbsent('a/b', new Uint8Array(3), 'text/plain')
  for (let times = 0; times < 2; times++) {
    t.match(await store.stat('a/b'), { generation: stored, contentType: 'text/plain' })
  }
  const options = { contentType: 'text/html', generation: stored }
  const replaced = await other.compareAndSwap('a/b', new Uint8Array(3), options)
  t.match(await store.stat('a/b'), { generation: replaced, contentType: 'text/html' })
  await other.delete('a/b')
  t.equal(await store.stat('a/b'), undefined)
  t.same(await store.list('a/', { limit: 9 }), [])
})
