/** The machine's clock and timers. */
import { clearTimeout, setTimeout } from 'node:timers'
import type { Timers } from '../../domain/ports/timers.ts'

/** A pending timer alone does not keep the process alive. */
export const systemTimers: Timers = {
  nowMs: () => Date.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs)
    timer.unref()
    return () => clearTimeout(timer)
  },
}
