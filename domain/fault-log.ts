/** Logs a recurring fault at a limited rate. */
import type { Timers } from './ports/timers.ts'

/** While a fault lasts, it is logged at most this often. */
const REPEAT_INTERVAL_MS = 60_000
/** After a success, the fault is over when it does not recur within this time. */
const SETTLE_MS = 5_000

export interface FaultLogOptions {
  log: {
    info(details: object, message: string): void
    warn(details: object, message: string): void
  }
  timers: Timers
  /** Description of the fault, such as `the queue failed`. */
  message: string
  /** Time between two lines; without a failure for this time, the fault is over. A minute. */
  repeatMs?: number
}

/**
 * Logs the first failure at once, then one line per minute with the number of failures since the
 * last line, and one line when the fault is over: after a success, or after a minute without a
 * failure. `repeatMs` replaces the minute.
 */
export class FaultLog {
  readonly #options: FaultLogOptions
  #sinceMs: number | undefined
  #failures = 0
  #unloggedFailures = 0
  #lastError: unknown
  #stopRepeating: (() => void) | undefined
  #stopSettling: (() => void) | undefined

  constructor(options: FaultLogOptions) {
    this.#options = options
  }

  /** @param details for the first line, in addition to the error */
  failed(error: unknown, details: object = {}): void {
    const { log, timers, message } = this.#options
    this.#settle(undefined)
    this.#failures++
    this.#lastError = error
    if (this.#sinceMs !== undefined) {
      this.#unloggedFailures++
      return
    }
    this.#sinceMs = timers.nowMs()
    log.warn({ err: error, ...details }, message)
    this.#repeatLater()
  }

  /** Reports a success; the fault is over unless it recurs within seconds. */
  succeeded(): void {
    if (this.#sinceMs === undefined || this.#stopSettling) return
    this.#settle(this.#options.timers.after(SETTLE_MS, () => this.#end()))
  }

  #settle(stop: (() => void) | undefined): void {
    this.#stopSettling?.()
    this.#stopSettling = stop
  }

  #repeatLater(): void {
    const { timers, repeatMs = REPEAT_INTERVAL_MS } = this.#options
    this.#stopRepeating = timers.after(repeatMs, () => {
      if (this.#unloggedFailures === 0) return this.#end()
      const { log, message } = this.#options
      const failuresSinceLastLine = this.#unloggedFailures
      this.#unloggedFailures = 0
      log.warn({ err: this.#lastError, failuresSinceLastLine }, message)
      this.#repeatLater()
    })
  }

  #end(): void {
    const { log, timers, message } = this.#options
    const failures = this.#failures
    const forMs = timers.nowMs() - (this.#sinceMs ?? timers.nowMs())
    this.#stopRepeating?.()
    this.#settle(undefined)
    this.#sinceMs = undefined
    this.#failures = 0
    this.#unloggedFailures = 0
    this.#lastError = undefined
    log.info({ failures, forMs }, `recovered: ${message}`)
  }
}

/** Learns whether each try of some work failed. */
export type Faults = Pick<FaultLog, 'failed' | 'succeeded'>
