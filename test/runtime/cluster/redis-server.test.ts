/** Processes say at their start when `REDIS_URL` leads to a server that they cannot work with. */
import t, { type Test } from 'tap'
import { connectRedis } from '../../../adapters/redis/connect.ts'
import { RedisEphemeral } from '../../../adapters/redis/ephemeral.ts'
import { checkRedisServer, connectReported } from '../../../runtime/cluster/redis-server.ts'
import { RecordingMetrics } from '../../fixtures/recording-metrics.ts'
import { redisSentinel } from '../../fixtures/redis-sentinel.ts'
import { RedisServer, withoutRedis } from '../../fixtures/redis-server.ts'
import { until } from '../../fixtures/until.ts'

const needsRedis = { skip: withoutRedis }
/** Longer than the test: the replica remains a replica. */
const NEVER_MS = 3_600_000
const PRIMARY = { mode: 'standalone', role: 'master', evictionPolicy: 'noeviction' }

function logged() {
  const messages: string[] = []
  const error = (details: object, message: string) => {
    const { fault } = details as { fault?: string }
    messages.push(fault === undefined ? message : `${message}: ${fault}`)
  }
  return { messages, log: { error } }
}

async function started(t: Test, ...options: string[]): Promise<RedisServer> {
  const server = await RedisServer.start(...options)
  t.teardown(() => server.close())
  return server
}

/** Asks a real server as a process does: again until it answers. */
async function ask(t: Test, url: string) {
  const onError = () => undefined
  const client = connectRedis(url, onError)
  const ephemeral = new RedisEphemeral({ client, prefix: 'p', onError })
  t.teardown(() => ephemeral.close())
  const { messages, log } = logged()
  const check = checkRedisServer(ephemeral, log)
  let fault: string | undefined = 'the server did not answer'
  await until(async () => {
    try {
      fault = await check()
      return true
    } catch {
      return false
    }
  })
  return { fault, messages }
}

t.test('a primary that evicts nothing is usable', needsRedis, async (t) => {
  const server = await started(t)
  t.same(await ask(t, server.url), { fault: undefined, messages: [] })
})

t.test('a server that evicts is used, and the log says what to change', needsRedis, async (t) => {
  const server = await started(t, '--maxmemory-policy', 'volatile-lru')
  const { fault, messages } = await ask(t, server.url)
  t.equal(fault, undefined)
  t.same(messages, ['Redis may evict jobs: set its maxmemory-policy to noeviction'])
})

t.test('a Sentinel, its replica and a node of a cluster are refused', needsRedis, async (t) => {
  const { sentinelUrl, servers } = await redisSentinel(t, { downAfterMs: NEVER_MS })
  const node = await started(t, '--cluster-enabled', 'yes')
  for (const [url, reason] of [
    [sentinelUrl, /points to a Sentinel; use an address that always points to the primary/],
    [servers[1].url, /points to a read-only replica/],
    [node.url, /cluster mode, which is not supported/],
  ] as const) {
    const { fault, messages } = await ask(t, url)
    t.match(fault, reason)
    t.same(messages, [`Redis cannot be used: ${fault}`])
  }
})

t.test('a server that answered once is not asked again; a fault is logged once', async (t) => {
  const asked: string[] = []
  let facts = { ...PRIMARY, role: 'slave' }
  let isAway = false
  const answer = async <T>(name: string, value: T): Promise<T> => {
    asked.push(name)
    if (isAway) throw new Error('away')
    return value
  }
  const server = {
    describeServer: () => answer('describe', facts),
    epoch: () => answer('epoch', ''),
  }
  const { messages, log } = logged()
  const check = checkRedisServer(server, log)
  t.match(await check(), /read-only replica/)
  t.match(await check(), /read-only replica/)
  t.equal(messages.length, 1)
  isAway = true
  await t.rejects(check())
  isAway = false
  facts = PRIMARY
  asked.length = 0
  t.equal(await check(), undefined, 'the address leads to the primary now')
  isAway = true
  t.equal(await check(), undefined, 'a later outage is not a fault')
  t.same(asked, ['describe', 'epoch'])
})

t.test('the connection is measured while the server goes and comes', needsRedis, async (t) => {
  const redis = await RedisServer.start()
  t.teardown(() => redis.close())
  const metrics = new RecordingMetrics()
  const isConnected = () => metrics.values.get('sigcase_redis_connected')
  const handlers = { onError: () => undefined, onReady: () => undefined }
  const client = connectReported({ url: redis.url }, metrics, handlers)
  t.teardown(() => client.destroy())
  t.equal(isConnected(), 0, 'not before the first connection')
  await until(() => isConnected() === 1)
  t.equal(isConnected(), 1)
  await redis.kill()
  await until(() => isConnected() === 0)
  t.equal(isConnected(), 0)
  await redis.restart()
  await until(() => isConnected() === 1)
  t.equal(isConnected(), 1)
})
