import { once } from 'node:events'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { buildPrograms } from '../../dev/build-programs.ts'
import { ROOT } from '../fixtures/source-tree.ts'
import { until } from '../fixtures/until.ts'
import { clientFor, dataDirectory } from './harness.ts'
import { freePort, ready, spawnService } from './service.ts'

t.setTimeout(600_000)

/** More than the time in which two signals count as one. */
const AGAIN_MS = 800

/** All that a service prints which starts and ends well. */
const readyLine = (url: string, folder: string) =>
  `sigcase ready on ${url} (data in ${folder}, mails at ${url}/dev/mailbox)\n`

t.test(
  'one line says that it is ready; an interrupt from npm and from the terminal ends it',
  async (t) => {
    const DATA_DIR = await dataDirectory(t)
    const service = spawnService({ PORT: '0', DATA_DIR })
    const url = await ready(service)
    t.equal((await fetch(`${url}/readyz`)).status, 200)
    service.child.kill('SIGINT')
    t.equal(await service.end('SIGINT'), 0)
    t.equal(service.output(), readyLine(url, DATA_DIR))
  },
)

t.test('ending npm start ends the service, and its port is free', async (t) => {
  const DATA_DIR = await dataDirectory(t)
  const PORT = String(await freePort())
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const npm = spawnService({ PORT, DATA_DIR }, ['npm', 'start'])
    const url = await ready(npm)
    t.equal((await fetch(`${url}/healthz`)).status, 200)
    await npm.end(signal)
    await t.rejects(fetch(`${url}/healthz`), `no server answers after ${signal}`)
  }
  const next = spawnService({ PORT, DATA_DIR })
  t.equal(new URL(await ready(next)).port, PORT, 'another service takes port and folder at once')
  await next.end('SIGTERM')
})

t.test('the bundle of npm start names sources, and no place of this machine', async (t) => {
  const bundles = await buildPrograms()
  const bundle = join(bundles, 'main.js')
  const lines = readFileSync(bundle, 'utf8').split('\n')
  const line = lines.findIndex((text) => text.includes('console.log(`sigcase ready on'))
  const map = JSON.parse(readFileSync(`${bundle}.map`, 'utf8')) as SourceMapPayload
  const column = lines[line]?.indexOf('console') ?? -1
  const entry = new SourceMap(map).findEntry(line, column) as Partial<Record<string, unknown>>
  const main = 'runtime/embedded/main.ts'
  t.equal(join(bundles, `${entry.originalSource as string}`), join(ROOT, main))
  const source = readFileSync(join(ROOT, main), 'utf8').split('\n')[Number(entry.originalLine)]
  t.match(source, 'console.log(`sigcase ready on')
  for (const file of globSync('*', { cwd: bundles })) {
    const text = readFileSync(join(bundles, file), 'utf8')
    t.notOk(text.includes(join(ROOT, '/')), `${file} does not say where it was built`)
  }
})

/** Opens a new connection. @returns its outcome: `answered`, or the code of the error */
const probe = (url: string): Promise<string> =>
  fetch(`${url}/healthz`, { headers: { connection: 'close' } }).then(
    async (answer) => {
      await answer.body?.cancel()
      return 'answered'
    },
    ({ cause }: { cause?: { code?: string } }) => String(cause?.code),
  )
const untilRefused = (url: string) => until(async () => (await probe(url)) === 'ECONNREFUSED')

