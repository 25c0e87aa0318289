/** Runs the fuzzer of viewers in threads, watches their time, and counts what they report. */
import { Worker } from 'node:worker_threads'
import { REFUSED, type Verdict } from './judge.ts'

/** Kinds of attacked documents. */
export const MODES = ['revisions', 'uploads', 'evidence'] as const
export type Mode = (typeof MODES)[number]

/** A validation that takes longer is a fault. */
const VALIDATION_LIMIT_MS = 60_000
/** How often a thread is restarted after a fault ended it. */
const MAXIMUM_RESTARTS = 20

export interface ViewersTask {
  mode: Mode
  seed: number
  count: number
  jobs: number
  /** Folder for failing documents. */
  keep: string
  /** A part of the names of the classes that are tried; all when absent. */
  only?: string
  /** A part of the names of the documents that are attacked; all when absent. */
  bases?: string
  /** Folder of real documents; without it they are left out. */
  corpus?: string
  /** Tries every `of`-th mutation from `index`; all when absent. */
  part?: { index: number; of: number }
}

/** Callbacks during a run. */
export interface ViewersEvents {
  /** @param line about one failure, with the file that was kept */
  onFailure?: (line: string) => void
  /** @param made number of judged mutations */
  onProgress?: (made: number) => void
}

/** Work of one thread: every `step`-th mutation from `first`. */
export interface ThreadTask extends ViewersTask {
  first: number
  step: number
}

export type ThreadMessage =
  | { kind: 'started'; round: number; className: string }
  | { kind: 'validating' }
  | { kind: 'validated' }
  | { kind: 'done'; className: string; verdict: Verdict; file?: string }
  | { kind: 'ended' }

/** Counts of one class. */
export interface ClassCounts {
  made: number
  refused: number
  passed: number
  /** Drawn by viewers: all that passed. */
  rendered: number
  /** Drawn before and refused after, by at least one viewer. */
  viewerRefusals: number
  /** Drawn differently in the places of earlier signatures alone. */
  changedSignatures: number
  differences: number
  faults: number
}

/** Result of a run. */
export interface ViewersResult {
  counts: ReadonlyMap<string, ClassCounts>
  /** A line for each failure, with the file that was kept. */
  failures: readonly string[]
}

const NOTHING: ClassCounts = {
  made: 0,
  refused: 0,
  passed: 0,
  rendered: 0,
  viewerRefusals: 0,
  changedSignatures: 0,
  differences: 0,
  faults: 0,
}

class Tally implements ViewersResult {
  readonly counts = new Map<string, ClassCounts>()
  readonly failures: string[] = []
  readonly #events: ViewersEvents
  #made = 0

  constructor(events: ViewersEvents) {
    this.#events = events
  }

  add(className: string, verdict: Verdict, file: string | undefined): void {
    const counts = this.counts.get(className) ?? { ...NOTHING }
    this.counts.set(className, counts)
    counts.made += 1
    const { passed, differences, changedSignatures, refusals, fault } = verdict
    if (passed) counts.passed += 1
    else counts.refused += 1
    if (passed) counts.rendered += 1
    if (refusals.length > 0) counts.viewerRefusals += 1
    if (changedSignatures.length > 0) counts.changedSignatures += 1
    if (differences.length > 0) {
      counts.differences += 1
      this.#fail(`${className}: ${differences.join(', ')} ${file ?? ''}`)
    }
    if (fault !== undefined) {
      counts.faults += 1
      this.#fail(`${className}: ${fault} ${file ?? ''}`)
    }
    this.#made += 1
    this.#events.onProgress?.(this.#made)
  }

  #fail(line: string): void {
    this.failures.push(line)
    this.#events.onFailure?.(line)
  }
}

/** @returns the round to continue with; undefined when the thread has finished */
function runThread(task: ThreadTask, tally: Tally): Promise<number | undefined> {
  const { promise, resolve } = Promise.withResolvers<number | undefined>()
  const worker = new Worker(new URL('thread.ts', import.meta.url), { workerData: task })
  let current = { round: task.first, className: 'none' }
  let timer: NodeJS.Timeout | undefined
  const end = (fault?: string) => {
    clearTimeout(timer)
    worker.removeAllListeners()
    void worker.terminate()
    if (fault === undefined) return resolve(undefined)
    tally.add(current.className, { ...REFUSED, fault }, `round ${current.round}`)
    resolve(current.round + task.step)
  }
  worker.on('error', (error) => end(String(error)))
  worker.on('message', (message: ThreadMessage) => {
    clearTimeout(timer)
    if (message.kind === 'started') current = message
    if (message.kind === 'validating') {
      timer = setTimeout(
        () => end(`validation took longer than ${VALIDATION_LIMIT_MS} ms`),
        VALIDATION_LIMIT_MS,
      )
    }
    if (message.kind === 'done') tally.add(message.className, message.verdict, message.file)
    if (message.kind === 'ended') end()
  })
  return promise
}

async function runJob(task: ThreadTask, tally: Tally): Promise<void> {
  let next: number | undefined = task.first
  for (let restarts = 0; next !== undefined && next < task.count; restarts++) {
    if (restarts > MAXIMUM_RESTARTS) throw new Error('too many faults end the threads')
    next = await runThread({ ...task, first: next }, tally)
  }
}

/**
 * Makes and judges mutations.
 *
 * @returns counts of each class, and what failed
 */
export async function fuzzViewers(
  task: ViewersTask,
  events: ViewersEvents = {},
): Promise<ViewersResult> {
  const tally = new Tally(events)
  const { index, of } = task.part ?? { index: 0, of: 1 }
  const jobs = Array.from({ length: task.jobs }, (_, job) =>
    runJob({ ...task, first: index + job * of, step: task.jobs * of }, tally),
  )
  await Promise.all(jobs)
  return tally
}
