/** CPU time of processes and of their descendants, from the proc file system (proc(5)). */
import { readdirSync, readFileSync } from 'node:fs'

/** Linux reports times in hundredths of a second. */
const TICKS_PER_SECOND = 100
const NANOSECONDS_PER_MS = 1e6
/** Size of a page of memory on x64, and by default on arm64. */
const OCTETS_PER_PAGE = 4_096
/** Positions after the name of the program: parent, own times, times of ended children, pages. */
const PARENT = 1
const OWN_TIMES = [11, 12]
const ENDED_TIMES = [13, 14]
const PAGES = 21

interface Stat {
  pid: number
  parent: number
  /** With its children that have ended. */
  seconds: number
  ownSeconds: number
  octets: number
}

/** CPU time and resident memory. */
export interface Usage {
  seconds: number
  octets: number
}

/** Returns undefined for a process that has ended. */
function readStat(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const secondsAt = (places: readonly number[]) =>
      places.reduce((sum, index) => sum + Number(fields[index]), 0) / TICKS_PER_SECOND
    const ownSeconds = secondsAt(OWN_TIMES)
    return {
      pid,
      parent: Number(fields[PARENT]),
      seconds: ownSeconds + secondsAt(ENDED_TIMES),
      ownSeconds,
      octets: Number(fields[PAGES]) * OCTETS_PER_PAGE,
    }
  } catch {
    return undefined
  }
}

function readAll(): Stat[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.flatMap((pid) => readStat(Number(pid)) ?? [])
}

/** Adds all descendants to the processes. */
function addDescendants(all: readonly Stat[], pids: Set<number>): void {
  for (let before = -1; before !== pids.size;) {
    before = pids.size
    for (const { pid, parent } of all) if (pids.has(parent)) pids.add(pid)
  }
}

/**
 * Reads the usage of a process, and that of all its descendants together, also of those that have
 * ended. Both are zero for a process that does not run.
 */
export function readUsage(root: number): { own: Usage; below: Usage } {
  const all = readAll()
  const pids = new Set([root])
  addDescendants(all, pids)
  const own = { seconds: 0, octets: 0 }
  const below = { seconds: 0, octets: 0 }
  for (const { pid, seconds, ownSeconds, octets } of all) {
    if (!pids.has(pid)) continue
    const part = pid === root ? own : below
    part.octets += octets
    part.seconds += ownSeconds
    below.seconds += seconds - ownSeconds
  }
  return { own, below }
}

/**
 * Reads the CPU time of the threads of a process that run, to the nanosecond (for short times).
 *
 * @returns milliseconds
 */
export function threadCpuMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  const nanoseconds = threads.map((thread) => {
    const [onCpu] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ')
    return Number(onCpu)
  })
  return nanoseconds.reduce((sum, one) => sum + one, 0) / NANOSECONDS_PER_MS
}

/**
 * Sums the CPU time of processes with their descendants, also of those that have ended. They are
 * chosen by their ids: others on the machine may run programs of the same name.
 *
 * @returns seconds
 */
export function cpuSeconds(roots: readonly number[]): number {
  const all = readAll()
  const counted = new Set(roots)
  addDescendants(all, counted)
  return all.reduce((sum, { pid, seconds }) => sum + (counted.has(pid) ? seconds : 0), 0)
}
