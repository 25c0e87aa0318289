/** Ends a process on SIGINT or SIGTERM. */
import process from 'node:process'
import { setTimeout } from 'node:timers'

/** A terminal and npm send the same interrupt twice, within milliseconds. */
const SAME_SIGNAL_MS = 500

/** Why the process ended before its parts were closed. */
export type CutReason = 'time limit' | 'second signal'

export interface EndOptions {
  /** Closes all parts of the process. */
  close(): Promise<void>
  /** After this time the process ends, whatever still runs. */
  limitMs: number
  /** Called before the process ends while a part still runs. */
  onCut?: (reason: CutReason) => void
}

/**
 * Closes the parts at the first signal and then exits with 0. The process ends earlier at the limit
 * (with 0: every job and request can be repeated) and at a second signal (with 1).
 */
export function endOnSignals({ close, limitMs, onCut = () => {} }: EndOptions): void {
  let firstMs: number | undefined
  const cut = (reason: CutReason, code: 0 | 1) => {
    onCut(reason)
    process.exit(code)
  }
  const onSignal = () => {
    if (firstMs !== undefined) {
      if (performance.now() - firstMs >= SAME_SIGNAL_MS) cut('second signal', 1)
      return
    }
    firstMs = performance.now()
    setTimeout(() => cut('time limit', 0), limitMs).unref()
    void close().finally(() => process.exit(0))
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal)
}
