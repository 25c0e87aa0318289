/** CPU time of processes and of their descendants, from the proc file system (proc(5)). */
import { readdirSync, readFileSync } from 'node:fs'

/** Linux reports times in hundredths of a second. */
const TICKS_PER_SECOND = 100
/** Positions after the name of the program: parent, then the four times. */
const PARENT = 1
const TIMES = [11, 12, 13, 14]

interface Stat {
  pid: number
  parent: number
  name: string
  seconds: number
}

/** Returns undefined for a process that has ended. */
function readStat(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const name = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'))
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = TIMES.reduce((sum, index) => sum + Number(fields[index]), 0)
    return { pid, name, parent: Number(fields[PARENT]), seconds: ticks / TICKS_PER_SECOND }
  } catch {
    return undefined
  }
}

function readAll(): Stat[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.flatMap((pid) => readStat(Number(pid)) ?? [])
}

/**
 * Sums the CPU time of processes with their descendants, also of those that have ended.
 *
 * @param isCounted chooses the processes by id and program name
 * @returns seconds
 */
export function cpuSeconds(isCounted: (stat: Pick<Stat, 'pid' | 'name'>) => boolean): number {
  const all = readAll()
  const counted = new Set(all.filter(isCounted).map(({ pid }) => pid))
  for (let before = -1; before !== counted.size;) {
    before = counted.size
    for (const { pid, parent } of all) if (counted.has(parent)) counted.add(pid)
  }
  return all.reduce((sum, { pid, seconds }) => sum + (counted.has(pid) ? seconds : 0), 0)
}
