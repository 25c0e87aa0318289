/** The CPU time that another process takes, as far as the system tells (Linux). */
import { readFileSync } from 'node:fs'

/** Linux counts in hundredths of a second for programs, whatever the kernel does (proc(5)). */
const MS_PER_TICK = 10
/** Positions of `utime` and `stime` after the name of the program, which may contain spaces. */
const USER = 11
const SYSTEM = 12

export class CpuTime {
  readonly #pid: number | undefined
  readonly #beforeMs: number | undefined

  /** Begins to count. */
  constructor(pid: number | undefined) {
    this.#pid = pid
    this.#beforeMs = readMs(pid)
  }

  /** User and system time since the beginning, in milliseconds; undefined when it is not known. */
  elapsedMs(): number | undefined {
    const nowMs = readMs(this.#pid)
    if (nowMs === undefined || this.#beforeMs === undefined) return undefined
    return nowMs - this.#beforeMs
  }
}

function readMs(pid: number | undefined): number | undefined {
  if (pid === undefined) return undefined
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = Number(fields[USER]) + Number(fields[SYSTEM])
    return Number.isFinite(ticks) ? ticks * MS_PER_TICK : undefined
  } catch {
    return undefined
  }
}
