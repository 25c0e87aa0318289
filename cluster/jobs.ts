/** The queue of the processes that add jobs or run them. */
import { BullJobQueue } from '../adapters/bullmq/job-queue.ts'
import { connectRedis } from '../adapters/redis/connect.ts'
import type { ClusterConfig } from '../config/cluster.ts'
import type { ProcessParts } from './process.ts'

/** Closing it drains what runs. */
export function openJobs(
  { redis }: ClusterConfig,
  { log, closings }: Pick<ProcessParts, 'log' | 'closings'>,
): BullJobQueue {
  const onError = (error: unknown) => log.warn({ err: error }, 'the queue failed')
  const jobs = new BullJobQueue({
    client: connectRedis(redis.url, onError, redis.authorities),
    prefix: redis.prefix,
    onError,
    onFailed: (error, job, id) => log.error({ err: error, job, id }, 'job threw'),
  })
  closings.unshift(() => jobs.close())
  return jobs
}
