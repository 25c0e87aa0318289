/** Answers orders of the row `sse` in both servers: memory, stalls, end. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import type { ServerOrder, ServerReport, Target } from './messages.ts'

const RESOLUTION_MS = 1
/** Number of garbage collections; a later one frees what an earlier one marked. */
const COLLECTIONS = 4
const SETTLE_MS = 200
const NANOSECONDS_PER_MS = 1e6

async function memory(): Promise<ServerReport> {
  for (let count = 0; count < COLLECTIONS; count++) {
    // A full collection also returns free pages, which kiosks do not use.
    await globalThis.gc?.({ type: 'major', execution: 'async', flavor: 'last-resort' })
    await setTimeout(SETTLE_MS)
  }
  return { rssBytes: process.memoryUsage().rss }
}

/** @param ready first message to the row */
export function answerOrders(ready: Target): void {
  const send = (report: ServerReport) => void process.send?.(report)
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  process.on('message', (order: ServerOrder) => {
    if (order === 'memory') void memory().then(send)
    if (order === 'watch') {
      delay.reset()
      delay.enable()
    }
    if (order === 'stalls') {
      delay.disable()
      send({ longestStallMs: Math.max(delay.max / NANOSECONDS_PER_MS - RESOLUTION_MS, 0) })
    }
  })
  // The row has ended.
  process.once('disconnect', () => process.exit())
  send({ ready })
}
