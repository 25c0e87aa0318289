/** Runs mutated PDFs through a thread with the memory of the sandbox, and ends one that hangs. */
import { Worker } from 'node:worker_threads'

/** Ends what never ends, even on a busy machine; the thread itself counts its CPU time. */
const HANG_LIMIT_MS = 60_000
const HEAP_LIMIT_MEGABYTES = 320
/** How often a thread is restarted after a fault ended it. */
const MAXIMUM_FAULTS = 20

/** Messages of the thread before and after each document. */
export type Progress = { round: number } | { fault: string } | { done: true }

interface Ending {
  /** Number of the next document; undefined when all are done. */
  next: number | undefined
  faults: string[]
}

function runFrom(first: number, end: number, seed: number): Promise<Ending> {
  const { promise, resolve } = Promise.withResolvers<Ending>()
  const worker = new Worker(new URL('thread.ts', import.meta.url), {
    workerData: { first, end, seed },
    resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT_MEGABYTES },
  })
  const faults: string[] = []
  let round = first
  let timer: NodeJS.Timeout | undefined
  const finish = (fault?: string) => {
    clearTimeout(timer)
    if (fault !== undefined) faults.push(`round ${round}: ${fault}`)
    resolve({ next: fault === undefined ? undefined : round + 1, faults })
    void worker.terminate()
  }
  worker.on('message', (progress: Progress) => {
    if ('done' in progress) return finish()
    if ('fault' in progress) return void faults.push(`round ${round}: ${progress.fault}`)
    round = progress.round
    clearTimeout(timer)
    timer = setTimeout(() => finish(`no end within ${HANG_LIMIT_MS} ms`), HANG_LIMIT_MS)
  })
  worker.on('error', (error) => finish(String(error)))
  return promise
}

/**
 * @param seed the same seed makes the same documents
 * @param first number of the first document
 * @returns a line for each document that broke the parser, up to a limit
 */
export async function fuzz(count: number, seed: number, first = 0): Promise<string[]> {
  const faults: string[] = []
  const end = first + count
  let next: number | undefined = first
  while (next !== undefined && next < end && faults.length < MAXIMUM_FAULTS) {
    const ending: Ending = await runFrom(next, end, seed)
    faults.push(...ending.faults)
    ;({ next } = ending)
  }
  return faults
}
