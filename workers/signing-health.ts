/**
 * Whether this worker can read and sign: it runs its own canary, and leaves jobs to other workers
 * while its canary fails (design 2, promise 6).
 */
import { WORKER_CANARY_LIFE_MS } from '../domain/canary.ts'
import type { CanaryResult } from '../domain/cases/results.ts'
import { FaultLog } from '../domain/fault-log.ts'
import { CANARY_INTERVAL_MS } from '../domain/limits.ts'
import type { JobKind } from '../domain/ports/jobs.ts'
import { askForAnother, runCanary, type CanaryDeps, type CanaryRun } from './canary.ts'
import type { WorkerDeps } from './deps.ts'

/** Jobs that use the signing keys or the time-stamp authority. */
export const SIGNING_JOBS = ['finalise', 'trail-seal', 'crl'] as const satisfies JobKind[]
/** Jobs that need the sandbox only. */
export const READING_JOBS = ['intake', 'verify'] as const satisfies JobKind[]
/** A worker retries a failed canary sooner than it repeats a passed one. */
export const CANARY_RETRY_MS = 15_000
/** Failed jobs trigger at most one canary in this time, because a document may be at fault. */
const SUSPICION_PAUSE_MS = 5_000
/** More time than all configured time-stamp authorities need to refuse. */
const CANARY_LIMIT_MS = 60_000
/** One object is read. */
const LEARN_LIMIT_MS = 10_000
const MILLISECONDS_PER_SECOND = 1_000

export type SigningHealthDeps = CanaryDeps & Pick<WorkerDeps, 'jobs' | 'timers' | 'metrics'>

const isSigningJob = (kind: JobKind) => SIGNING_JOBS.some((one) => one === kind)

/** One instance per worker process. */
export class SigningHealth {
  readonly #deps: SigningHealthDeps
  readonly #workerId: string
  readonly #faults: FaultLog
  #last: CanaryResult['outcome'] | undefined
  /** Whether the sandbox read the document of the canary in progress, or else of the last one. */
  #reading = { isDone: false }
  /** When another worker was last known to sign, in milliseconds since 1970. */
  #anotherSignedAtMs = Number.NEGATIVE_INFINITY
  #running: Promise<void> | undefined
  #suspectedAtMs = Number.NEGATIVE_INFINITY
  #stopTimer: (() => void) | undefined
  #isStarted = false

  /** @param workerId distinguishes this process from other workers */
  constructor(deps: SigningHealthDeps, workerId: string) {
    this.#deps = deps
    this.#workerId = workerId
    const message = 'the canary failed: this worker cannot sign'
    // Canaries that hang fail less than once a minute.
    this.#faults = new FaultLog({ ...deps, message, repeatMs: 2 * CANARY_LIMIT_MS })
    this.#report()
  }

