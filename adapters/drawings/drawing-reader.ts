/**
 * Reads the drawings that clients send in a process of its own: millions of pixels take half a
 * second of the processor, and the engine ends a whole process when its memory runs out.
 */
import type { Buffer } from 'node:buffer'
import { fork, type ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { ServiceError } from '../../domain/errors.ts'
import type { DrawingAnswer, KeptDrawing } from './frames.ts'

/** Several times what the largest drawing takes on a busy machine. */
const TIME_LIMIT_MS = 5_000
/** Beside pixels, which the reader itself bounds to some 120 MB. */
const HEAP_LIMIT_MEGABYTES = 128
/** Each is up to 512 KB; those at the end would outlive the time of their requests. */
const MAXIMUM_WAITING = 64
const MAXIMUM_COMPLAINT_BYTES = 4_096

const PROGRAM = fileURLToPath(new URL('child.ts', import.meta.url))
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** How V8 ends a process whose memory ran out: abort(3), or its exit code in a shell. */
const OUT_OF_MEMORY = new Set<number | string | null>(['SIGABRT', 'SIGTRAP', 134])

/** A drawing that cannot be taken; the message says why in words for its sender. */
export class DrawingRefusedError extends Error {
  override readonly name = 'DrawingRefusedError'
  readonly code = 'BAD_DRAWING'
}

export interface DrawingReaderOptions {
  timeMs?: number
  /** The program of the process; another one in tests. */
  program?: string
}

interface Waiting {
  encoded: string
  resolve(drawing: KeptDrawing): void
  reject(error: unknown): void
}

/**
 * One process, which starts before the first drawing and reads one after the other; one that
 * reaches its limits is replaced. It may read the project's files and nothing else.
 */
export class DrawingReader {
  readonly #timeMs: number
  readonly #program: string
  readonly #waiting: Waiting[] = []
  #current: Waiting | undefined
  #timer: NodeJS.Timeout | undefined
  #child: ChildProcess | undefined
  #isClosed = false

  constructor({ timeMs = TIME_LIMIT_MS, program = PROGRAM }: DrawingReaderOptions = {}) {
    this.#timeMs = timeMs
    this.#program = program
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

  /** Drawings that wait are refused with TIMEOUT. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#child?.kill('SIGKILL')
    this.#child = undefined
    for (const one of [this.#current, ...this.#waiting.splice(0)]) {
      one?.reject(new ServiceError('TIMEOUT'))
    }
  }

  #next(): void {
    if (this.#current || this.#isClosed) return
    this.#current = this.#waiting.shift()
    if (!this.#current) return
    const child = this.#child ?? this.#start()
    // Only a drawing that is read keeps the process that asks.
    setReferenced(child, true)
    this.#timer = setTimeout(() => {
      this.#replace(new DrawingRefusedError('it takes too long to read; send a simpler one'))
    }, this.#timeMs)
    // A process that ended meanwhile reports it by `exit`.
    child.send(this.#current.encoded, () => undefined)
  }

  #start(): ChildProcess {
    const rights = ['--permission', `--allow-fs-read=${ROOT}`]
    const child = fork(this.#program, [], {
      execArgv: [`--max-old-space-size=${HEAP_LIMIT_MEGABYTES}`, ...rights],
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    let complaint = ''
    child.stderr?.on('data', (part: Buffer) => {
      complaint = (complaint + part.toString()).slice(0, MAXIMUM_COMPLAINT_BYTES)
    })
    setReferenced(child, false)
    child.on('message', (answer: DrawingAnswer) => {
      // One that was replaced may still answer.
      if (this.#child === child) this.#settle(answer)
    })
    child.on('error', (error) => {
      if (this.#child === child) this.#replace(error)
    })
    child.on('exit', (code, signal) => {
      if (this.#child !== child) return
      const isTooMuch = OUT_OF_MEMORY.has(signal ?? code)
      const refusal = 'it takes too much memory to read; send a simpler one'
      const fault = `the reader of drawings ended with ${signal ?? code}: ${complaint}`
      this.#replace(isTooMuch ? new DrawingRefusedError(refusal) : new Error(fault))
    })
    this.#child = child
    return child
  }

  #settle(answer: DrawingAnswer): void {
    const one = this.#take()
    if ('drawing' in answer) one?.resolve(answer.drawing)
    else if ('refused' in answer) one?.reject(new DrawingRefusedError(answer.refused))
    else one?.reject(new Error(answer.broke))
    this.#next()
  }

  /** Ends the process with the drawing that it reads; the next drawing starts another. */
  #replace(error: Error): void {
    this.#child?.kill('SIGKILL')
    this.#child = undefined
    this.#take()?.reject(error)
    this.#next()
  }

  #take(): Waiting | undefined {
    clearTimeout(this.#timer)
    if (this.#child) setReferenced(this.#child, false)
    const one = this.#current
    this.#current = undefined
    return one
  }
}

/** Whether the event loop of this process waits for the child. */
function setReferenced(child: ChildProcess, isReferenced: boolean): void {
  const how = isReferenced ? 'ref' : 'unref'
  child[how]()
  child.channel?.[how]()
  ;(child.stderr as Socket | null)?.[how]()
}
