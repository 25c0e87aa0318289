import t, { type Test } from 'tap'
import { connectRedis } from '../../../adapters/redis/connect.ts'
import { RedisEphemeral } from '../../../adapters/redis/ephemeral.ts'
import { expiringTablesContract, readAll } from '../../contract/rest-stores.ts'
import { MemoryTables } from '../../fixtures/memory-rests.ts'
import { RedisServer, withoutRedis } from '../../fixtures/redis-server.ts'
import { until } from '../../fixtures/until.ts'

const LONG_MS = 60_000
const nothing = () => undefined
const needsRedis = { skip: withoutRedis }

let opened = 0

/** Tables of a service of its own. */
async function tablesOn(server: RedisServer) {
  const options = { prefix: `service-${opened++}`, onError: nothing }
  const ephemeral = new RedisEphemeral({ ...options, client: connectRedis(server.url, nothing) })
  t.teardown(() => ephemeral.close())
  await until(() => ephemeral.tables.life().then(Boolean, () => false))
  return ephemeral.tables
}

async function started(t: Test, ...options: string[]) {
  const server = await RedisServer.start(...options)
  t.teardown(() => server.close())
  return { server, tables: await tablesOn(server) }
}

expiringTablesContract('MemoryTables', async () => new MemoryTables(() => new Date()))
if (!withoutRedis) {
  const server = await RedisServer.start()
  expiringTablesContract('RedisTables', () => tablesOn(server))
  t.teardown(() => server.close())
}

t.test('a wipe begins another life, and so does a start', needsRedis, async (t) => {
  const { server, tables } = await started(t, '--appendonly', 'yes', '--appendfsync', 'always')
  await tables.write('one', [['a', '1']], LONG_MS)
  const first = await tables.life()
  await server.kill()
  await server.restart()
  await until(() => tables.life().then(Boolean, () => false))
  const second = await tables.life()
  t.not(second, first)
  t.equal((await readAll(tables, 'one')).size, 1, 'although the rows outlived it')
  await server.command('FLUSHALL')
  t.not(await tables.life(), second)
})

t.test('a table has one key, which expires', needsRedis, async (t) => {
  const { server, tables } = await started(t)
  await tables.write('one', [['a', '1']], LONG_MS)
  const keys = (await server.command('KEYS', '*/table/*')) as string[]
  t.match(keys, [/^service-\d+\/table\/one$/])
  t.ok(Number(await server.command('PTTL', keys[0] ?? '')) > 0)
})

t.test('while redis is down every call fails', needsRedis, async (t) => {
  const { server, tables } = await started(t)
  await server.kill()
  await until(() => tables.life().then(() => false, () => true)) // prettier-ignore
  const timeout = { name: 'ServiceError', code: 'TIMEOUT' }
  await t.rejects(tables.write('one', [['a', '1']], LONG_MS), timeout)
  await t.rejects(tables.delete('one', ['a']), timeout)
  await t.rejects(readAll(tables, 'one'), timeout)
})