  /**
   * Runs the canary at once and then periodically; call it after the handlers of all jobs are
   * registered.
   */
  start(): void {
    this.#isStarted = true
    this.#holdJobs()
    if (this.#last === undefined) void this.check()
    else this.#checkLater()
  }

  /** Starts no further canary. */
  stop(): void {
    this.#isStarted = false
    this.#stopTimer?.()
  }

  /** Runs a canary, or waits for the one in progress. */
  check(): Promise<void> {
    this.#running ??= this.#check()
    return this.#running
  }

  /**
   * Called when a job failed: if it needs a key, a canary checks whether this worker can still
   * sign.
   */
  suspect(kind: JobKind): void {
    if (!this.#isStarted || !isSigningJob(kind) || this.#last === 'failed') return
    const nowMs = this.#deps.timers.nowMs()
    const leftMs = this.#suspectedAtMs + SUSPICION_PAUSE_MS - nowMs
    if (leftMs > 0) return this.#checkAfter(leftMs)
    this.#suspectedAtMs = nowMs
    void this.check()
    this.#holdJobs()
  }

  /** Returns why this worker cannot sign, for readiness; undefined when it can. */
  fault(): string | undefined {
    if (this.#last === undefined) return 'no canary has run yet'
    return this.#last === 'failed' ? 'the last canary failed' : undefined
  }

  async #check(): Promise<void> {
    this.#stopTimer?.()
    const reading = { isDone: false }
    this.#reading = reading
    const run = await this.#runInTime(reading)
    this.#last = run.own.outcome
    this.#learnOfOthers(run.canAnotherSign ?? (await this.#askInTime()))
    if (run.own.outcome === 'passed') this.#faults.succeeded()
    else this.#faults.failed(run.error ?? run.own.reason)
    this.#running = undefined
    this.#report()
    if (!this.#isStarted) return
    this.#holdJobs()
    this.#checkLater()
  }

  /** @param canSign whether another worker can sign; undefined when that is unknown */
  #learnOfOthers(canSign: boolean | undefined): void {
    if (canSign === undefined) return
    this.#anotherSignedAtMs = canSign ? this.#deps.timers.nowMs() : Number.NEGATIVE_INFINITY
  }

  #report(): void {
    const { metrics, now } = this.#deps
    const isPassed = this.#last === 'passed'
    metrics.set('sigcase_worker_can_sign', {}, isPassed ? 1 : 0)
    if (!isPassed) return
    const seconds = now().getTime() / MILLISECONDS_PER_SECOND
    metrics.set('sigcase_canary_last_success_timestamp_seconds', {}, seconds)
  }

  /** @param reading of this run: a former one may end while another is in progress */
  #runInTime(reading: { isDone: boolean }): Promise<CanaryRun> {
    const at = this.#deps.now().toISOString()
    const run = runCanary(this.#deps, this.#workerId, () => (reading.isDone = true))
    const late = (): CanaryRun => {
      const missing = reading.isDone ? 'no result' : 'the sandbox has not read the document'
      const reason = `${missing} within ${CANARY_LIMIT_MS} ms`
      return { own: { outcome: 'failed', at, reason } }
    }
    return this.#inTime(run, CANARY_LIMIT_MS, late)
  }

  /** A canary that hangs does not report whether another worker can sign. */
  #askInTime(): Promise<boolean | undefined> {
    const asked = askForAnother(this.#deps, this.#workerId)
    return this.#inTime(asked, LEARN_LIMIT_MS, () => undefined)
  }

  /** @returns the result, or that of `late` when there is none in time */
  async #inTime<Result>(
    result: Promise<Result>,
    limitMs: number,
    late: () => Result,
  ): Promise<Result> {
    const tooLate = Promise.withResolvers<Result>()
    const stop = this.#deps.timers.after(limitMs, () => tooLate.resolve(late()))
    try {
      return await Promise.race([result, tooLate.promise])
    } finally {
      stop()
    }
  }

  #checkLater(): void {
    this.#checkAfter(this.#last === 'passed' ? CANARY_INTERVAL_MS : CANARY_RETRY_MS)
  }

  #checkAfter(delayMs: number): void {
    if (this.#running) return
    this.#stopTimer?.()
    this.#stopTimer = this.#deps.timers.after(delayMs, () => void this.check())
  }

  /**
   * While no worker can sign, the jobs still run: their failures set the conditions of the cases,
   * and after a day the cases become FAILED (decision 109). A fault of keys or time-stamps does not
   * hold the jobs that only read.
   */
  #holdJobs(): void {
    const isInDoubt = this.#running !== undefined || this.#last === undefined
    // The other worker may be gone, and canaries without a result do not show it.
    const knownForMs = this.#deps.timers.nowMs() - this.#anotherSignedAtMs
    const isLeftToOthers = this.#last === 'failed' && knownForMs <= WORKER_CANARY_LIFE_MS
    this.#hold(SIGNING_JOBS, isInDoubt || isLeftToOthers)
    this.#hold(READING_JOBS, isLeftToOthers && !this.#reading.isDone)
  }

  #hold(kinds: readonly JobKind[], isHeld: boolean): void {
    for (const kind of kinds) {
      if (isHeld) this.#deps.jobs.pause(kind)
      else this.#deps.jobs.resume(kind)
    }
  }
}
