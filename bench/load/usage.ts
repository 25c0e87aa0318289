/** Reads CPU time, memory and queues of the service once in each interval. */
import { performance } from 'node:perf_hooks'
import { readUsage, type Usage } from '../process-cpu.ts'
import type { InFlight } from './drive-case.ts'

/** A process of the service; its children are a line of their own. */
export interface Watched {
  name: string
  pid: number
  /** Name of the line of its children; absent: they count as part of the process. */
  children?: string
}

/** The state of the service at one time. */
export interface Reading {
  /** Milliseconds after the start of the run. */
  atMs: number
  /** Cores that were busy since the reading before, for each process. */
  cores: Record<string, number>
  /** Megabytes of resident memory, for each process. */
  memoryMb: Record<string, number>
  /** Cases and jobs that wait. */
  queues: Record<string, number>
}

const OCTETS_PER_MB = 1e6
const MS_PER_SECOND = 1_000

function readAll(watched: readonly Watched[]): Map<string, Usage> {
  const lines = new Map<string, Usage>()
  const add = (name: string, { seconds, octets }: Usage) => {
    const known = lines.get(name) ?? { seconds: 0, octets: 0 }
    lines.set(name, { seconds: known.seconds + seconds, octets: known.octets + octets })
  }
  for (const { name, pid, children } of watched) {
    const { own, below } = readUsage(pid)
    add(name, own)
    add(children ?? name, below)
  }
  return lines
}

export interface WatchOptions {
  watched: readonly Watched[]
  inFlight: InFlight
  /** Number of jobs that wait for a worker; absent: the service does not publish it. */
  countJobs?: (() => Promise<number>) | undefined
  intervalMs: number
  runStartedMs: number
}

export interface Watching {
  readings: Reading[]
  /** CPU seconds of each process since the start. */
  seconds(): Record<string, number>
  stop(): void
}

/** Reads until `stop`. */
export function watchUsage(options: WatchOptions): Watching {
  const { watched, inFlight, countJobs, intervalMs, runStartedMs } = options
  const readings: Reading[] = []
  const first = readAll(watched)
  let before = { atMs: performance.now(), usage: first }
  const read = async () => {
    const usage = readAll(watched)
    const atMs = performance.now()
    const elapsedSeconds = (atMs - before.atMs) / MS_PER_SECOND
    const names = [...usage.keys()]
    const each = (value: (name: string) => number) =>
      Object.fromEntries(names.map((name) => [name, value(name)]))
    const secondsOf = (of: Map<string, Usage>, name: string) => of.get(name)?.seconds ?? 0
    const old = before.usage
    before = { atMs, usage }
    const jobs = await countJobs?.().catch(() => undefined)
    readings.push({
      atMs: atMs - runStartedMs,
      cores: each((name) =>
        Math.max(0, (secondsOf(usage, name) - secondsOf(old, name)) / elapsedSeconds),
      ),
      memoryMb: each((name) => (usage.get(name)?.octets ?? 0) / OCTETS_PER_MB),
      queues: { ...inFlight, ...(jobs !== undefined && { jobs }) },
    })
  }
  const timer = setInterval(() => void read(), intervalMs)
  return {
    readings,
    seconds: () =>
      Object.fromEntries(
        [...readAll(watched)].map(([name, { seconds }]) => [
          name,
          seconds - (first.get(name)?.seconds ?? 0),
        ]),
      ),
    stop: () => clearInterval(timer),
  }
}
