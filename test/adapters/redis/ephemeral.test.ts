import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { connectRedis } from '../../../adapters/redis/connect.ts'
import { RedisEphemeral } from '../../../adapters/redis/ephemeral.ts'
import { ephemeralContract } from '../../contract/ephemeral.ts'
import { watchCores } from '../../fixtures/busy.ts'
import { RedisServer, withoutRedis } from '../../fixtures/redis-server.ts'
import { until } from '../../fixtures/until.ts'

const TIMEOUT = { name: 'ServiceError', code: 'TIMEOUT' }
const LONG_MS = 60_000

let opened = 0

/** Another service's values, unless a prefix is shared. */
function ephemeralOn(server: RedisServer, prefix = `service-${opened++}`): RedisEphemeral {
  const onError = () => undefined
  return new RedisEphemeral({ client: connectRedis(server.url, onError), prefix, onError })
}

const answers = (ephemeral: RedisEphemeral) =>
  ephemeral.get('any').then(
    () => true,
    () => false,
  )

/** Waits until it answers. */
async function ready(ephemeral: RedisEphemeral): Promise<RedisEphemeral> {
  await until(() => answers(ephemeral))
  await ephemeral.subscribe('ready', () => undefined)
  return ephemeral
}

async function startServer(t: Test, ...options: string[]): Promise<RedisServer> {
  const server = await RedisServer.start(...options)
  t.teardown(() => server.close())
  return server
}

async function openEphemeral(t: Test, server: RedisServer): Promise<RedisEphemeral> {
  const ephemeral = ephemeralOn(server)
  t.teardown(() => ephemeral.close())
  return ready(ephemeral)
}

async function contract(): Promise<void> {
  const server = await RedisServer.start()
  ephemeralContract('RedisEphemeral', () => ready(ephemeralOn(server)))
  t.teardown(() => server.close())
}

if (!withoutRedis) await contract()

const needsRedis = { skip: withoutRedis }

t.test('a command has a single timer, which ends with it', needsRedis, async (t) => {
  const ephemeral = await openEphemeral(t, await startServer(t))
  const timers = t.capture(AbortSignal, 'timeout', AbortSignal.timeout)
  await ephemeral.set('value', 'v', { ttlMs: LONG_MS })
  t.equal(await ephemeral.get('value'), 'v')
  await ephemeral.publish('channel', 'message')
  t.same(timers(), [])
})

t.test('everything that is kept has an end', needsRedis, async (t) => {
  const server = await startServer(t)
  const ephemeral = await openEphemeral(t, server)
  await ephemeral.set('value', 'v', { ttlMs: LONG_MS })
  await ephemeral.increment('count', LONG_MS)
  await ephemeral.increment('count', LONG_MS)
  await ephemeral.set('fraction', 'v', { ttlMs: LONG_MS + 0.5 })
  await ephemeral.epoch()
  const keys = (await server.command('KEYS', '*')) as string[]
  t.equal(keys.length, 4)
  for (const key of keys) t.ok(Number(await server.command('PTTL', key)) > 0, key)
  t.ok(keys.every((key) => key.startsWith('service-')))
})

t.test('two processes that count at once miss nothing', needsRedis, async (t) => {
  const server = await startServer(t)
  const [one, other] = [ephemeralOn(server, 'shared'), ephemeralOn(server, 'shared')]
  t.teardown(() => Promise.all([one.close(), other.close()]))
  await Promise.all([ready(one), ready(other)])
  const counts = await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      (index % 2 ? one : other).increment('count', LONG_MS),
    ),
  )
  t.equal(new Set(counts).size, 200)
  t.equal(Math.max(...counts), 200)
})

t.test('services with other prefixes share neither values nor messages', needsRedis, async (t) => {
  const server = await startServer(t)
  const [one, other] = [await openEphemeral(t, server), await openEphemeral(t, server)]
  const heard: string[] = []
  await one.subscribe('channel', (message) => heard.push(message))
  await other.set('key', 'value', { ttlMs: LONG_MS })
  await other.publish('channel', 'not yours')
  await one.publish('channel', 'yours')
  await until(() => heard.length > 0)
  t.same(heard, ['yours'])
  t.equal(await one.get('key'), undefined)
})

t.test('a wipe begins another life', needsRedis, async (t) => {
  const server = await startServer(t)
  const ephemeral = await openEphemeral(t, server)
  const epoch = await ephemeral.epoch()
  await ephemeral.set('key', 'value', { ttlMs: LONG_MS })
  await server.command('FLUSHALL')
  t.equal(await ephemeral.get('key'), undefined)
  const next = await ephemeral.epoch()
  t.not(next, epoch)
  t.equal(await ephemeral.epoch(), next)
})

