/**
 * Reads the drawings that clients send in a thread of its own: millions of pixels take half a
 * second, for which nobody else shall wait.
 */
import { Worker } from 'node:worker_threads'
import { ServiceError } from '../../domain/errors.ts'
import type { DrawingAnswer, KeptDrawing } from './frames.ts'

/** Several times what the largest drawing takes on a busy machine. */
const TIME_LIMIT_MS = 5_000
/**
 * Beside pixels, which the reader itself bounds to some 120 MB. At least twice what any drawing of
 * the permitted length takes: V8 may end the process, not only the thread, at this limit.
 */
export const HEAP_LIMIT_MEGABYTES = 128
/** Each is up to 512 KB; those at the end would outlive the time of their requests. */
const MAXIMUM_WAITING = 64

const THREAD = new URL('thread.ts', import.meta.url)
const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY'

/** A drawing that cannot be taken; the message says why in words for its sender. */
export class DrawingRefusedError extends Error {
  override readonly name = 'DrawingRefusedError'
  readonly code = 'BAD_DRAWING'
}

export interface DrawingReaderOptions {
  timeMs?: number
  /** The program of the thread; another one in tests. */
  thread?: URL
}

interface Waiting {
  encoded: string
  resolve(drawing: KeptDrawing): void
  reject(error: unknown): void
}

/**
 * One thread, which is there before the first drawing and takes one after the other; one that
 * comes to its limits is replaced.
 */
export class DrawingReader {
  readonly #timeMs: number
  readonly #program: URL
  readonly #waiting: Waiting[] = []
  #current: Waiting | undefined
  #timer: NodeJS.Timeout | undefined
  #thread: Worker | undefined
  #isClosed = false

  constructor({ timeMs = TIME_LIMIT_MS, thread = THREAD }: DrawingReaderOptions = {}) {
    this.#timeMs = timeMs
    this.#program = thread
    this.#start()
  }

  /**
   * @param encoded as `readDrawing` of the PDF library takes it
   * @throws DrawingRefusedError
   * @throws ServiceError TIMEOUT when too many wait, or it is closed
   */
  async read(encoded: string): Promise<KeptDrawing> {
    const isTooLate = this.#isClosed || this.#waiting.length >= MAXIMUM_WAITING
    if (isTooLate) throw new ServiceError('TIMEOUT')
    const { promise, resolve, reject } = Promise.withResolvers<KeptDrawing>()
    this.#waiting.push({ encoded, resolve, reject })
    this.#next()
    return promise
  }

  /** Those that wait are not answered any more. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    const thread = this.#thread
    this.#thread = undefined
    await thread?.terminate()
    for (const one of [this.#current, ...this.#waiting.splice(0)]) {
      one?.reject(new ServiceError('TIMEOUT'))
    }
  }

  #next(): void {
    if (this.#current || this.#isClosed) return
    this.#current = this.#waiting.shift()
    if (!this.#current) return
    let thread: Worker
    try {
      thread = this.#thread ?? this.#start()
    } catch (error) {
      // The machine has no more threads: the next one may find some.
      this.#take()?.reject(error)
      return this.#next()
    }
    // Only a drawing that is read keeps the process.
    thread.ref()
    this.#timer = setTimeout(() => {
      this.#replace(new DrawingRefusedError('it takes too long to read; send a simpler one'))
    }, this.#timeMs)
    thread.postMessage(this.#current.encoded)
  }

  #start(): Worker {
    const thread = new Worker(this.#program, {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT_MEGABYTES },
    })
    thread.unref()
    thread.on('message', (answer: DrawingAnswer) => {
      // One that was replaced may still speak: its drawing is nobody's.
      if (this.#thread === thread) this.#settle(answer)
    })
    thread.on('error', (error: Error & { code?: string }) => {
      if (this.#thread !== thread) return
      const isTooMuch = error.code === OUT_OF_MEMORY
      const refusal = 'it takes too much memory to read; send a simpler one'
      this.#replace(isTooMuch ? new DrawingRefusedError(refusal) : error)
    })
    thread.on('exit', (code) => {
      if (this.#thread === thread) this.#replace(new Error(`the thread ended with ${code}`))
    })
    this.#thread = thread
    return thread
  }

  #settle(answer: DrawingAnswer): void {
    const one = this.#take()
    if ('drawing' in answer) one?.resolve(answer.drawing)
    else if ('refused' in answer) one?.reject(new DrawingRefusedError(answer.refused))
    else one?.reject(new Error(answer.broke))
    this.#next()
  }

  /** Ends the thread with whatever it reads; the next drawing starts another. */
  #replace(error: Error): void {
    const thread = this.#thread
    this.#thread = undefined
    void thread?.terminate()
    this.#take()?.reject(error)
    this.#next()
  }

  #take(): Waiting | undefined {
    clearTimeout(this.#timer)
    this.#thread?.unref()
    const one = this.#current
    this.#current = undefined
    return one
  }
}
