import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { createNodeRedisClient, Queue, Worker } from 'bullmq'
import { createClient } from 'redis'
import t, { type Test } from 'tap'
import { BullJobQueue, type BullJobQueueOptions } from '../../../adapters/bullmq/job-queue.ts'
import { connectRedis } from '../../../adapters/redis/connect.ts'
import { askByMarker } from '../../../adapters/shared/patched-dependencies.ts'
import { jobQueueContract } from '../../contract/small-ports.ts'
import { watchCores } from '../../fixtures/busy.ts'
import { RedisServer, withoutRedis } from '../../fixtures/redis-server.ts'
import { CASE_KEY } from '../../fixtures/signature-case.ts'
import { until } from '../../fixtures/until.ts'

const TIMEOUT = { name: 'ServiceError', code: 'TIMEOUT' }
const AOF = ['--appendonly', 'yes', '--appendfsync', 'always']
/** Connections of a working queue: one to add, one to take and one to wait with. */
const FIRST_CONNECTIONS = 3
/** More than what a connection sends before it waits for a job. */
const FIRST_CHUNKS = 16
/** A job that a broken connection has left behind is taken again within seconds. */
const SOON_STALLED = { lockMs: 1_000, stalledCheckIntervalMs: 500 }
const needsRedis = { skip: withoutRedis }

let opened = 0

/** Another service's jobs, unless a prefix is shared. */
function queueOn(
  server: Pick<RedisServer, 'url'>,
  options: Partial<BullJobQueueOptions> = {},
): BullJobQueue {
  const onError = () => undefined
  return new BullJobQueue({
    client: connectRedis(server.url, onError),
    prefix: `service-${opened++}`,
    onFailed: onError,
    onError,
    ...options,
  })
}

async function ready(queue: BullJobQueue): Promise<BullJobQueue> {
  await until(() => answers(queue))
  return queue
}

const answers = (queue: BullJobQueue) =>
  queue.count('intake').then(
    () => true,
    () => false,
  )

async function startServer(t: Test, ...options: string[]): Promise<RedisServer> {
  const server = await RedisServer.start(...options)
  t.teardown(() => server.close())
  return server
}

async function openQueue(
  t: Test,
  server: RedisServer,
  options: Partial<BullJobQueueOptions> = {},
): Promise<BullJobQueue> {
  const queue = queueOn(server, options)
  t.teardown(() => queue.close())
  return ready(queue)
}

/** Every word that is in Redis now. */
async function everythingIn(server: RedisServer): Promise<string> {
  const keys = (await server.command('KEYS', '*')) as string[]
  const dumps = await Promise.all(keys.map((key) => readContent(server, key)))
  return [...keys, ...dumps].join('\n')
}

async function readContent(server: RedisServer, key: string): Promise<string> {
  const type = String(await server.command('TYPE', key))
  const read: Record<string, string[]> = {
    hash: ['HGETALL', key],
    stream: ['XRANGE', key, '-', '+'],
    list: ['LRANGE', key, '0', '-1'],
    zset: ['ZRANGE', key, '0', '-1'],
    set: ['SMEMBERS', key],
    string: ['GET', key],
  }
  // One that ended meanwhile has no type.
  const words = read[type]
  return words ? JSON.stringify(await server.command(...words)) : ''
}

async function contract(): Promise<void> {
  const server = await RedisServer.start()
  jobQueueContract('BullJobQueue', () => ready(queueOn(server)))
  t.teardown(() => server.close())
}

if (!withoutRedis) await contract()

t.test('a job is kept by its ids, and not at all when it has ended', needsRedis, async (t) => {
  const server = await startServer(t)
  const failures: unknown[] = []
  const onFailed = (...failure: unknown[]) => void failures.push(failure)
  const queue = await openQueue(t, server, { prefix: 'acme', onFailed })
  await queue.add('intake', 'one', CASE_KEY)
  const job = (await server.command('HGETALL', 'acme:intake:intake_one')) as Record<string, string>
  t.same(JSON.parse(job.data as string), CASE_KEY)
  let runs = 0
  queue.work('intake', 1, async () => {
    runs++
    throw new Error('password of Ľuboš')
  })
  await until(async () => runs === 1 && (await queue.count('intake')).running === 0)
  t.match(failures, [[{ message: 'password of Ľuboš' }, 'intake', 'one']])
  const rest = await everythingIn(server)
  t.notMatch(rest, 'password')
  t.notMatch(rest, CASE_KEY.caseId)
  t.equal(await server.command('EXISTS', 'acme:intake:intake_one'), 0)
})