t.test('a start begins another life, also when values outlived it', needsRedis, async (t) => {
  const server = await startServer(t, '--appendonly', 'yes', '--appendfsync', 'always')
  const ephemeral = await openEphemeral(t, server)
  await ephemeral.set('key', 'value', { ttlMs: LONG_MS })
  const epoch = await ephemeral.epoch()
  await server.kill()
  await server.restart()
  await ready(ephemeral)
  t.equal(await ephemeral.get('key'), 'value')
  t.not(await ephemeral.epoch(), epoch)
})

t.test('a reconnection of the subscriber begins another epoch', needsRedis, async (t) => {
  const server = await startServer(t)
  const ephemeral = await openEphemeral(t, server)
  const heard: string[] = []
  await ephemeral.subscribe('channel', (message) => heard.push(message))
  const epoch = await ephemeral.epoch()
  await server.command('CLIENT', 'KILL', 'TYPE', 'pubsub')
  await until(async () => (await ephemeral.epoch()) !== epoch)
  t.not(await ephemeral.epoch(), epoch)
  await ephemeral.publish('channel', 'heard again')
  await until(() => heard.length > 0)
  t.same(heard, ['heard again'])
})

t.test(
  'a channel is left with its last subscriber, and can be used again',
  needsRedis,
  async (t) => {
    const server = await startServer(t)
    const ephemeral = await openEphemeral(t, server)
    const channels = async () => (await server.command('PUBSUB', 'CHANNELS')) as string[]
    const others = await channels()
    const heard: string[] = []
    const listen = () => ephemeral.subscribe('channel', (message) => heard.push(message))
    const [stopOne, stopOther] = [await listen(), await listen()]
    stopOne()
    stopOne()
    await ephemeral.publish('channel', 'for the other')
    await until(() => heard.length > 0)
    stopOther()
    await until(async () => (await channels()).length === others.length)
    t.same(await channels(), others)
    const stop = await listen()
    stop()
    await listen()
    await ephemeral.publish('channel', 'again')
    await until(() => heard.length > 1)
    t.same(heard, ['for the other', 'again'])
    t.equal((await channels()).length, others.length + 1)
  },
)

t.test(
  'while redis is down every call fails soon, and none takes effect later',
  needsRedis,
  async (t) => {
    const server = await startServer(t)
    const ephemeral = await openEphemeral(t, server)
    await server.kill()
    await until(async () => !(await answers(ephemeral)))
    const startedMs = Date.now()
    const isBusy = watchCores()
    await t.rejects(ephemeral.get('key'), TIMEOUT)
    await t.rejects(ephemeral.set('key', 'v', { ttlMs: LONG_MS }), TIMEOUT)
    await t.rejects(ephemeral.increment('count', LONG_MS), TIMEOUT)
    await t.rejects(ephemeral.delete('key'), TIMEOUT)
    await t.rejects(ephemeral.publish('channel', 'x'), TIMEOUT)
    await t.rejects(ephemeral.epoch(), TIMEOUT)
    t.ok(Date.now() - startedMs < 1_000 || isBusy())
    const heard: string[] = []
    await t.rejects(
      ephemeral.subscribe('late', (message) => heard.push(message)),
      TIMEOUT,
    )
    await server.restart()
    await ready(ephemeral)
    t.equal(await ephemeral.increment('count', LONG_MS), 1)
    await ephemeral.subscribe('late', (message) => heard.push(message))
    await ephemeral.publish('late', 'once')
    await until(() => heard.length > 0)
    await setTimeout(50)
    t.same(heard, ['once'])
  },
)

t.test('a redis that hangs is given up after two seconds', needsRedis, async (t) => {
  const server = await startServer(t)
  const ephemeral = await openEphemeral(t, server)
  server.signal('SIGSTOP')
  const startedMs = Date.now()
  const isBusy = watchCores()
  await t.rejects(ephemeral.increment('count', LONG_MS), TIMEOUT)
  t.ok(Date.now() - startedMs < 4_000 || isBusy())
  server.signal('SIGCONT')
  t.ok((await ephemeral.increment('count', LONG_MS)) >= 1)
})

t.test('a process may start before redis does', needsRedis, async (t) => {
  const server = await startServer(t)
  await server.kill()
  const ephemeral = ephemeralOn(server)
  t.teardown(() => ephemeral.close())
  await t.rejects(ephemeral.get('key'), TIMEOUT)
  await server.restart()
  await ready(ephemeral)
  t.ok(await ephemeral.set('key', 'v', { ttlMs: LONG_MS }))
})

t.test('no password of the address is in an error', needsRedis, async (t) => {
  const server = await startServer(t, '--requirepass', 'right-password')
  const url = server.url.replace('//', '//:wrong-password@')
  const errors: unknown[] = []
  const onError = (error: unknown) => void errors.push(error)
  const client = connectRedis(url, onError)
  const ephemeral = new RedisEphemeral({ client, prefix: 'p', onError })
  await until(() => errors.length > 1)
  await ephemeral.close()
  t.ok(errors.length > 1)
  for (const error of errors) t.notMatch(`${String(error)} ${JSON.stringify(error)}`, 'wrong-pass')
})
