/** Reads how much CPU time the ended child processes of this process have used (Linux). */
import { existsSync, readFileSync } from 'node:fs'

const STAT = '/proc/self/stat'
/** Linux counts in hundredths of a second on every architecture (proc(5), USER_HZ). */
const MS_PER_TICK = 10
/** Positions of `cutime` and `cstime` after the name of the program. */
const CHILD_USER_TIME = 13
const CHILD_SYSTEM_TIME = 14

/** Sums up the ended children and their own ended children. @returns 0 where `/proc` is missing */
export function readChildCpuMs(): number {
  if (!existsSync(STAT)) return 0
  const text = readFileSync(STAT, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(fields[CHILD_USER_TIME]) + Number(fields[CHILD_SYSTEM_TIME])
  return ticks * MS_PER_TICK
}
