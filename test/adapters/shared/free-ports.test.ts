/** Processes find free ports that others do not find at the same time. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import process from 'node:process'
import { promisify } from 'node:util'
import t from 'tap'
import { freePorts, isFree } from '../../../adapters/shared/free-ports.ts'

const MODULE = new URL('../../../adapters/shared/free-ports.ts', import.meta.url).href
const PROCESSES = 8
const PORTS_EACH = 16

t.test('processes that run at once find different ports', async (t) => {
  const script = `
    const { freePorts } = await import(${JSON.stringify(MODULE)})
    console.log((await freePorts(${PORTS_EACH})).join(' '))`
  const run = promisify(execFile)
  const outputs = await Promise.all(
    Array.from({ length: PROCESSES }, () =>
      run(process.execPath, ['--input-type=module', '--eval', script]),
    ),
  )
  const found = outputs.flatMap(({ stdout }) => stdout.trim().split(' '))
  t.equal(found.length, PROCESSES * PORTS_EACH)
  t.equal(new Set(found).size, found.length)
})

t.test('one process finds different ports in a row, below the ephemeral ones', async (t) => {
  const found = [...(await freePorts(4)), ...(await freePorts(4)), ...(await freePorts(4))]
  t.equal(new Set(found).size, 12)
  for (const port of found) t.ok(port >= 20_000 && port < 32_768)
})

t.test('ports in use are skipped, also when all of its own are', async (t) => {
  const own = await freePorts(16)
  const servers = own.map((port) => createServer().listen(port, '127.0.0.1'))
  t.teardown(() => servers.forEach((server) => server.close()))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  t.equal(await isFree(own[0] ?? 0), false)
  const [other] = await freePorts(1)
  t.notOk(own.includes(other ?? 0))
})

t.test('an address of another machine is a fault', async (t) => {
  await t.rejects(freePorts(1, '192.0.2.1'), { code: 'EADDRNOTAVAIL' })
})
