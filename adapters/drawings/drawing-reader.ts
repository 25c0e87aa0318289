/**
 * Reads uploaded drawings in a separate process: decoding millions of pixels takes half a second of
 * CPU time, and V8 aborts the whole process when it runs out of memory.
 */
import type { Buffer } from 'node:buffer'
import { fork, type ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { ServiceError } from '../../domain/errors.ts'
import { CpuTime } from './cpu-time.ts'
import type { DrawingAnswer, KeptDrawing } from './frames.ts'

/** CPU time of one drawing: several times what the largest takes. */
const CPU_LIMIT_MS = 5_000
/** For a process that waits for CPU time, or for its start; its sender tries again. */
const WALL_LIMIT_MS = 20_000
const SHORTEST_PAUSE_MS = 100
/** Without pixels, which the reader itself limits to about 120 MB. */
const HEAP_LIMIT_MEGABYTES = 128
/** Each drawing has up to 512 KB; the last ones in a longer queue would outlive their requests. */
const MAXIMUM_WAITING = 64
const MAXIMUM_COMPLAINT_BYTES = 4_096

const PROGRAM = fileURLToPath(new URL('child.ts', import.meta.url))
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** How V8 ends a process that is out of memory: abort(3), or its exit code in a shell. */
const OUT_OF_MEMORY = new Set<number | string | null>(['SIGABRT', 'SIGTRAP', 134])

/** A drawing that is refused; the message gives the sender the reason. */
export class DrawingRefusedError extends Error {
  override readonly name = 'DrawingRefusedError'
  readonly code = 'BAD_DRAWING'
}

export interface DrawingReaderOptions {
  /** CPU time that one drawing may take. */
  cpuMs?: number
  wallMs?: number
  /** The program of the process; tests replace it. */
  program?: string
}

interface Waiting {
  encoded: string
  resolve(drawing: KeptDrawing): void
  reject(error: unknown): void
}

/**
 * Uses one process, which the first drawing starts and which reads one after the other. A process
 * that exceeds its limits is replaced. It may read only the project's files.
 */
export class DrawingReader {
  readonly #cpuMs: number
  readonly #wallMs: number
  readonly #program: string
  readonly #waiting: Waiting[] = []
  #current: Waiting | undefined
  #timer: NodeJS.Timeout | undefined
  #child: ChildProcess | undefined
  #isClosed = false

  constructor({
    cpuMs = CPU_LIMIT_MS,
    wallMs = WALL_LIMIT_MS,
    program = PROGRAM,
  }: DrawingReaderOptions = {}) {
    this.#cpuMs = cpuMs
    this.#wallMs = wallMs
    this.#program = program
  }

  /**
   * @param encoded input of `readDrawing` of the PDF library
   * @throws DrawingRefusedError
   * @throws ServiceError TIMEOUT when the queue is full, the machine is too busy, or the reader is
   *   closed
   */
  async read(encoded: string): Promise<KeptDrawing> {
    const isTooLate = this.#isClosed || this.#waiting.length >= MAXIMUM_WAITING
    if (isTooLate) throw new ServiceError('TIMEOUT')
    const { promise, resolve, reject } = Promise.withResolvers<KeptDrawing>()
    this.#waiting.push({ encoded, resolve, reject })
    this.#next()
    return promise
  }

  /** Closes the reader; waiting drawings are refused with TIMEOUT. */
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
    // Only a running read keeps the parent process alive.
    reference(child, 'ref')
    this.#limit(child)
    // A process that ended in the meantime reports that by `exit`. One that could not be started
    // because file descriptors are used up has no channel, and reports an `error` later.
    if (child.channel) child.send(this.#current.encoded, () => undefined)
  }

  /**
   * Limits what the current drawing takes. The limit of CPU time cannot be reached before as much
   * time has passed.
   */
  #limit(child: ChildProcess): void {
    const startedMs = performance.now()
    const cpuTime = new CpuTime(child.pid)
    const check = () => {
      const elapsedMs = performance.now() - startedMs
      const leftMs = this.#cpuMs - (cpuTime.elapsedMs() ?? elapsedMs)
      if (leftMs <= 0) {
        this.#replace(new DrawingRefusedError('it takes too long to read; send a simpler one'))
      } else if (elapsedMs >= this.#wallMs) {
        this.#replace(new ServiceError('TIMEOUT'))
      } else {
        const pauseMs = Math.min(leftMs, this.#wallMs - elapsedMs)
        this.#timer = setTimeout(check, Math.max(pauseMs, SHORTEST_PAUSE_MS))
      }
    }
    this.#timer = setTimeout(check, Math.min(this.#cpuMs, this.#wallMs))
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
    reference(child, 'unref')
    child.on('message', (answer: DrawingAnswer) => {
      // A process that was already replaced may still answer.
      if (this.#child === child) this.#settle(answer)
    })
    child.on('error', (error) => {
      if (this.#child === child) this.#replace(error)
    })
    child.on('exit', (code, signal) => {
      if (this.#child !== child) return
      const isTooMuch = OUT_OF_MEMORY.has(signal ?? code)
      const refusal = 'it takes too much memory to read; send a simpler one'
      const fault = `the drawing reader ended with ${signal ?? code}: ${complaint}`
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

  /** Kills the process together with its current drawing; the next drawing starts a new one. */
  #replace(error: Error): void {
    this.#child?.kill('SIGKILL')
    this.#child = undefined
    this.#take()?.reject(error)
    this.#next()
  }

  #take(): Waiting | undefined {
    clearTimeout(this.#timer)
    if (this.#child) reference(this.#child, 'unref')
    const one = this.#current
    this.#current = undefined
    return one
  }
}

/** Sets whether the child keeps the event loop of this process alive. */
function reference(child: ChildProcess, how: 'ref' | 'unref'): void {
  child[how]()
  child.channel?.[how]()
  ;(child.stderr as Socket | null)?.[how]()
}
