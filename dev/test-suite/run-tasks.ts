/** Runs test files side by side, as many as the cores allow. */
import { runTestFile, type FileResult } from '../run-test-file.ts'
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
}

/** Tolerance, so that three files of 0.33 cores fit on one core. */
const ROUNDING_CORES = 0.02

/** Runs the tasks in their order and returns when the last one has ended. */
export async function runTasks(tasks: readonly Task[], options: RunOptions): Promise<TaskResult[]> {
  const { cores, onResult, run = runTestFile } = options
  const beganMs = performance.now()
  const results: TaskResult[] = []
  const running = new Map<Task, Promise<void>>()
  let busyCores = 0

  const start = (task: Task) => {
    const { lane, file } = task
    const startedMs = performance.now() - beganMs
    busyCores += task.cores
    const ended = run([...lane.command, file]).then((result) => {
      busyCores -= task.cores
      running.delete(task)
      const finished = { ...result, task, startedMs }
      results.push(finished)
      onResult(finished)
    })
    running.set(task, ended)
  }

  for (const task of tasks) {
    const fits = () => busyCores + task.cores <= cores + ROUNDING_CORES
    while (running.size > 0 && !fits()) await Promise.race(running.values())
    start(task)
  }
  await Promise.all(running.values())
  return results
}
