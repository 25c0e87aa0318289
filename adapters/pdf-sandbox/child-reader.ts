/**
 * Reads documents in Deno processes: each in a process of its own, or in one that has read other
 * documents of the same owner (decision 235).
 */
import { fileURLToPath } from 'node:url'
import { DenoFolder } from './deno-folder.ts'
import type { SandboxTask } from './frames.ts'
import { KEPT_MS, KeptChildren, LONGEST_WAIT_MS } from './kept-children.ts'
import type { DocumentReader, Ending, ReadingLimits } from './reader.ts'
import { HAS_SHELL, ReadingChild, type Limits } from './reading-child.ts'

/** CPU time of one process, with its start, and the heap of the engine. */
const LIMITS: Limits = { cpuSeconds: 10, heapMegabytes: 320 }
/**
 * For a document that was accepted and signed. Forty-nine thousand fields that fifty people signed
 * take some ten seconds and a gigabyte (decision 106): a limit must not fail the case then.
 */
const AMPLE_LIMITS: Limits = { cpuSeconds: 120, heapMegabytes: 1_280 }

const CHILD = fileURLToPath(new URL('child.ts', import.meta.url))

/** The kernel sends it at the soft limit of CPU time (RLIMIT_CPU, setrlimit(2)). */
export const CPU_LIMIT_SIGNAL = 'SIGXCPU'

export interface ChildReaderOptions {
  /** Whole seconds. */
  cpuSeconds?: number
  /** The program that reads; another one in tests. */
  program?: string
  /** How long a document waits for a process that reads another one of its owner. */
  longestWaitMs?: number
  /** How long a process waits for another document. */
  keptMs?: number
}

/** One document, and what is asked about it. */
type Document = readonly [task: SandboxTask, bytes: Uint8Array]

/** Starts one child ahead, so that a document does not wait for the start of its process. */
export class ChildReader implements DocumentReader {
  readonly #limits: Limits
  readonly #program: string
  readonly #folder = new DenoFolder()
  readonly #kept: KeptChildren
  #spare: ReadingChild | undefined
  #isClosed = false

  constructor({
    cpuSeconds = LIMITS.cpuSeconds,
    program = CHILD,
    longestWaitMs = LONGEST_WAIT_MS,
    keptMs = KEPT_MS,
  }: ChildReaderOptions = {}) {
    this.#kept = new KeptChildren(longestWaitMs, keptMs)
    this.#limits = { ...LIMITS, cpuSeconds }
    this.#program = program
  }

  async read(task: SandboxTask, bytes: Uint8Array, limits: ReadingLimits): Promise<Ending> {
    const { wallMs, isAmple = false, owner } = limits
    const document = [task, bytes] as const
    if (isAmple) return this.#readOnce(this.#start(AMPLE_LIMITS), document, wallMs, AMPLE_LIMITS)
    if (owner !== undefined && HAS_SHELL) return this.#readFor(owner, document, wallMs)
    return this.#readOnce(this.#takeSpare(), document, wallMs, this.#limits)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#spare?.kill()
    this.#spare = undefined
    this.#kept.close()
    this.#folder.remove()
  }

  /**
   * Only a good verdict of a process that has read other documents counts; otherwise a fresh one
   * reads the document with its whole limit of CPU time. The wall-clock limit is that of both:
   * clients wait no longer.
   */
  async #readFor(owner: string, document: Document, wallMs: number): Promise<Ending> {
    const startedMs = performance.now()
    const kept = await this.#kept.take(owner)
    let waiting: ReadingChild | undefined
    const readWith = async (child: ReadingChild, limitMs: number) => {
      const ending = await child.read(...document, { wallMs: limitMs, isLast: false })
      if (ending.isWaiting) waiting = child
      else child.kill()
      return ending
    }
    try {
      const fromKept = kept && (await readWith(kept, wallMs / 2))
      if (fromKept?.isWaiting === true) return fromKept
      const leftMs = wallMs - (performance.now() - startedMs)
      return await readWith(this.#takeSpare(), Math.max(1, leftMs))
    } finally {
      this.#kept.giveBack(owner, waiting)
    }
  }

  async #readOnce(
    child: ReadingChild,
    document: Document,
    wallMs: number,
    { cpuSeconds }: Limits,
  ): Promise<Ending> {
    if (HAS_SHELL) return child.read(...document, { wallMs, isLast: true })
    // Without a shell there is no limit of CPU time; the same wall-clock time is the limit.
    const limitMs = Math.min(wallMs, cpuSeconds * 1_000)
    const ending = await child.read(...document, { wallMs: limitMs, isLast: true })
    const isCpuLimit = ending.timedOut && limitMs < wallMs
    return isCpuLimit ? { ...ending, timedOut: false, signal: CPU_LIMIT_SIGNAL } : ending
  }

  #takeSpare(): ReadingChild {
    const spare = this.#spare?.hasEnded === false ? this.#spare : undefined
    const child = spare ?? this.#start(this.#limits)
    this.#spare = this.#isClosed ? undefined : this.#start(this.#limits)
    return child
  }

  #start(limits: Limits): ReadingChild {
    const { environment } = this.#folder
    return new ReadingChild({ ...limits, program: this.#program, environment })
  }
}
