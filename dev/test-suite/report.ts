/** Prints the results of test files, the time of each lane, and the totals. */
import type { Task } from './lanes.ts'
import type { TaskResult } from './run-tasks.ts'

/** How many of the slowest files are listed. */
const SLOWEST_FILES = 20
const LANE_COLUMNS = 15
const SECONDS_COLUMNS = 6

const secondsOf = (durationMs: number) =>
  `${(durationMs / 1000).toFixed(1).padStart(SECONDS_COLUMNS)} s`

const nameOf = ({ lane, file }: Task) => `${lane.name.padEnd(LANE_COLUMNS)} ${file}`

const wordOf = ({ passed, failed }: TaskResult): string => {
  if (failed > 0) return 'FAIL'
  return passed > 0 ? 'ok  ' : 'skip'
}

/** Formats one line per file, with wall-clock and CPU time, and its output when it failed. */
export function formatResult(result: TaskResult): string {
  const { task, passed, failed, skipped, fault, durationMs, cpuMs, output } = result
  const counts = [
    `${passed} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ]
  const lane = task.lane.name.padEnd(LANE_COLUMNS)
  const times = `${secondsOf(durationMs)}  ${secondsOf(cpuMs)} CPU`
  return [
    ...(failed > 0 ? [output] : []),
    `${wordOf(result)} ${lane} ${times}  ${task.file}: ${counts.join(', ')}`,
    ...(fault === undefined ? [] : [`     ${task.file} ${fault}`]),
  ].join('\n')
}

/** Formats the slowest files and one line per lane: wall-clock time, sum of its files, CPU time. */
export function formatTimes(results: readonly TaskResult[]): string {
  const slowest = [...results].sort((a, b) => b.durationMs - a.durationMs).slice(0, SLOWEST_FILES)
  const lanes = [...new Set(results.map(({ task }) => task.lane))]
  return [
    'slowest files:',
    ...slowest.map(({ task, durationMs, cpuMs }) =>
      [secondsOf(durationMs), `${secondsOf(cpuMs)} CPU`, nameOf(task)].join('  '),
    ),
    'lanes:',
    ...lanes.map((lane) => {
      const own = results.filter(({ task }) => task.lane === lane)
      const sumMs = own.reduce((sum, { durationMs }) => sum + durationMs, 0)
      const beganMs = Math.min(...own.map(({ startedMs }) => startedMs))
      const endedMs = Math.max(...own.map(({ startedMs, durationMs }) => startedMs + durationMs))
      const cpuMs = own.reduce((sum, result) => sum + result.cpuMs, 0)
      const name = lane.name.padEnd(LANE_COLUMNS)
      const times = `${secondsOf(sumMs).trim()} together, ${secondsOf(cpuMs).trim()} CPU`
      const files = `${own.length} files, ${times}`
      return `${secondsOf(endedMs - beganMs)}  ${name} ${files}`
    }),
  ].join('\n')
}

export interface Sum {
  passed: number
  failed: number
}

/** Adds up what passed and failed in all files. */
export function addUp(results: readonly TaskResult[]): Sum {
  return results.reduce(
    (sum, { passed, failed }) => ({ passed: sum.passed + passed, failed: sum.failed + failed }),
    { passed: 0, failed: 0 },
  )
}