/** A request whose body comes later. @returns sends the rest, and gives all that was received */
async function beginRequest(url: string) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const body = '{"key":"none"}'
  const head = 'POST /verify HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
  socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`)
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => (received += text))
  const closed = once(socket, 'close')
  socket.on('error', () => undefined)
  // The service takes connections in their order: it has this one when it answers a later one.
  await until(async () => (await probe(url)) === 'answered')
  return async () => {
    socket.write(body.slice(5))
    await closed
    return received
  }
}

t.test('a request that is under way at the end is answered', async (t) => {
  const DATA_DIR = await dataDirectory(t)
  const service = spawnService({ PORT: '0', DATA_DIR })
  const url = await ready(service)
  const finish = await beginRequest(url)
  const ended = service.end('SIGTERM')
  await untilRefused(url)
  t.match(await finish(), /^HTTP\/1\.1 404 [^]*\r\nconnection: close\r\n[^]*DOCUMENT_NOT_FOUND/)
  t.equal(await ended, 0)
  t.equal(service.output(), readyLine(url, DATA_DIR))
})

t.test('it accepts requests for the configured delay, and says that it ends', async (t) => {
  const DATA_DIR = await dataDirectory(t)
  const service = spawnService({ PORT: '0', DATA_DIR, SHUTDOWN_DELAY_MS: '4000' })
  const url = await ready(service)
  const startedMs = performance.now()
  const ended = service.end('SIGTERM')
  await until(async () => (await fetch(`${url}/readyz`)).status === 503)
  t.equal((await fetch(`${url}/healthz`)).status, 200)
  t.equal(await ended, 0)
  t.ok(performance.now() - startedMs >= 4_000)
  await t.rejects(fetch(`${url}/healthz`))
})

t.test('a second signal, and the end of the grace, end it whatever runs', async (t) => {
  for (const SHUTDOWN_GRACE_MS of ['60000', '1000']) {
    const DATA_DIR = await dataDirectory(t)
    const service = spawnService({ PORT: '0', DATA_DIR, SHUTDOWN_GRACE_MS })
    const url = await ready(service)
    await beginRequest(url)
    const startedMs = performance.now()
    const ended = service.end('SIGTERM')
    // The first signal was received when the service takes no more connections. A second one that
    // follows it at once counts as the same.
    await untilRefused(url)
    await sleep(AGAIN_MS)
    const isFirst = SHUTDOWN_GRACE_MS === '60000'
    if (isFirst) service.child.kill('SIGTERM')
    t.equal(await ended, isFirst ? 1 : 0)
    t.ok(performance.now() - startedMs < 50_000, 'before the longer grace is over')
  }
})

t.test('a port or folder that cannot be used gets one clear sentence', async (t) => {
  const DATA_DIR = await dataDirectory(t)
  const PORT = String(await freePort())
  const service = spawnService({ PORT, DATA_DIR })
  t.teardown(() => service.end('SIGKILL'))
  await ready(service)
  const samePort = spawnService({ PORT, DATA_DIR: await dataDirectory(t) })
  await t.rejects(ready(samePort))
  t.match(samePort.output(), /^sigcase cannot listen: the port is in use; .*\n$/)
  const sameFolder = spawnService({ PORT: '0', DATA_DIR })
  await t.rejects(ready(sameFolder))
  t.match(sameFolder.output(), /^sigcase cannot start: another service uses .*\n$/)
  const noFolder = spawnService({ PORT: '0', DATA_DIR: '/dev/null' })
  await t.rejects(ready(noFolder))
  t.match(noFolder.output(), /^sigcase cannot start: \/dev\/null cannot be used .* DATA_DIR .*\n$/)
  const damagedFolder = await dataDirectory(t)
  writeFileSync(join(damagedFolder, 'devices.sqlite'), 'not a database'.repeat(1_000))
  const damaged = spawnService({ PORT: '0', DATA_DIR: damagedFolder })
  await t.rejects(ready(damaged))
  t.match(
    damaged.output(),
    /^sigcase cannot start: .*devices\.sqlite cannot be read .* backup.*\n$/,
  )
  t.equal(samePort.child.exitCode, 1)
  t.equal(sameFolder.child.exitCode, 1)
})

t.test('a configuration that cannot be used is reported before anything starts', async (t) => {
  const service = spawnService({ PORT: 'eighty', LOG_LEVEL: 'loud' })
  await t.rejects(ready(service))
  t.match(service.output(), /PORT: "eighty" is not .*\n.*LOG_LEVEL: "loud" is not /)
})

/** Fails each synchronisation of the log of cases while the file exists. */
const failingDisk = (file: string) => `
  import fs from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'
  const { fdatasync, existsSync } = fs
  fs.fdatasync = (descriptor, done) => {
    if (!existsSync(${JSON.stringify(file)})) return fdatasync(descriptor, done)
    done(Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' }))
  }
  syncBuiltinESMExports()`

t.test('a service whose disk failed ends, and another one goes on', async (t) => {
  const DATA_DIR = await dataDirectory(t)
  const folder = t.testdir({ 'failing.mjs': '' })
  const broken = join(folder, 'broken')
  const preload = join(folder, 'failing.mjs')
  writeFileSync(preload, failingDisk(broken))
  const failing = spawnService({ PORT: '0', DATA_DIR, NODE_OPTIONS: `--import=${preload}` })
  const url = await ready(failing)
  const client = await clientFor(DATA_DIR, () => url)
  const { case: kept } = await client.create('Kept', [{}])
  writeFileSync(broken, '')
  const ended = once(failing.child, 'exit')
  await client.create('Lost', [{}]).catch(() => undefined)
  t.same(await ended, [1, null])
  t.match(failing.output(), /cases may not have reached the disk \(EIO: i\/o error, fdatasync\)/)
  const next = spawnService({ PORT: '0', DATA_DIR })
  const nextUrl = await ready(next)
  const again = await clientFor(DATA_DIR, () => nextUrl)
  t.match(await again.get(kept.id), { title: 'Kept' })
  t.equal(await next.end('SIGTERM'), 0)
})
