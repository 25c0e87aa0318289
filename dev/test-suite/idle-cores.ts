/** Decides whether cores are idle enough to start another test file beside those that wait. */
import { cpus, freemem } from 'node:os'

/** Interval that is measured; files load their modules in less. */
export const IDLE_INTERVAL_MS = 1_000
/** Memory that must stay free: a file with a cluster needs about 1.5 GiB. */
const FREE_MEMORY_BYTES = 2.5 * 1024 ** 3

interface Times {
  idleMs: number
  atMs: number
}

function readTimes(): Times {
  const idleMs = cpus().reduce((sum, { times }) => sum + times.idle, 0)
  return { idleMs, atMs: performance.now() }
}

/** Measures the cores from one start of a file to the next. */
export class IdleCores {
  #since = readTimes()

  /** Begins a new interval: the file that has just started is not busy yet. */
  restart(): void {
    this.#since = readTimes()
  }

  /**
   * Average number of idle cores in the last complete interval.
   *
   * @returns 0 while the interval is not complete, or when memory is short
   */
  read(): number {
    const now = readTimes()
    const elapsedMs = now.atMs - this.#since.atMs
    if (elapsedMs < IDLE_INTERVAL_MS) return 0
    const idle = (now.idleMs - this.#since.idleMs) / elapsedMs
    this.#since = now
    return freemem() < FREE_MEMORY_BYTES ? 0 : idle
  }
}