t.test('two workers share the jobs, each of which runs once', needsRedis, async (t) => {
  const server = await startServer(t)
  const prefix = 'shared'
  const queues = [await openQueue(t, server, { prefix }), await openQueue(t, server, { prefix })]
  const ran: [string[], string[]] = [[], []]
  const ids = Array.from({ length: 200 }, (_, index) => `event-${index}`)
  const isNotAhead = (index: number) =>
    Math.abs(ran[0].length - ran[1].length) < 5 || ran[0].length > ran[1].length === (index === 1)
  for (const [index, queue] of queues.entries()) {
    queue.work('notify', 4, async ({ eventId }) => {
      ran[index]?.push(eventId)
      // A worker that connects late finds some jobs left.
      await until(() => ran.flat().length >= ids.length || isNotAhead(index))
    })
  }
  // Everybody asks for everything, as after a change of leaders.
  const add = (id: string) =>
    queues.map((queue) => queue.add('notify', id, { ...CASE_KEY, eventId: id }))
  await Promise.all(ids.flatMap(add))
  await until(() => ran.flat().length >= ids.length)
  await until(async () => (await queues[0]?.count('notify'))?.running === 0)
  t.ok(ran.every(({ length }) => length > 10))
  t.same(new Set(ran.flat()), new Set(ids))
})

t.test('after a wipe jobs are taken as before, whatever ran meanwhile', needsRedis, async (t) => {
  const server = await startServer(t)
  const errors: unknown[] = []
  const queue = await openQueue(t, server, { onError: (error) => void errors.push(error) })
  const ran: string[] = []
  const held = Promise.withResolvers<void>()
  queue.work('notify', 2, async ({ eventId }) => {
    ran.push(eventId)
    if (eventId === 'held') await held.promise
  })
  const add = (eventId: string) => queue.add('notify', eventId, { ...CASE_KEY, eventId })
  await add('held')
  await queue.add('notify', 'delayed', { ...CASE_KEY, eventId: 'delayed' }, { delayMs: 60_000 })
  await until(() => ran.length === 1)
  await server.command('FLUSHALL')
  await add('delayed')
  await until(() => ran.includes('delayed'))
  t.same(errors, [])
  held.resolve()
  // Its end finds no job; it must not end the next one of this name.
  await until(() => errors.length > 0)
  t.match(errors, [{ message: /^Missing key for job notify_held/ }])
  await add('held')
  await until(() => ran.length === 3)
  t.same(ran, ['held', 'delayed', 'held'])
  await until(async () => (await queue.count('notify')).running === 0)
  t.same(await queue.count('notify'), { waiting: 0, delayed: 0, running: 0 })
})

t.test(
  'redis killed under a running job: it ends, and the next are taken',
  needsRedis,
  async (t) => {
    const server = await startServer(t)
    const queue = await openQueue(t, server)
    const ran: string[] = []
    let running = false
    const held = Promise.withResolvers<void>()
    queue.work('notify', 2, async ({ eventId }) => {
      if (eventId === 'held') {
        running = true
        await held.promise
      }
      ran.push(eventId)
    })
    const add = (eventId: string) => queue.add('notify', eventId, { ...CASE_KEY, eventId })
    await add('held')
    await until(() => running)
    await server.kill()
    await until(async () => !(await answers(queue)))
    const startedMs = Date.now()
    const isBusy = watchCores()
    const refusals = Array.from({ length: 50 }, (_, index) =>
      t.rejects(add(`lost-${index}`), TIMEOUT),
    )
    await Promise.all(refusals)
    t.ok(Date.now() - startedMs < 3_000 || isBusy())
    held.resolve()
    await server.restart()
    await ready(queue)
    await add('next')
    await until(() => ran.length === 2)
    t.same(ran.sort(), ['held', 'next'])
    await until(async () => (await queue.count('notify')).running === 0)
    t.same(await queue.count('notify'), { waiting: 0, delayed: 0, running: 0 }, 'none landed later')
  },
)

