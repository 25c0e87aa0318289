/** A queue of keys: each key waits at most once, and one runner at a time works on it. */
import { FairOrder } from '../domain/fair-order.ts'
import type { Timers } from '../domain/ports/timers.ts'

/** Keys beyond this number are rejected; the next resync adds them again. */
const MAXIMUM_KEYS = 100_000
const FIRST_RETRY_MS = 200
const LONGEST_RETRY_MS = 60_000

export interface WorkQueueOptions {
  timers: Timers
  /** How many keys run at once. */
  concurrency: number
  /** Groups take turns, so that one with many keys does not delay the others. */
  groupOf(key: string): string
  /** @returns the delay in milliseconds until the key is due again, or undefined */
  run(key: string): Promise<number | undefined>
  /**
   * Receives the error of every failed run; the key is retried after the call.
   *
   * @param failures consecutive failures of this key, including this one; the call must not fail
   */
  onError(error: unknown, key: string, failures: number): void | Promise<void>
}

/** A work queue like those of Kubernetes controllers. */
export class WorkQueue {
  readonly #options: WorkQueueOptions
  readonly #waiting = new FairOrder<string>()
  readonly #running = new Set<string>()
  /** For each running key, the conditions under which it runs once more. */
  readonly #again = new Map<string, (() => boolean)[]>()
  /** The runs that {@link addSoon} scheduled. */
  readonly #soon = new Map<string, { dueMs: number; cancel(): void }>()
  /** Each cancels the next scheduled run of a key. */
  readonly #alarms = new Map<string, () => void>()
  readonly #failures = new Map<string, number>()
  readonly #listeners = new Set<() => void>()
  #closed = false

  constructor(options: WorkQueueOptions) {
    this.#options = options
  }

  /** Number of keys that wait or run. */
  get size(): number {
    return this.#waiting.size + this.#running.size
  }

  /**
   * @param isNeeded called when the key could run, for a running key after its run
   * @returns false when the queue is full or closed
   */
  add(key: string, isNeeded: () => boolean = () => true): boolean {
    if (this.#closed) return false
    if (this.#running.has(key)) {
      this.#again.set(key, [...(this.#again.get(key) ?? []), isNeeded])
      return true
    }
    if (!isNeeded()) return true
    if (this.#waiting.size >= MAXIMUM_KEYS) return false
    this.#waiting.add(this.#options.groupOf(key), key)
    this.#startNext()
    return true
  }

  /**
   * Adds a key after a delay. One run, at the earliest of their times, serves all additions; a run
   * that starts earlier for another reason serves them too.
   */
  addSoon(key: string, delayMs: number): void {
    const { timers, groupOf } = this.#options
    const dueMs = timers.nowMs() + delayMs
    const scheduled = this.#soon.get(key)
    const isWaiting = this.#waiting.has(groupOf(key), key)
    if (this.#closed || isWaiting || (scheduled && scheduled.dueMs <= dueMs)) return
    scheduled?.cancel()
    // Without a timer the key would be forgotten until the next resync.
    if (!scheduled && this.#soon.size >= MAXIMUM_KEYS) return void this.add(key)
    const cancel = timers.after(delayMs, () => {
      this.#soon.delete(key)
      this.add(key)
    })
    this.#soon.set(key, { dueMs, cancel })
  }

  /** Resolves once at most `count` keys wait or run, or the queue is closed and idle. */
  async below(count: number): Promise<void> {
    while (this.size > count) {
      await new Promise<void>((resolve) => this.#listeners.add(resolve))
    }
  }

  /** Starts no more runs and waits for those in progress. */
  async close(): Promise<void> {
    this.#closed = true
    this.#waiting.clear()
    for (const cancel of this.#alarms.values()) cancel()
    for (const { cancel } of this.#soon.values()) cancel()
    this.#alarms.clear()
    this.#soon.clear()
    await this.below(0)
  }

  #startNext(): void {
    while (this.#running.size < this.#options.concurrency) {
      const key = this.#waiting.take()
      if (key === undefined) return
      this.#running.add(key)
      void this.#run(key)
    }
  }

  async #run(key: string): Promise<void> {
    this.#soon.get(key)?.cancel()
    this.#soon.delete(key)
    try {
      this.#setAlarm(key, await this.#options.run(key))
      this.#failures.delete(key)
    } catch (error) {
      const failures = (this.#failures.get(key) ?? 0) + 1
      if (this.#failures.size < MAXIMUM_KEYS) this.#failures.set(key, failures)
      await this.#options.onError(error, key, failures)
      this.#setAlarm(key, Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LONGEST_RETRY_MS))
    } finally {
      this.#running.delete(key)
      const isNeededAgain = this.#again.get(key)?.some((isNeeded) => isNeeded()) ?? false
      this.#again.delete(key)
      if (isNeededAgain) this.add(key)
      this.#startNext()
      for (const listener of this.#listeners) listener()
      this.#listeners.clear()
    }
  }

  /** Replaces the scheduled run of a key: only the latest run decides when the key is due. */
  #setAlarm(key: string, delayMs: number | undefined): void {
    this.#alarms.get(key)?.()
    this.#alarms.delete(key)
    if (delayMs === undefined || this.#closed || this.#alarms.size >= MAXIMUM_KEYS) return
    const cancel = this.#options.timers.after(Math.max(delayMs, 0), () => {
      this.#alarms.delete(key)
      this.add(key)
    })
    this.#alarms.set(key, cancel)
  }
}
