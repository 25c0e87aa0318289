import t from 'tap'
import { dataDirectory } from './harness.ts'
import { freePort, ready, spawnService } from './service.ts'

t.setTimeout(120_000)

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
  t.equal(samePort.child.exitCode, 1)
  t.equal(sameFolder.child.exitCode, 1)
})

t.test('a configuration that cannot be used is told before anything starts', async (t) => {
  const service = spawnService({ PORT: 'eighty', LOG_LEVEL: 'loud' })
  await t.rejects(ready(service))
  t.match(service.output(), /PORT: "eighty" is not .*\n.*LOG_LEVEL: "loud" is not /)
})
