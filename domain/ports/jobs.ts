/**
 * The port for idempotent jobs: they contain ids but no content, and losing all of them loses no
 * data.
 */
import type { VerificationTask } from '../verification.ts'
import type { CaseKey } from './stores.ts'
import type { TraceContext } from './tracing.ts'

/** The payloads of the jobs. */
export interface JobPayloads {
  intake: CaseKey
  finalise: CaseKey
  /** `eventId` is the id of a group of mails: the first mail, which may not be due any more. */
  notify: CaseKey & { eventId: string; others?: readonly string[] }
  webhook: CaseKey & { eventId: string }
  'trail-seal': CaseKey
  retention: CaseKey
  kiosk: CaseKey
  verify: VerificationTask
  'verify-sweep': Record<string, never>
  crl: Record<string, never>
  'trusted-lists': Record<string, never>
}

export type JobKind = keyof JobPayloads

/** The payload of an added job, with the trace to which the job belongs, if there is one. */
export type AddedPayload<K extends JobKind> = JobPayloads[K] & TraceContext

/** Number of jobs of one kind by state. */
export interface JobCounts {
  /** Ready to run as soon as a worker is free. */
  waiting: number
  delayed: number
  running: number
}

/**
 * `add`, `count` and `oldestWaitingMs` fail with ServiceError `TIMEOUT` when the queue is not
 * reachable or too slow.
 */
export interface JobQueue {
  /**
   * Adds a job unless one of the same kind and id is waiting, delayed or running; a job may run
   * more than once. The id may contain letters, digits, `_` and `-`. The queue forgets a job when
   * it ends, even after a failure; a retry has to be added again.
   */
  add<K extends JobKind>(
    kind: K,
    id: string,
    payload: AddedPayload<K>,
    options?: { delayMs?: number },
  ): Promise<void>
  /** Starts processing one kind of job, at most `concurrency` at once. */
  work<K extends JobKind>(
    kind: K,
    concurrency: number,
    handler: (payload: AddedPayload<K>) => Promise<void>,
  ): void
  /** Stops taking jobs of the kind in this process; running jobs continue. */
  pause(kind: JobKind): void
  /** Resumes taking jobs of the kind. */
  resume(kind: JobKind): void
  /** Counts jobs of one kind in all processes, for autoscaling of workers. */
  count(kind: JobKind): Promise<JobCounts>
  /**
   * Returns since when the oldest waiting job of the kind has been ready to run, in milliseconds
   * since 1970; undefined when none waits.
   */
  oldestWaitingMs(kind: JobKind): Promise<number | undefined>
  /** Takes no new jobs, waits for the running ones, and closes the queue. */
  close(): Promise<void>
}
