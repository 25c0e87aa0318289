/**
 * Row `queue`: adding jobs, compared with raw XADD on the same Redis, with 64 in flight and durable
 * writes; and the delay before a job starts.
 */
import { performance } from 'node:perf_hooks'
import { Queue } from 'bullmq'
import { createClient } from 'redis'
import { BullJobQueue } from '../../adapters/bullmq/job-queue.ts'
import { connectRedis } from '../../adapters/redis/connect.ts'
import { until } from '../../test/fixtures/until.ts'
import { RedisServer, withoutRedis } from '../../test/fixtures/redis-server.ts'
import { flood } from '../flood.ts'
import { alternate, quantile } from '../measure.ts'
import type { RowReport } from '../report.ts'

const IN_FLIGHT = 64
const ADDITIONS = 1_280
const STARTS = 400
const CASE = { tenant: 'acme', caseId: '7a0f4f6e-2c55-4f0e-9a63-1d2f5c1b8e01' }
const PREFIX = 'bench'

/** Adds jobs one after another to an idle worker. @returns the 99th percentile, milliseconds */
async function startP99Ms(jobs: BullJobQueue): Promise<number> {
  const delays: number[] = []
  let addedMs = 0
  let started = Promise.withResolvers<void>()
  jobs.work('finalise', 2, async () => {
    delays.push(performance.now() - addedMs)
    started.resolve()
  })
  for (let index = 0; index < STARTS; index++) {
    started = Promise.withResolvers()
    addedMs = performance.now()
    await jobs.add('finalise', `start-${index}`, CASE)
    await started.promise
  }
  return quantile(delays, 0.99)
}

async function compare(server: RedisServer): Promise<RowReport> {
  const fail = (error: unknown) => console.error(error)
  const client = connectRedis(server.url, fail)
  const jobs = new BullJobQueue({ client, prefix: PREFIX, onFailed: fail, onError: fail })
  const raw = createClient({ url: server.url })
  await raw.connect()
  const bull = new Queue('raw', { connection: raw as never, prefix: PREFIX })
  await bull.waitUntilReady()
  await until(() => jobs.count('intake').then(Boolean, () => false))
  const p99Ms = await startP99Ms(jobs)
  let round = 0
  const payload = JSON.stringify(CASE)
  const times = await alternate({
    floor: () => flood(ADDITIONS, IN_FLIGHT, () => raw.xAdd('floor', '*', { payload })),
    bullmq: () =>
      flood(ADDITIONS, IN_FLIGHT, (index) =>
        bull.add('raw', CASE, { jobId: `raw_${round}_${index}` }),
      ),
    queue: async () => {
      round++
      return flood(ADDITIONS, IN_FLIGHT, (index) => jobs.add('intake', `${round}_${index}`, CASE))
    },
  })
  const { waiting } = await jobs.count('intake')
  await bull.close()
  await jobs.close()
  raw.destroy()
  const perSecond = (milliseconds: number) => Math.round(1000 / milliseconds)
  const rivals = `XADD ${perSecond(times.floor)}/s, raw BullMQ ${perSecond(times.bullmq)}/s`
  return {
    measured: `${perSecond(times.queue)} adds/s (${rivals})`,
    figures: [
      { of: '× the rate of XADD', value: times.floor / times.queue, better: 'more', must: 0.3 },
      { of: 'ms add → start p99', value: p99Ms, better: 'less', must: 10, informative: true },
    ],
    ...(waiting === round * ADDITIONS ? {} : { void: `${waiting} of ${round * ADDITIONS} wait` }),
  }
}

export async function queue(): Promise<RowReport> {
  if (withoutRedis) return { measured: 'nothing', figures: [], skipped: [withoutRedis] }
  const server = await RedisServer.start('--appendonly', 'yes', '--appendfsync', 'always')
  try {
    return await compare(server)
  } finally {
    await server.close()
  }
}
