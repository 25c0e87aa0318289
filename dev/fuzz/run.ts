/** Runs mutated PDFs through a thread with the memory of the sandbox, and watches its time. */
import { Worker } from 'node:worker_threads'

const TIME_LIMIT_MS = 3_000
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

function runFrom(first: number, count: number, seed: number): Promise<Ending> {
  const { promise, resolve } = Promise.withResolvers<Ending>()
  const worker = new Worker(new URL('thread.ts', import.meta.url), {
    workerData: { first, count, seed },
    resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT_MEGABYTES },
  })
  const faults: string[] = []
  let round = first
  let timer: NodeJS.Timeout | undefined
  const end = (fault?: string) => {
    clearTimeout(timer)
    if (fault !== undefined) faults.push(`round ${round}: ${fault}`)
    resolve({ next: fault === undefined ? undefined : round + 1, faults })
    void worker.terminate()
  }
  worker.on('message', (progress: Progress) => {
    if ('done' in progress) return end()
    if ('fault' in progress) return void faults.push(`round ${round}: ${progress.fault}`)
    round = progress.round
    clearTimeout(timer)
    timer = setTimeout(() => end(`took longer than ${TIME_LIMIT_MS} ms`), TIME_LIMIT_MS)
  })
  worker.on('error', (error) => end(String(error)))
  return promise
}

/**
 * @param seed the same seed makes the same documents
 * @returns a line for each document that broke the parser, up to a limit
 */
export async function fuzz(count: number, seed: number): Promise<string[]> {
  const faults: string[] = []
  let next: number | undefined = 0
  while (next !== undefined && next < count && faults.length < MAXIMUM_FAULTS) {
    const ending: Ending = await runFrom(next, count, seed)
    faults.push(...ending.faults)
    ;({ next } = ending)
  }
  return faults
}
