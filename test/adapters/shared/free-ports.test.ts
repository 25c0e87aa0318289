/** Processes find free ports that others do not find at the same time. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import t from 'tap'
import { freePorts, isFree } from '../../../adapters/shared/free-ports.ts'

const MODULE = new URL('../../../adapters/shared/free-ports.ts', import.meta.url).href
const PROCESSES = 6
/** So many random ones would often be found twice. */
const PORTS_EACH = 50

t.test('processes that live find different ports, and give them back', async (t) => {
  const script = `
    import { freePorts } from ${JSON.stringify(MODULE)}
    console.log((await freePorts(${PORTS_EACH})).join(' '))
    process.stdin.resume()`
  const program = join(t.testdir({ 'find.mjs': script }), 'find.mjs')
  const children = Array.from({ length: PROCESSES }, () =>
    spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] }),
  )
  const lines = await Promise.all(
    children.map(({ stdout }) => once(createInterface(stdout), 'line') as Promise<string[]>),
  )
  const found = lines.flatMap(([line = '']) => line.split(' '))
  t.equal(found.length, PROCESSES * PORTS_EACH)
  t.equal(new Set(found).size, found.length)
  await Promise.all(
    children.map((child) => {
      child.stdin.end()
      return once(child, 'exit')
    }),
  )
})

t.test('one process never finds a port twice, nor an ephemeral one', async (t) => {
  const found: number[] = []
  for (let round = 0; round < 100; round++) found.push(...(await freePorts(4)))
  t.equal(new Set(found).size, found.length)
  t.ok(found.every((port) => port >= 20_000 && port < 32_768))
})

t.test('a port in use is not free', async (t) => {
  const [port] = await freePorts(1)
  const server = createServer().listen(port, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  t.equal(await isFree(port ?? 0), false)
})

t.test('an address of another machine is a fault', async (t) => {
  await t.rejects(freePorts(1, '192.0.2.1'), { message: /^listen E/ })
})
