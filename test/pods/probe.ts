/** Opens connections to the API through its Service while a test disturbs the pods. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { BASE_URL } from '../../dev/pods/layout.ts'

/** 20 requests a second, each over a connection of its own. */
const PERIOD_MS = 50
const REQUEST_LIMIT_MS = 30_000

export interface Probe {
  /** Stops after the requests in flight. @returns all answers, by their status or their error */
  stop(): Promise<Map<string, number>>
}

async function ask(): Promise<string> {
  try {
    // The node's proxy opens a connection for each request, and answers 502 when it is refused.
    const signal = AbortSignal.timeout(REQUEST_LIMIT_MS)
    const response = await fetch(`${BASE_URL}/healthz`, { signal })
    await response.arrayBuffer()
    return String(response.status)
  } catch (error) {
    return String((error as Error).cause ?? error)
  }
}

/** Starts to ask the API for its health, at most until the test ends. */
export function startProbe(t: Test): Probe {
  const asked: Promise<string>[] = []
  const over = new AbortController()
  t.teardown(() => over.abort())
  const run = async () => {
    while (!over.signal.aborted) {
      asked.push(ask())
      await sleep(PERIOD_MS)
    }
  }
  const running = run()
  return {
    stop: async () => {
      over.abort()
      await running
      const counts = new Map<string, number>()
      for (const answer of await Promise.all(asked)) {
        counts.set(answer, (counts.get(answer) ?? 0) + 1)
      }
      return counts
    },
  }
}
