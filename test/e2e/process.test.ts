import t from 'tap'
import { dataDirectory } from './harness.ts'
import { freePort, ready, spawnService } from './service.ts'

t.setTimeout(480_000)

t.test('one line says that it is ready; an interrupt ends it cleanly', async (t) => {
  const DATA_DIR = await dataDirectory(t)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const service = spawnService({ PORT: '0', DATA_DIR })
    const url = await ready(service)
    t.equal((await fetch(`${url}/readyz`)).status, 200)
    t.equal(await service.end(signal), 0)
    const places = `data in ${DATA_DIR}, mails at ${url}/dev/mailbox`
    t.equal(service.output(), `sigcase ready on ${url} (${places})\n`)
  }
})

t.test('ending npm start ends the service, and its port is free', async (t) => {
  const DATA_DIR = await dataDirectory(t)
  const PORT = String(await freePort())
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const npm = spawnService({ PORT, DATA_DIR }, ['npm', 'start'])
    const url = await ready(npm)
    t.equal((await fetch(`${url}/healthz`)).status, 200)
    await npm.end(signal)
    await t.rejects(fetch(`${url}/healthz`), `nobody answers after ${signal}`)
    const next = spawnService({ PORT, DATA_DIR })
    t.equal(await ready(next), url, 'another service takes port and folder at once')
    await next.end('SIGTERM')
  }
})

t.test(
  'an interrupt that comes twice, as npm and a terminal tell it, ends it cleanly',
  async (t) => {
    const service = spawnService({ PORT: '0', DATA_DIR: await dataDirectory(t) })
    await ready(service)
    service.child.kill('SIGINT')
    t.equal(await service.end('SIGINT'), 0)
  },
)

t.test('a port that is taken, and a folder that is, get one clear sentence', async (t) => {
  const DATA_DIR = await dataDirectory(t)
  const PORT = String(await freePort())
  const service = spawnService({ PORT, DATA_DIR })
  t.teardown(() => service.end('SIGKILL'))
  await ready(service)
  const samePort = spawnService({ PORT, DATA_DIR: await dataDirectory(t) })
  await t.rejects(ready(samePort))
  t.match(samePort.output(), /^sigcase cannot listen: the port is taken; .*\n$/)
  const sameFolder = spawnService({ PORT: '0', DATA_DIR })
  await t.rejects(ready(sameFolder))
  t.match(sameFolder.output(), /^sigcase cannot start: another service works in .*\n$/)
  const noFolder = spawnService({ PORT: '0', DATA_DIR: '/dev/null' })
  await t.rejects(ready(noFolder))
  t.match(noFolder.output(), /^sigcase cannot start: \/dev\/null cannot be used .* DATA_DIR .*\n$/)
  t.equal(samePort.child.exitCode, 1)
  t.equal(sameFolder.child.exitCode, 1)
})

t.test('a configuration that cannot be used is told before anything starts', async (t) => {
  const service = spawnService({ PORT: 'eighty', LOG_LEVEL: 'loud' })
  await t.rejects(ready(service))
  t.match(service.output(), /PORT: "eighty" is not .*\n.*LOG_LEVEL: "loud" is not /)
})
