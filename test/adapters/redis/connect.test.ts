/** Connections to Redis by TLS with a private authority, and through a failover. */
import t, { type Test } from 'tap'
import { BullJobQueue } from '../../../adapters/bullmq/job-queue.ts'
import { connectRedis } from '../../../adapters/redis/connect.ts'
import { RedisEphemeral } from '../../../adapters/redis/ephemeral.ts'
import { redisSentinel } from '../../fixtures/redis-sentinel.ts'
import { RedisServer, withoutRedis } from '../../fixtures/redis-server.ts'
import { CASE_KEY } from '../../fixtures/signature-case.ts'
import { tlsIdentity } from '../../fixtures/tls-identity.ts'
import { until } from '../../fixtures/until.ts'

const needsRedis = { skip: withoutRedis }
const TTL = { ttlMs: 60_000 }

interface Opened {
  ephemeral: RedisEphemeral
  jobs: BullJobQueue
  /** Messages of failed connections. */
  errors: string[]
}

/** Opens what a process opens of Redis. */
function open(t: Test, url: string, authorities?: string): Opened {
  const errors: string[] = []
  const onError = (error: unknown) => {
    const { code = '', message } = error as { code?: string; message: string }
    errors.push(`${code} ${message}`)
  }
  const options = { prefix: 'p', onError }
  const connect = () => connectRedis(url, onError, { authorities })
  const ephemeral = new RedisEphemeral({ ...options, client: connect() })
  const jobs = new BullJobQueue({ ...options, client: connect(), onFailed: onError })
  t.teardown(() => Promise.all([ephemeral.close(), jobs.close()]))
  return { ephemeral, jobs, errors }
}

const works = ({ ephemeral, jobs }: Opened) =>
  Promise.all([ephemeral.set('key', 'value', TTL), jobs.count('intake')]).then(
    () => true,
    () => false,
  )

t.test('a private authority is trusted when it is named', needsRedis, async (t) => {
  const identity = await tlsIdentity(['127.0.0.1'])
  const server = await RedisServer.startWithTls(identity)
  t.teardown(() => server.close())
  const opened = open(t, server.url, identity.authority)
  await until(() => works(opened))
  t.ok(await works(opened))
  const received: string[] = []
  await opened.ephemeral.subscribe('channel', (message) => received.push(message))
  await opened.ephemeral.publish('channel', 'over TLS')
  await until(() => received.length > 0)
  t.same(received, ['over TLS'])
  const done: unknown[] = []
  opened.jobs.work('finalise', 1, async (payload) => void done.push(payload))
  await opened.jobs.add('finalise', 'job', CASE_KEY)
  await until(() => done.length > 0)
  t.same(done, [CASE_KEY])
  t.same(opened.errors, [])
})

t.test('other certificates are refused with the reason', needsRedis, async (t) => {
  const [identity, other] = await Promise.all([
    tlsIdentity(['127.0.0.1']),
    tlsIdentity(['redis.example']),
  ])
  const server = await RedisServer.startWithTls(identity)
  t.teardown(() => server.close())
  const named = await RedisServer.startWithTls(other)
  t.teardown(() => named.close())
  for (const [url, authorities, reason] of [
    [server.url, undefined, /UNABLE_TO_VERIFY|SELF_SIGNED|unable to/],
    [server.url, other.authority, /UNABLE_TO_VERIFY|SIGNATURE_FAILURE|unable to|signature/],
    [named.url, other.authority, /ALTNAME|altnames|not valid for/i],
  ] as const) {
    const opened = open(t, url, authorities)
    await until(() => opened.errors.length > 0)
    t.match(opened.errors[0], reason)
    t.notOk(await works(opened))
  }
})

t.test('an address that follows the primary survives a failover', needsRedis, async (t) => {
  const { url, servers, primaryPort } = await redisSentinel(t, { downAfterMs: 2_000 })
  const opened = open(t, url)
  const done: unknown[] = []
  opened.jobs.work('finalise', 1, async (payload) => void done.push(payload))
  await until(() => works(opened))
  const received: string[] = []
  await opened.ephemeral.subscribe('channel', (message) => received.push(message))
  const epoch = await opened.ephemeral.epoch()
  await servers[0].kill()
  await until(async () => (await primaryPort()) === servers[1].port)
  await until(() => works(opened))
  t.ok(await works(opened), 'the service writes to the new primary')
  t.not(await opened.ephemeral.epoch(), epoch, 'and knows that values may be lost')
  await opened.jobs.add('finalise', 'after', CASE_KEY)
  await until(() => done.length > 0)
  t.same(done, [CASE_KEY], 'jobs run again')
  await until(async () => {
    await opened.ephemeral.publish('channel', 'after')
    return received.length > 0
  })
  t.equal(received[0], 'after', 'and subscriptions are renewed')
})
