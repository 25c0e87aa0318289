/** Reads each document in its own Deno process, with no right but to read fonts, within limits. */
import { Buffer } from 'node:buffer'
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { DENO_RUN, denoBinary } from './deno-binary.ts'
import { DenoFolder } from './deno-folder.ts'
import { FONT_FOLDER } from './font-folder.ts'
import { encode, frame, type SandboxTask } from './frames.ts'
import type { DocumentReader, Ending, ReadingLimits } from './reader.ts'

/** CPU time of one document, with the start of its process, and the heap of the engine. */
const LIMITS: Limits = { cpuSeconds: 10, heapMegabytes: 320 }
/**
 * For a document that was accepted and signed. Forty-nine thousand fields that fifty people signed
 * take some ten seconds and a gigabyte (decision 106): a limit must not fail the case then.
 */
const AMPLE_LIMITS: Limits = { cpuSeconds: 120, heapMegabytes: 1_280 }
/**
 * Size of the young generation's halves. V8 would let them grow to 16 MB; the corpus then takes 170
 * MB in place of 130, and as much CPU time.
 */
export const SEMI_SPACE_FLAG = '--max-semi-space-size=8'
/** How long a pipe may stay open after its process has ended. */
const CLOSING_MS = 1_000
const MAXIMUM_ANSWER_BYTES = 16 * 1024 * 1024
const MAXIMUM_COMPLAINT_BYTES = 4_096

const CHILD = fileURLToPath(new URL('child.ts', import.meta.url))
const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Statically imported modules need no right to read. The folder of fonts may be read; everything
 * else is refused without a prompt.
 */
const RIGHTS = [...DENO_RUN, `--allow-read=${FONT_FOLDER}`]

/** The kernel sends it at the soft limit of CPU time (RLIMIT_CPU, setrlimit(2)). */
export const CPU_LIMIT_SIGNAL = 'SIGXCPU'

/**
 * The shell sets limits of the kernel and becomes the program: no core file, CPU time until SIGXCPU
 * and, a second later, until SIGKILL.
 */
const LIMITED = 'ulimit -c 0 && ulimit -S -t "$0" && ulimit -H -t "$(($0 + 1))" && exec "$@"'
const HAS_SHELL = process.platform !== 'win32'

interface Limits {
  /** Whole seconds. */
  cpuSeconds: number
  heapMegabytes: number
}

export interface ChildReaderOptions {
  /** Whole seconds. */
  cpuSeconds?: number
  /** The program that reads; another one in tests. */
  program?: string
}

type Child = ChildProcessWithoutNullStreams

/** Writes task and document to the child and collects its output until it ends. */
async function converse(
  child: Child,
  task: SandboxTask,
  document: Uint8Array,
  wallMs: number,
): Promise<Ending> {
  const { promise, resolve, reject } = Promise.withResolvers<Ending>()
  const parts: Buffer[] = []
  let size = 0
  let complaint = ''
  let timedOut = false
  const timer = setTimeout(() => {
    timedOut = true
    child.kill('SIGKILL')
  }, wallMs)
  child.stdout.on('data', (part: Buffer) => {
    size += part.length
    if (size > MAXIMUM_ANSWER_BYTES) child.kill('SIGKILL')
    else parts.push(part)
  })
  child.stderr.on('data', (part: Buffer) => {
    complaint = (complaint + part.toString()).slice(0, MAXIMUM_COMPLAINT_BYTES)
  })
  child.on('error', reject)
  let grace: NodeJS.Timeout | undefined
  const end = (code: number | null, signal: string | null) =>
    resolve({ answer: Buffer.concat(parts).toString(), complaint, timedOut, signal, code })
  child.on('close', end)
  child.on('exit', (code, signal) => {
    grace = setTimeout(end, CLOSING_MS, code, signal)
  })
  // A child that ends early closes the pipe; its exit code or signal says why.
  child.stdin.on('error', () => undefined)
  for (const part of frame(Buffer.from(encode(task)))) child.stdin.write(part)
  for (const part of frame(document)) child.stdin.write(part)
  child.stdin.end()
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    clearTimeout(grace)
  }
}

/** Starts one child ahead, so that a document does not wait for the start of its process. */
export class ChildReader implements DocumentReader {
  readonly #limits: Limits
  readonly #program: string
  readonly #binary = denoBinary()
  readonly #folder = new DenoFolder()
  #spare: Child | undefined
  #closed = false

  constructor({ cpuSeconds = LIMITS.cpuSeconds, program = CHILD }: ChildReaderOptions = {}) {
    this.#limits = { ...LIMITS, cpuSeconds }
    this.#program = program
  }

  async read(
    task: SandboxTask,
    document: Uint8Array,
    { wallMs, isAmple = false }: ReadingLimits,
  ): Promise<Ending> {
    const limits = isAmple ? AMPLE_LIMITS : this.#limits
    const child = isAmple ? this.#start(limits) : this.#takeChild()
    if (HAS_SHELL) return converse(child, task, document, wallMs)
    // Without a shell there is no limit of CPU time; the same wall-clock time is the limit.
    const limitMs = Math.min(wallMs, limits.cpuSeconds * 1_000)
    const ending = await converse(child, task, document, limitMs)
    const isCpuLimit = ending.timedOut && limitMs < wallMs
    return isCpuLimit ? { ...ending, timedOut: false, signal: CPU_LIMIT_SIGNAL } : ending
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#spare?.kill('SIGKILL')
    this.#spare = undefined
    this.#folder.remove()
  }

  #takeChild(): Child {
    const child = this.#spare ?? this.#start(this.#limits)
    this.#spare = this.#closed ? undefined : this.#start(this.#limits)
    return child
  }

  #start({ cpuSeconds, heapMegabytes }: Limits): Child {
    const heap = `--v8-flags=--max-old-space-size=${heapMegabytes},${SEMI_SPACE_FLAG}`
    const command = [this.#binary, ...RIGHTS, heap, this.#program]
    const limited = ['/bin/sh', '-c', LIMITED, String(cpuSeconds), ...command]
    const [program = '', ...args] = HAS_SHELL ? limited : command
    const child = spawn(program, args, {
      cwd: ROOT,
      env: this.#folder.environment,
      stdio: 'pipe',
    })
    // The spare child must not be used after it has ended.
    child.on('exit', () => {
      if (this.#spare === child) this.#spare = undefined
    })
    child.on('error', () => {
      if (this.#spare === child) this.#spare = undefined
    })
    child.unref()
    return child
  }
}
