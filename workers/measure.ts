/** Measures the work of jobs: how long it takes, and why it fails. */
import type { AttemptOutcome, EndState } from '../domain/cases/webhook-attempts.ts'
import { ServiceError } from '../domain/errors.ts'
import type { HistogramName, MetricLabels } from '../domain/metrics.ts'
import type { JobKind } from '../domain/ports/jobs.ts'
import type { Metrics } from '../domain/ports/metrics.ts'
import { KeyRefusedError } from '../domain/ports/signing.ts'
import { VERDICTS } from './verification/count-verification.ts'

const MILLISECONDS_PER_SECOND = 1_000

/** Histograms with a label `result`. */
type TimedMetric = 'sigcase_job_duration_seconds' | 'sigcase_finalise_step_duration_seconds'

/**
 * Runs the work and measures its duration and result.
 *
 * @param labels all labels of the metric except `result`
 * @throws any error of the work
 */
export async function timed<N extends TimedMetric, R>(
  name: N & HistogramName,
  labels: Omit<MetricLabels<N>, 'result'>,
  work: () => Promise<R>,
  metrics: Metrics,
): Promise<R> {
  const startedMs = performance.now()
  const end = (result: string) => {
    const seconds = (performance.now() - startedMs) / MILLISECONDS_PER_SECOND
    metrics.observe(name, { ...labels, result } as unknown as MetricLabels<N>, seconds)
  }
  try {
    const done = await work()
    end('succeeded')
    return done
  } catch (error) {
    end('failed')
    throw error
  }
}

/** Seconds from one ISO 8601 time to another; 0 for clocks that disagree. */
export function secondsBetween(start: string, end: string): number {
  return Math.max(Date.parse(end) - Date.parse(start), 0) / MILLISECONDS_PER_SECOND
}

/** Values of counters that alerts watch: the first event must be an increase, from 0. */
const WEBHOOK_STATES = ['delivered', 'dead', 'failed'] as const satisfies EndState[]
const WEBHOOK_OUTCOMES = [
  'delivered',
  'retryable',
  'unauthorized',
  'final',
] as const satisfies AttemptOutcome[]

const OPINIONS = ['wrong', 'unknown'] as const

/** Starts the counters of webhooks, verifications and failed jobs at 0. */
export function startCounters(kinds: readonly JobKind[], metrics: Metrics): void {
  for (const state of WEBHOOK_STATES) metrics.count('sigcase_webhooks_ended_total', { state }, 0)
  for (const outcome of WEBHOOK_OUTCOMES) {
    metrics.count('sigcase_webhook_attempts_total', { outcome }, 0)
  }
  for (const verdict of VERDICTS)
    metrics.count('sigcase_verification_reports_total', { verdict }, 0)
  for (const opinion of OPINIONS) {
    metrics.count('sigcase_verification_disagreements_total', { opinion }, 0)
  }
  for (const kind of kinds) metrics.count('sigcase_job_failures_total', { kind, cause: 'other' }, 0)
}

/** Counts a failed job by its cause; causes are codes, never messages. */
export function reportFailedJob(kind: JobKind, error: unknown, metrics: Metrics): void {
  const hasCode = error instanceof ServiceError || error instanceof KeyRefusedError
  metrics.count('sigcase_job_failures_total', { kind, cause: hasCode ? error.code : 'other' })
}
