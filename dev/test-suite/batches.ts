/** Groups short test files into one process, and reads the result of each file from its output. */
import type { FileResult } from '../run-test-file.ts'
import type { Task } from './lanes.ts'

/**
 * A process needs about half a second for its start and its modules. With more files, one process
 * would run longer than the rest of the suite.
 */
const MAXIMUM_FILES = 40
/** Files that share a cluster, a service or a browser use more time and memory than others. */
const FILES_PER_WORLD = 10
/** Program of a batch, from the root of the repository. */
export const BATCH_PROGRAM = 'dev/test-suite/batch.ts'

/** The tasks of one process, in their order. */
export type Batch = readonly [Task, ...Task[]]

/** Totals of one file; `durationMs` and `cpuMs` leave out the start of the process. */
export type FileEnd = Omit<FileResult, 'output' | 'fault'>

const START = /^# file (\S+)$/
const END = /^# end of (\S+) (\{.*\})$/

/** Formats the line before a file. */
export const formatStart = (file: string): string => `file ${file}`

/** Formats the line after a file. */
export const formatEnd = (file: string, end: FileEnd): string =>
  `end of ${file} ${JSON.stringify(end)}`

const limitOf = ({ sharesWorld, lane: { filesPerWorld = FILES_PER_WORLD } }: Task): number =>
  sharesWorld ? filesPerWorld : MAXIMUM_FILES

const groupKeyOf = ({ lane, cores, group }: Task): string => [lane.name, cores, group].join('/')

/** How many files a process of each group gets, so that its processes are about equal. */
function countPerProcess(tasks: readonly Task[]): Map<string, number> {
  const groups = Map.groupBy(tasks, groupKeyOf)
  const sizeOf = (group: readonly [Task, ...Task[]]) =>
    Math.ceil(group.length / Math.ceil(group.length / limitOf(group[0])))
  return new Map([...groups].map(([key, group]) => [key, sizeOf(group as [Task, ...Task[]])]))
}

/** Puts tasks of the same lane and group into as few processes as the limit allows. */
export function groupTasks(tasks: readonly Task[]): Batch[] {
  const counts = countPerProcess(tasks)
  const batches: [Task, ...Task[]][] = []
  const open = new Map<string, [Task, ...Task[]]>()
  for (const task of tasks) {
    const key = groupKeyOf(task)
    const batch = task.group === undefined ? undefined : open.get(key)
    if (batch !== undefined && batch.length < (counts.get(key) ?? 1)) {
      batch.push(task)
      continue
    }
    const fresh: [Task, ...Task[]] = [task]
    batches.push(fresh)
    if (task.group !== undefined) open.set(key, fresh)
  }
  return batches
}

/** Cuts the output of a batch into the sections of its files. */
function readSections(output: string): Map<string, { lines: string[]; end?: FileEnd }> {
  const sections = new Map<string, { lines: string[]; end?: FileEnd }>()
  let lines: string[] = []
  for (const line of output.split('\n')) {
    const [, started] = START.exec(line) ?? []
    if (started !== undefined) sections.set(started, { lines: (lines = []) })
    lines.push(line)
    const [, ended, end] = END.exec(line) ?? []
    if (ended !== undefined && end !== undefined) {
      sections.set(ended, { lines, end: JSON.parse(end) as FileEnd })
    }
  }
  return sections
}

export interface BatchResult {
  /** Results of files that ended, or in which the process ended or hung. */
  ended: readonly { task: Task; result: FileResult }[]
  /** Files that did not start. */
  rest: readonly Task[]
}

/**
 * Splits the result of a process into results of its files. When the process ended or hung before
 * its last file ended, the file that ran then has failed.
 *
 * @param whole result of the process
 */
export function splitResult(batch: Batch, whole: FileResult): BatchResult {
  const sections = readSections(whole.output)
  const ended: { task: Task; result: FileResult }[] = []
  const rest: Task[] = []
  for (const task of batch) {
    const { lines = [], end } = sections.get(task.file) ?? {}
    const output = lines.join('\n')
    if (end) ended.push({ task, result: { ...end, output } })
    else if (lines.length > 0 || ended.length + rest.length === 0) {
      const counts = { passed: 0, failed: 1, skipped: 0, durationMs: whole.durationMs, cpuMs: 0 }
      const fault = whole.fault ?? 'ended the process in which it ran'
      ended.push({ task, result: { ...counts, output: output || whole.output, fault } })
    } else rest.push(task)
  }
  return { ended: withWhole(ended, whole, rest.length === 0), rest }
}

/** Adds what concerns the process as a whole: CPU time of its start, and a fault at its end. */
function withWhole(
  ended: BatchResult['ended'],
  whole: FileResult,
  isComplete: boolean,
): BatchResult['ended'] {
  const spentMs = ended.reduce((sum, { result }) => sum + result.cpuMs, 0)
  const startMs = Math.max(0, whole.cpuMs - spentMs)
  const isExplained = ended.some(({ result }) => result.failed > 0)
  const lacksFault = whole.fault !== undefined && isComplete && !isExplained
  return ended.map(({ task, result }, index) => ({
    task,
    result: {
      ...result,
      cpuMs: result.cpuMs + (index === 0 ? startMs : 0),
      ...(lacksFault && index === ended.length - 1
        ? { failed: 1, fault: `or a file before it in the same process: ${whole.fault}` }
        : {}),
    },
  }))
}
