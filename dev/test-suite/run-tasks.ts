/** Runs test files side by side: as many as the cores allow, and more while the cores are idle. */
import { setTimeout as sleep } from 'node:timers/promises'
import { runTestFile, type FileResult } from '../run-test-file.ts'
import { BATCH_PROGRAM, groupTasks, splitResult, type Batch } from './batches.ts'
import { failEmptyFile } from './empty-files.ts'
import { IDLE_INTERVAL_MS, IdleCores } from './idle-cores.ts'
import type { Task } from './lanes.ts'

/** A finished task. */
export interface TaskResult extends FileResult {
  task: Task
  /** Start time, from the start of the run. */
  startedMs: number
}

export interface RunOptions {
  /** Limit for the sum of `cores` of concurrent tasks; at least one task runs. */
  cores: number
  onResult: (result: TaskResult) => void
  /** Runs one command; tests replace it. */
  run?: (command: readonly string[]) => Promise<FileResult>
  /** Measures idle cores; tests replace it. */
  idle?: Pick<IdleCores, 'read' | 'restart'>
}

/** Tolerance, so that three files of 0.33 cores fit on one core. */
const ROUNDING_CORES = 0.02
/**
 * Limit for the sum of `cores`, as a multiple of the cores, while cores are idle: files wait more
 * than that sum says. With a higher limit, all of them may work at once for too long.
 */
const MOST_CORES_PER_CORE = 4
/**
 * Files of the outside lanes use less than half a core on average. A higher value leaves cores
 * idle; a lower one starts files that only slow each other down.
 */
const CORES_TO_START = 0.35

/** The processes that run, and whether another one can start. */
class Running {
  readonly #cores: number
  readonly #idle: Pick<IdleCores, 'read' | 'restart'>
  readonly #ends = new Map<Batch, Promise<void>>()
  #busyCores = 0

  constructor({ cores, idle = new IdleCores() }: RunOptions) {
    this.#cores = cores
    this.#idle = idle
  }

  get size(): number {
    return this.#ends.size
  }

  add(batch: Batch, ended: Promise<void>): void {
    const { cores } = batch[0]
    this.#busyCores += cores
    this.#idle.restart()
    const left = ended.then(() => {
      this.#busyCores -= cores
      this.#ends.delete(batch)
    })
    this.#ends.set(batch, left)
  }

  /** Whether the batch can start now. */
  hasRoomFor(batch: Batch): boolean {
    if (this.size === 0) return true
    const [{ cores }] = batch
    if (this.#busyCores + cores <= this.#cores + ROUNDING_CORES) return true
    return this.#isExtraPossible(batch) && this.#idle.read() >= CORES_TO_START
  }

  /** Whether the batch can start on idle cores. Files that run alone have more than the limit. */
  #isExtraPossible([{ cores }]: Batch): boolean {
    return this.#busyCores + cores <= this.#cores * MOST_CORES_PER_CORE
  }

  /** Waits until a process has ended, or until the cores can be measured again. */
  async change(next: Batch | undefined): Promise<void> {
    const isMeasured = next !== undefined && this.#isExtraPossible(next)
    const over = new AbortController()
    const measured = isMeasured
      ? [sleep(IDLE_INTERVAL_MS, undefined, { signal: over.signal }).catch(() => {})]
      : []
    await Promise.race([...this.#ends.values(), ...measured])
    over.abort()
  }
}

/** Runs the tasks in their order and returns when the last one has ended. */
export async function runTasks(tasks: readonly Task[], options: RunOptions): Promise<TaskResult[]> {
  const { onResult, run = runTestFile } = options
  const beganMs = performance.now()
  const results: TaskResult[] = []
  const running = new Running(options)
  const queue = groupTasks(tasks)

  const runBatch = async (batch: Batch) => {
    const startedMs = performance.now() - beganMs
    const [{ lane, file }] = batch
    const files = batch.map((task) => task.file)
    const isShared = batch.length > 1
    const program = isShared ? [BATCH_PROGRAM, ...files] : [file]
    const result = await run([...lane.command, ...program])
    const parts = isShared
      ? splitResult(batch, result)
      : { ended: [{ task: batch[0], result }], rest: [] }
    // Files that a broken process did not reach get another process.
    const [first, ...others] = parts.rest
    if (first !== undefined) queue.unshift([first, ...others])
    let elapsedMs = 0
    for (const { task, result } of parts.ended) {
      const finished = { ...failEmptyFile(result), task, startedMs: startedMs + elapsedMs }
      elapsedMs += result.durationMs
      results.push(finished)
      onResult(finished)
    }
  }

  while (queue.length > 0 || running.size > 0) {
    const [next] = queue
    if (next !== undefined && running.hasRoomFor(next)) {
      queue.shift()
      running.add(next, runBatch(next))
    } else await running.change(next)
  }
  return results
}
