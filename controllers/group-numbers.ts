/** Metrics that the controllers of all groups of shards in one process report together. */
import { PHASES } from '../domain/cases/status.ts'
import type { Metrics } from '../domain/ports/metrics.ts'
import type { Census } from './census.ts'

const MILLISECONDS_PER_SECOND = 1_000

/** The numbers of the groups of one process; without groups there are none. */
export class GroupNumbers {
  readonly #metrics: Metrics
  readonly #censuses = new Map<number, Census>()
  readonly #lengths = new Map<number, number>()

  constructor(metrics: Metrics) {
    this.#metrics = metrics
  }

  /** Reports the cases of a group, when all of them have been counted. */
  setCensus(group: number, census: Census, nowMs: number): void {
    this.#censuses.set(group, census)
    const all = [...this.#censuses.values()]
    for (const phase of PHASES) {
      const count = all.reduce((sum, one) => sum + one.count(phase), 0)
      this.#metrics.set('sigcase_cases', { phase }, count)
    }
    const oldestMs = Math.min(nowMs, ...all.map((one) => one.oldestMs ?? nowMs))
    const seconds = (nowMs - oldestMs) / MILLISECONDS_PER_SECOND
    this.#metrics.set('sigcase_oldest_unfinished_case_seconds', {}, seconds)
  }

  /** Reports how many cases of a group wait for a reconcile or are being reconciled. */
  setQueueLength(group: number, length: number): void {
    this.#lengths.set(group, length)
    const sum = [...this.#lengths.values()].reduce((a, b) => a + b, 0)
    this.#metrics.set('sigcase_reconcile_queue_length', {}, sum)
  }

  /** Removes the numbers of a group that another replica has now. */
  forget(group: number, nowMs: number): void {
    this.#censuses.delete(group)
    this.#lengths.delete(group)
    const [length, census] = [[...this.#lengths][0], [...this.#censuses][0]]
    if (length) this.setQueueLength(...length)
    else this.#metrics.clear('sigcase_reconcile_queue_length')
    if (census) return this.setCensus(...census, nowMs)
    this.#metrics.clear('sigcase_cases')
    this.#metrics.clear('sigcase_oldest_unfinished_case_seconds')
  }
}
