/** Opens the job queue for processes that add or run jobs. */
import { BullJobQueue } from '../../adapters/bullmq/job-queue.ts'
import { connectRedis } from '../../adapters/redis/connect.ts'
import type { ClusterConfig } from '../config/processes.ts'
import { FaultLog } from '../../domain/fault-log.ts'
import { tracedJobs } from '../tracing/traced-ports.ts'
import type { ProcessParts } from './process.ts'

/** Part of the grace period that is reserved for closing everything else after the jobs. */
const LAST_STEPS_MS = 3_000

/** Opens the queue; closing it waits for running jobs. */
export function openJobs(
  { redis, shutdown: { graceMs } }: ClusterConfig,
  { log, timers, closings, tracer }: ProcessParts,
): BullJobQueue {
  const faults = new FaultLog({ log, timers, message: 'the queue failed' })
  const onError = (error: unknown) => faults.failed(error)
  const jobs = new BullJobQueue({
    client: connectRedis(redis.url, onError, {
      onReady: () => faults.succeeded(),
      authorities: redis.authorities,
    }),
    drainLimitMs: Math.max(graceMs - LAST_STEPS_MS, 0),
    prefix: redis.prefix,
    onError,
    onFailed: (error, job, id) => log.error({ err: error, job, id }, 'job threw'),
  })
  closings.unshift(() => jobs.close())
  return tracedJobs(jobs, tracer)
}
