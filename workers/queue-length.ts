/** Reports how many jobs wait and for how long, for autoscaling and alerts. */
import type { JobKind, JobQueue } from '../domain/ports/jobs.ts'
import type { Metrics } from '../domain/ports/metrics.ts'

const MILLISECONDS_PER_SECOND = 1_000

export interface QueueLengthDeps {
  jobs: Pick<JobQueue, 'count' | 'oldestWaitingMs'>
  metrics: Metrics
  now(): Date
}

/** Reports the oldest waiting job, of which there may be none. */
async function reportAge(kind: JobKind, waiting: number, { jobs, metrics, now }: QueueLengthDeps) {
  const sinceMs = waiting > 0 ? await jobs.oldestWaitingMs(kind) : undefined
  const ageMs = sinceMs === undefined ? 0 : Math.max(now().getTime() - sinceMs, 0)
  metrics.set('sigcase_job_oldest_waiting_seconds', { kind }, ageMs / MILLISECONDS_PER_SECOND)
}

/**
 * Counts the jobs of the given kinds in all processes.
 *
 * @throws ServiceError TIMEOUT when the queue is not reachable; no series is left then, because
 *   numbers of the past would mislead an autoscaler
 */
export async function reportQueues(
  kinds: readonly JobKind[],
  deps: QueueLengthDeps,
): Promise<void> {
  const { jobs, metrics } = deps
  try {
    await Promise.all(
      kinds.map(async (kind) => {
        const counts = await jobs.count(kind)
        for (const [state, count] of Object.entries(counts)) {
          metrics.set('sigcase_jobs', { kind, state }, count)
        }
        await reportAge(kind, counts.waiting, deps)
      }),
    )
  } catch (error) {
    metrics.clear('sigcase_jobs')
    metrics.clear('sigcase_job_oldest_waiting_seconds')
    throw error
  }
}
