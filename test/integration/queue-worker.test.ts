import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { BullJobQueue } from '../../adapters/bullmq/job-queue.ts'
import { connectRedis } from '../../adapters/redis/connect.ts'
import { RedisEphemeral } from '../../adapters/redis/ephemeral.ts'
import { CASE_CHANGED } from '../../domain/ports/pub-sub.ts'
import { watchCores } from '../fixtures/busy.ts'
import { until } from '../fixtures/until.ts'
import { RedisServer, withoutRedis } from '../fixtures/redis-server.ts'

const WORKER = 'test/fixtures/queue-worker.ts'
const PREFIX = 'sigcase'
const TENANT = 'acme'
/** Less than the grace of a pod. */
const END_LIMIT_MS = 20_000
/** Enough for seconds, two at a time: on a busy machine some of them run before the signal. */
const WAITING = 24
const LATE_MS = 120_000
/** Packages that the libraries import. */
const VARIABLES = [
  'NODE_ENV',
  'MSGPACKR_NATIVE_ACCELERATION_DISABLED',
  'REDIS_DEBUG_MAINTENANCE',
  'REDIS_EMIT_DIAGNOSTICS',
].join(',')

const RUNTIMES: Readonly<Record<string, (port: number) => string[]>> = {
  node: () => [process.execPath],
  deno: (port) => [
    'deno',
    'run',
    '--quiet',
    '--no-prompt',
    '--node-modules-dir=manual',
    '--allow-read=.',
    `--allow-net=127.0.0.1:${port}`,
    `--allow-env=${VARIABLES}`,
  ],
}

interface WorkerProcess {
  lines: string[]
  errors: string[]
  pid: number
  /** @returns exit code, or the signal that ended it */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | string | null>
}

function startWorker(
  t: Test,
  command: string[],
  server: RedisServer,
  jobMs: number,
): WorkerProcess {
  const [program = '', ...args] = [...command, WORKER, server.url, PREFIX, String(jobMs)]
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const lines: string[] = []
  const errors: string[] = []
  child.stdout
    .setEncoding('utf8')
    .on('data', (text: string) => lines.push(...text.trim().split('\n')))
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text))
  const exited = once(child, 'exit') as Promise<[number | null, string | null]>
  t.teardown(() => child.kill('SIGKILL'))
  return {
    lines,
    errors,
    pid: child.pid as number,
    async end(signal) {
      child.kill(signal)
      const [code, by] = await exited
      return code ?? by
    },
  }
}

async function world(t: Test) {
  const server = await RedisServer.start()
  const onError = () => undefined
  const common = { prefix: PREFIX, onError }
  const jobs = new BullJobQueue({
    ...common,
    client: connectRedis(server.url, onError),
    onFailed: onError,
  })
  const ephemeral = new RedisEphemeral({ ...common, client: connectRedis(server.url, onError) })
  t.teardown(async () => {
    await jobs.close()
    await ephemeral.close()
    await server.close()
  })
  await until(() => ephemeral.epoch().then(Boolean, () => false))
  const published: string[] = []
  await ephemeral.subscribe(CASE_CHANGED, (message) =>
    published.push(JSON.parse(message).caseId as string),
  )
  const add = async (caseId: string) => {
    await until(() =>
      jobs.add('intake', caseId, { tenant: TENANT, caseId }).then(
        () => true,
        () => false,
      ),
    )
  }
  return { server, jobs, ephemeral, published, add }
}

for (const [runtime, command] of Object.entries(RUNTIMES)) {
  const needsRedis = { skip: withoutRedis }

  t.test(`${runtime}: a worker drains: what runs ends, what waits stays`, needsRedis, async (t) => {
    const { server, jobs, published, add } = await world(t)
    const worker = startWorker(t, command(server.port), server, 400)
    for (let index = 0; index < WAITING; index++) await add(`job-${index}`)
    await until(() => worker.lines.filter((line) => line.startsWith('started')).length >= 2)
    t.equal(await worker.end('SIGTERM'), 0, worker.errors.join(''))
    t.ok(worker.lines.includes('drained'))
    await until(() => published.length >= 2)
    const { waiting, running } = await jobs.count('intake')
    t.equal(running, 0)
    t.equal(published.length + waiting, WAITING)
    t.ok(waiting > 0)
  })

  t.test(`${runtime}: a worker ends while redis is unavailable`, needsRedis, async (t) => {
    for (const redis of ['was never there', 'died at once', 'died later', 'hangs'] as const) {
      const server = await RedisServer.start()
      t.teardown(() => server.close())
      if (redis === 'was never there') await server.kill()
      const worker = startWorker(t, command(server.port), server, 0)
      await until(() => worker.lines.includes('ready'))
      if (redis === 'died later' || redis === 'hangs') await setTimeout(1_000)
      if (redis === 'hangs') server.signal('SIGSTOP')
      else await server.kill()
      const startedMs = performance.now()
      const isBusy = watchCores()
      const late = setTimeout(LATE_MS, 'late', { ref: false })
      t.equal(await Promise.race([worker.end('SIGTERM'), late]), 0, `redis ${redis}`)
      t.ok(worker.lines.includes('drained'))
      const tookMs = Math.round(performance.now() - startedMs)
      t.ok(tookMs < END_LIMIT_MS || isBusy(), `redis ${redis}: ${tookMs} ms`)
    }
  })

  t.test(`${runtime}: jobs of a worker that was killed run elsewhere`, needsRedis, async (t) => {
    const { server, jobs, ephemeral, published, add } = await world(t)
    const killed = startWorker(t, command(server.port), server, 60_000)
    await add('a')
    await add('b')
    await until(() => killed.lines.includes('started a') && killed.lines.includes('started b'))
    t.equal(await killed.end('SIGKILL'), 'SIGKILL')
    const heir = startWorker(t, command(server.port), server, 0)
    await until(() => published.length === 2)
    t.same(published.sort(), ['a', 'b'])
    t.equal(await ephemeral.get('ran/a'), '1')
    await until(async () => (await jobs.count('intake')).running === 0)
    t.same(await jobs.count('intake'), { waiting: 0, delayed: 0, running: 0 })
    t.equal(await heir.end('SIGTERM'), 0)
  })
}
