/** Adds the jobs that do not belong to a case, at the start and after each of their intervals. */
import { jobId } from '../domain/cases/jobs.ts'
import type { FaultLog } from '../domain/fault-log.ts'
import {
  REVOCATION_LIST_INTERVAL_MS,
  TRUSTED_LISTS_RETRY_MS,
  VERIFICATION_SWEEP_INTERVAL_MS,
} from '../domain/limits.ts'
import type { JobKind } from '../domain/ports/jobs.ts'
import type { WorkerDeps } from './deps.ts'

const INTERVALS_MS = {
  crl: REVOCATION_LIST_INTERVAL_MS,
  'trusted-lists': TRUSTED_LISTS_RETRY_MS,
  'verify-sweep': VERIFICATION_SWEEP_INTERVAL_MS,
} as const satisfies Partial<Record<JobKind, number>>

export type RegularJob = keyof typeof INTERVALS_MS
export const REGULAR_JOBS = Object.keys(INTERVALS_MS) as RegularJob[]

/** Delay after a job could not be added: it is due now, and its interval may be long. */
const ADD_RETRY_MS = 1_000

/** The regular jobs of one worker; each worker adds them, and the queue has each of them once. */
export class RegularJobs {
  readonly #deps: Pick<WorkerDeps, 'jobs' | 'timers' | 'trustedLists'>
  readonly #additions: FaultLog
  #isStopped = false

  /** @param additions logs which jobs could not be added */
  constructor(deps: Pick<WorkerDeps, 'jobs' | 'timers' | 'trustedLists'>, additions: FaultLog) {
    this.#deps = deps
    this.#additions = additions
  }

  /** @param first jobs to add now; the others are first added after their interval */
  start(first: readonly RegularJob[]): void {
    const isUsed = (kind: RegularJob) => kind !== 'trusted-lists' || this.#deps.trustedLists
    for (const kind of REGULAR_JOBS.filter(isUsed)) this.#repeat(kind)
    for (const kind of first.filter(isUsed)) this.#add(kind)
  }

  /** Adds no further jobs. */
  stop(): void {
    this.#isStopped = true
  }

  #add(kind: RegularJob): void {
    const { jobs, timers } = this.#deps
    const added = jobs.add(kind, jobId(kind, {}), {}).then(() => this.#additions.succeeded())
    added.catch((error: unknown) => {
      this.#additions.failed(error, { job: kind })
      timers.after(ADD_RETRY_MS, () => {
        if (!this.#isStopped) this.#add(kind)
      })
    })
  }

  #repeat(kind: RegularJob): void {
    this.#deps.timers.after(INTERVALS_MS[kind], () => {
      if (this.#isStopped) return
      this.#add(kind)
      this.#repeat(kind)
    })
  }
}