t.test('a redis that keeps its log keeps jobs over its death', needsRedis, async (t) => {
  const server = await startServer(t, ...AOF)
  const queue = await openQueue(t, server)
  const ran: string[] = []
  await queue.add('notify', 'waits', { ...CASE_KEY, eventId: 'waits' })
  await queue.add('notify', 'later', { ...CASE_KEY, eventId: 'later' }, { delayMs: 500 })
  await server.kill()
  await server.restart()
  await ready(queue)
  queue.work('notify', 2, async ({ eventId }) => void ran.push(eventId))
  await until(() => ran.length === 2)
  t.same(ran, ['waits', 'later'])
})

t.test('a redis that hangs is given up after two seconds', needsRedis, async (t) => {
  const server = await startServer(t)
  const queue = await openQueue(t, server)
  await queue.count('intake')
  server.signal('SIGSTOP')
  const startedMs = Date.now()
  const isBusy = watchCores()
  await t.rejects(queue.add('intake', 'one', CASE_KEY), TIMEOUT)
  t.ok(Date.now() - startedMs < 4_000 || isBusy())
  server.signal('SIGCONT')
})

/** Passes bytes on to Redis, but breaks the first connections in place of chunk `breakAt`. */
async function breakingProxy(t: Test, redisPort: number, breakAt: number): Promise<string> {
  let connections = 0
  const proxy = createServer((near) => {
    const breaks = ++connections <= FIRST_CONNECTIONS
    let chunks = 0
    const far = connect(redisPort, '127.0.0.1')
    near.on('data', (chunk) => {
      if (++chunks === breakAt && breaks) near.destroy()
      else far.write(chunk)
    })
    far.pipe(near)
    near.on('error', () => undefined).on('close', () => far.destroy())
    far.on('error', () => undefined).on('close', () => near.destroy())
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  t.teardown(() => proxy.close())
  return `redis://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}

t.test('a connection may break at any of its first words', needsRedis, async (t) => {
  const server = await startServer(t)
  const prefix = 'broken'
  const queue = await openQueue(t, server, { prefix })
  for (let breakAt = 1; breakAt <= FIRST_CHUNKS; breakAt++) {
    const url = await breakingProxy(t, server.port, breakAt)
    const worker = queueOn({ url }, { prefix, ...SOON_STALLED })
    let runs = 0
    worker.work('intake', 1, async () => void runs++)
    await queue.add('intake', `one-${breakAt}`, CASE_KEY)
    await until(() => runs === 1)
    t.equal(runs, 1, `broken at chunk ${breakAt}`)
    await worker.close()
  }
})

t.test('a worker may start before redis does', needsRedis, async (t) => {
  const server = await startServer(t)
  await server.kill()
  const queue = queueOn(server)
  t.teardown(() => queue.close())
  const ran: string[] = []
  queue.work('notify', 1, async ({ eventId }) => void ran.push(eventId))
  const add = (eventId: string) => queue.add('notify', eventId, { ...CASE_KEY, eventId })
  await t.rejects(add('refused'), TIMEOUT)
  await server.restart()
  await ready(queue)
  const isAdded = () =>
    add('next').then(
      () => true,
      () => false,
    )
  await until(isAdded)
  await until(() => ran.includes('next'))
  t.same(new Set(ran), new Set(['next']), 'what was refused did not land later')
})

t.test('closing while redis is unavailable waits only for running jobs', needsRedis, async (t) => {
  for (const runMs of [0, 3_000]) {
    const server = await startServer(t)
    const queue = await ready(queueOn(server))
    let ended = false
    const running = Promise.withResolvers<void>()
    queue.work('intake', 1, async () => {
      running.resolve()
      await setTimeout(runMs)
      ended = true
    })
    await queue.add('intake', 'one', CASE_KEY)
    await running.promise
    await server.kill()
    const startedMs = Date.now()
    const isBusy = watchCores()
    await queue.close()
    t.ok(ended)
    t.ok(Date.now() - startedMs < runMs + 5_000 || isBusy())
  }
})

const CONCURRENCY = 3
/** Longer than the test, so that a worker that waits without a marker never takes a job. */
const NEVER_POLLS = { drainDelay: 600, stalledInterval: 600_000, lockDuration: 600_000 }

async function connected(t: Test, server: RedisServer): Promise<{ connection: never }> {
  const client = createClient({ url: server.url }).on('error', () => {})
  await client.connect()
  t.teardown(() => client.destroy())
  return { connection: createNodeRedisClient(client as never) as never }
}

async function openWorker(
  t: Test,
  server: RedisServer,
  name: string,
  { run, patch }: { run: () => Promise<void>; patch(worker: object): void },
) {
  const options = { ...(await connected(t, server)), ...NEVER_POLLS, skipVersionCheck: true }
  const worker = new Worker(name, run, { ...options, concurrency: CONCURRENCY })
  patch(worker)
  worker.on('error', () => {})
  t.teardown(() => worker.close(true))
  return worker
}

const readInfo = async (server: RedisServer, section: string, pattern: RegExp) =>
  Number(pattern.exec(String(await server.command('INFO', section)))?.[1] ?? 0)

/** How often workers have asked for a job; each question tries to move one. */
const questions = (server: RedisServer) =>
  readInfo(server, 'commandstats', /^cmdstat_rpoplpush:calls=(\d+)/m)

/** Runs one job of a worker that can run several. @returns how often the worker asked */
async function questionsForOneJob(
  t: Test,
  server: RedisServer,
  patch: (worker: object) => void,
): Promise<number> {
  const name = patch.name
  const job = Promise.withResolvers<void>()
  let hasStarted = false
  const run = () => {
    hasStarted = true
    return job.promise
  }
  const blocked = () => readInfo(server, 'clients', /^blocked_clients:(\d+)/m)
  const hasMarker = async () => (await server.command('EXISTS', `bull:${name}:marker`)) === 1
  const waits = async () => (await blocked()) === 1 && !(await hasMarker())
  const worker = await openWorker(t, server, name, { run, patch })
  await until(waits)
  const before = await questions(server)
  const queue = new Queue(name, { ...(await connected(t, server)), skipVersionCheck: true })
  const ended = once(worker, 'completed')
  await queue.add('one', {})
  await until(async () => hasStarted && (await waits()))
  job.resolve()
  await ended
  const asked = (await questions(server)) - before
  await worker.close(true)
  await until(async () => (await blocked()) === 0)
  return asked
}

t.test('askByMarker saves two questions for each job', needsRedis, async (t) => {
  const server = await startServer(t)
  t.equal(
    await questionsForOneJob(t, server, function unpatched() {}),
    4,
    'BullMQ changed: remove the patch',
  )
  t.equal(await questionsForOneJob(t, server, askByMarker), 2)
  t.throws(() => askByMarker({}), { message: 'the worker of BullMQ has other internals' })
})

t.test('askByMarker leaves no job behind', needsRedis, async (t) => {
  const server = await startServer(t)
  let ended = 0
  const run = async () => {
    await setTimeout(ended % CONCURRENCY)
    ended++
  }
  const queue = new Queue('all', { ...(await connected(t, server)), skipVersionCheck: true })
  const add = (count: number, delay: number) =>
    Promise.all(Array.from({ length: count }, () => queue.add('one', {}, { delay })))
  await add(10, 0)
  await openWorker(t, server, 'all', { run, patch: askByMarker })
  // A worker of a former version takes jobs beside it.
  await openWorker(t, server, 'all', { run, patch: () => {} })
  await add(10, 20)
  await add(10, 0)
  await until(() => ended === 30)
  await add(1, 0)
  await until(() => ended === 31)
  await add(3, 50)
  await until(() => ended === 34)
  t.equal(ended, 34, 'an idle queue, and jobs that become due while the workers wait')
})
