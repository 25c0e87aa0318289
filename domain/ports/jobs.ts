/**
 * Work that can be done again: jobs hold ids and no content, and losing all of them loses nothing.
 */
import type { VerificationTask } from '../verification.ts'
import type { CaseKey } from './stores.ts'

/** The jobs of the service and what each carries. */
export interface JobPayloads {
  intake: CaseKey
  finalise: CaseKey
  notify: CaseKey & { eventId: string }
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

/** How many jobs of one kind there are, by what they are doing. */
export interface JobCounts {
  /** Could run at once if a worker were free. */
  waiting: number
  delayed: number
  running: number
}

/** `add` and `count` fail with ServiceError `TIMEOUT` when the queue is away or slow. */
export interface JobQueue {
  /**
   * Adds a job unless one of the same kind and id waits, is delayed or runs; it may run more than
   * once. The id has letters, digits, `_` and `-` alone. A job is forgotten when it ends, also when
   * it failed: whoever wants it done adds it again.
   */
  add<K extends JobKind>(
    kind: K,
    id: string,
    payload: JobPayloads[K],
    options?: { delayMs?: number },
  ): Promise<void>
  /** Starts work on one kind of job, at most `concurrency` at once. */
  work<K extends JobKind>(
    kind: K,
    concurrency: number,
    handler: (payload: JobPayloads[K]) => Promise<void>,
  ): void
  /** Takes no further job of the kind in this process; those that run go on. */
  pause(kind: JobKind): void
  /** Takes jobs of the kind again. */
  resume(kind: JobKind): void
  /** Jobs of one kind in all processes: what the number of workers should follow. */
  count(kind: JobKind): Promise<JobCounts>
  /** Takes no new job, waits for the running ones, and ends. */
  close(): Promise<void>
}
