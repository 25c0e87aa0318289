/** One Deno process that reads documents, with no right but to read fonts, within limits. */
import { Buffer } from 'node:buffer'
import { spawn, type ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { DENO_RUN, denoBinary } from './deno-binary.ts'
import { FONT_FOLDER } from './font-folder.ts'
import { encode, frame, type SandboxTask } from './frames.ts'
import type { Ending } from './reader.ts'

/**
 * Size of the young generation's halves. V8 would let them grow to 16 MB; the corpus then takes 170
 * MB in place of 130, and as much CPU time.
 */
export const SEMI_SPACE_FLAG = '--max-semi-space-size=8'
/**
 * Most processes read one document, so what V8 compiles is a third of their CPU time (decision
 * 304). Every function is compiled with its module, because Deno's code cache has what was compiled
 * before a module ran. Maglev compiles a function after 1,600 calls instead of 400.
 */
const COMPILER_FLAGS = ['--no-lazy', '--invocation-count-for-maglev=1600']
/** How long a pipe may stay open after its process has ended. */
const CLOSING_MS = 1_000
const MAXIMUM_ANSWER_BYTES = 16 * 1024 * 1024
const MAXIMUM_COMPLAINT_BYTES = 4_096
/** The last octet of an answer after which the process waits for another document. */
const LINE_FEED = 0x0a

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Statically imported modules need no right to read. The folder of fonts may be read; everything
 * else is refused without a prompt.
 */
const RIGHTS = [...DENO_RUN, `--allow-read=${FONT_FOLDER}`]

/**
 * The shell sets limits of the kernel and becomes the program: no core file, CPU time until SIGXCPU
 * and, a second later, until SIGKILL.
 */
const LIMITED = 'ulimit -c 0 && ulimit -S -t "$0" && ulimit -H -t "$(($0 + 1))" && exec "$@"'

/** Without a shell (Windows) there is no limit of CPU time. */
export const HAS_SHELL = process.platform !== 'win32'

/** Limits of one process. */
export interface Limits {
  /** Whole seconds. */
  cpuSeconds: number
  /** Size of the heap of the engine. */
  heapMegabytes: number
}

/** What a process runs, and within which limits. */
export interface ReadingProgram extends Limits {
  program: string
  environment: Record<string, string>
}

/** How one reading ended, and whether the process waits for another document. */
export interface ChildEnding extends Ending {
  isWaiting: boolean
}

/** What one reading of a process may take. */
export interface ChildReading {
  wallMs: number
  /** Whether the process ends after this document. */
  isLast: boolean
}

function spawnProgram({ cpuSeconds, heapMegabytes, program, environment }: ReadingProgram) {
  const flags = [`--max-old-space-size=${heapMegabytes}`, SEMI_SPACE_FLAG, ...COMPILER_FLAGS]
  const command = [denoBinary(), ...RIGHTS, `--v8-flags=${flags.join(',')}`, program]
  const limited = ['/bin/sh', '-c', LIMITED, String(cpuSeconds), ...command]
  const [file = '', ...args] = HAS_SHELL ? limited : command
  return spawn(file, args, { cwd: ROOT, env: environment, stdio: 'pipe' })
}

/** What a process wrote during one reading, and who waits for the end of it. */
interface Reading {
  parts: Buffer[]
  size: number
  timedOut: boolean
  isLast: boolean
  /** It wrote more than one answer; what it writes until its end does not count. */
  isOverfull: boolean
  resolve(ending: ChildEnding): void
  reject(error: unknown): void
}

/** A process that reads one document after the other; see `child.ts`. */
export class ReadingChild {
  readonly #process: ChildProcess
  #reading: Reading | undefined
  #complaint = ''
  #hasEnded = false
  /** Why the process could not be started. */
  #failure: Error | undefined
  #readings = 0

  /**
   * Starts the process, so that its first document does not wait for that. For want of file
   * descriptors, Node returns a process without pipes, and reports the error later.
   */
  constructor(program: ReadingProgram) {
    const child = spawnProgram(program)
    this.#process = child
    child.on('error', (error) => {
      this.#hasEnded = true
      this.#failure = error
      this.#reading?.reject(error)
    })
    child.stdout?.on('data', (part: Buffer) => this.#collect(part))
    child.stderr?.on('data', (part: Buffer) => {
      this.#complaint = (this.#complaint + part.toString()).slice(0, MAXIMUM_COMPLAINT_BYTES)
    })
    child.on('close', (code, signal) => this.#end(code, signal))
    child.on('exit', (code, signal) => {
      this.#hasEnded = true
      setTimeout(() => this.#end(code, signal), CLOSING_MS).unref()
    })
    // A child that ends early closes the pipe; its exit code or signal says why.
    child.stdin?.on('error', () => undefined)
    this.#refer('unref')
  }

  /** Whether the process has ended. */
  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** How many documents it has been given. */
  get readings(): number {
    return this.#readings
  }

  /** Ends the process. */
  kill(): void {
    this.#process.kill('SIGKILL')
  }

  /**
   * Writes task and document, and collects what the process writes until it waits or ends.
   *
   * @throws Error when the process could not be started
   */
  async read(
    task: SandboxTask,
    document: Uint8Array,
    { wallMs, isLast }: ChildReading,
  ): Promise<ChildEnding> {
    if (this.#failure) throw this.#failure
    this.#readings++
    const { promise, resolve, reject } = Promise.withResolvers<ChildEnding>()
    const reading: Reading = {
      parts: [],
      size: 0,
      timedOut: false,
      isLast,
      isOverfull: false,
      resolve,
      reject,
    }
    this.#reading = reading
    this.#refer('ref')
    const timer = setTimeout(() => {
      reading.timedOut = true
      this.kill()
    }, wallMs)
    const { stdin } = this.#process
    for (const part of [...frame(Buffer.from(encode(task))), ...frame(document)]) stdin?.write(part)
    if (isLast) stdin?.end()
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      this.#reading = undefined
      this.#complaint = ''
      this.#refer('unref')
    }
  }

  /** A process that writes without being asked, or more than one answer, is ended. */
  #collect(part: Buffer): void {
    const reading = this.#reading
    if (!reading || reading.isOverfull) return this.kill()
    reading.parts.push(part)
    reading.size += part.length
    if (reading.size > MAXIMUM_ANSWER_BYTES) return this.kill()
    const lineEnd = part.indexOf(LINE_FEED)
    if (lineEnd === -1 || reading.isLast) return
    if (lineEnd === part.length - 1) {
      return reading.resolve(this.#ending(reading, { signal: null, code: 0, isWaiting: true }))
    }
    reading.isOverfull = true
    this.kill()
  }

  #end(code: number | null, signal: string | null): void {
    const reading = this.#reading
    reading?.resolve(this.#ending(reading, { signal, code, isWaiting: false }))
  }

  #ending(
    { parts, timedOut }: Reading,
    how: Pick<ChildEnding, 'signal' | 'code' | 'isWaiting'>,
  ): ChildEnding {
    const answer = Buffer.concat(parts).toString()
    return { answer, complaint: this.#complaint, timedOut, ...how }
  }

  /** Only a process that reads keeps the event loop of this process alive. */
  #refer(how: 'ref' | 'unref'): void {
    this.#process[how]()
    const { stdin, stdout, stderr } = this.#process
    for (const stream of [stdin, stdout, stderr]) (stream as Socket | null)?.[how]()
  }
}
