/** How much work waits, for whoever decides how many workers there are. */
import type { JobCounts, JobKind, JobQueue } from '../domain/ports/jobs.ts'

const METRIC = 'sigcase_jobs'
const HEAD = [`# HELP ${METRIC} Jobs by kind and by what they are doing.`, `# TYPE ${METRIC} gauge`]

export type QueueLengths = Partial<Record<JobKind, JobCounts>>

/**
 * Jobs of the given kinds in all processes.
 *
 * @throws ServiceError TIMEOUT when the queue is away
 */
export async function queueLengths(
  jobs: Pick<JobQueue, 'count'>,
  kinds: readonly JobKind[],
): Promise<QueueLengths> {
  const counts = await Promise.all(kinds.map(async (kind) => [kind, await jobs.count(kind)]))
  return Object.fromEntries(counts) as QueueLengths
}

/** The lengths as a gauge in the text format of Prometheus, version 0.0.4. */
export function queueLengthMetric(lengths: QueueLengths): string {
  const samples = Object.entries(lengths).flatMap(([kind, counts]) =>
    Object.entries(counts).map(([state, count]) => {
      return `${METRIC}{kind="${kind}",state="${state}"} ${count}`
    }),
  )
  return [...HEAD, ...samples, ''].join('\n')
}
