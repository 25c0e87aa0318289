/** Number of waiting jobs, for autoscaling the workers. */
import type { JobCounts, JobKind, JobQueue } from '../domain/ports/jobs.ts'

const METRIC = 'sigcase_jobs'
const HEAD = [`# HELP ${METRIC} Jobs by kind and state.`, `# TYPE ${METRIC} gauge`]

export type QueueLengths = Partial<Record<JobKind, JobCounts>>

/**
 * Counts the jobs of the given kinds in all processes.
 *
 * @throws ServiceError TIMEOUT when the queue is not reachable
 */
export async function queueLengths(
  jobs: Pick<JobQueue, 'count'>,
  kinds: readonly JobKind[],
): Promise<QueueLengths> {
  const counts = await Promise.all(kinds.map(async (kind) => [kind, await jobs.count(kind)]))
  return Object.fromEntries(counts) as QueueLengths
}

/** Formats the lengths as a gauge in the Prometheus text format, version 0.0.4. */
export function queueLengthMetric(lengths: QueueLengths): string {
  const samples = Object.entries(lengths).flatMap(([kind, counts]) =>
    Object.entries(counts).map(([state, count]) => {
      return `${METRIC}{kind="${kind}",state="${state}"} ${count}`
    }),
  )
  return [...HEAD, ...samples, ''].join('\n')
}
