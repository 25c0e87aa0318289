/**
 * Reads each document in a Deno process of its own that has no right and is ended at its limits.
 */
import { Buffer } from 'node:buffer'
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { IntakeVerdict, PdfSandbox } from '../../domain/ports/pdf-sandbox.ts'
import { denoBinary } from './deno-binary.ts'
import { LENGTH_BYTES, type SandboxAnswer } from './frames.ts'

const TIME_LIMIT_MS = 10_000
const HEAP_LIMIT_MEGABYTES = 320
const MAXIMUM_ANSWER_BYTES = 16 * 1024 * 1024
const MAXIMUM_COMPLAINT_BYTES = 4_096
const OUT_OF_LIMITS =
  'The PDF is too complex to be read safely; print it to a new PDF and upload that'
const NOT_READABLE = 'The PDF could not be read; print it to a new PDF and upload that'

const CHILD = fileURLToPath(new URL('child.ts', import.meta.url))
const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Statically imported modules need no right to read; everything else is refused without a prompt.
 */
const RIGHTS = [
  'run',
  '--quiet',
  '--no-prompt',
  '--no-remote',
  '--cached-only',
  '--node-modules-dir=manual',
  `--v8-flags=--max-old-space-size=${HEAP_LIMIT_MEGABYTES}`,
]

export interface SandboxOptions {
  timeMs?: number
  /** The program that reads; another one in tests. */
  child?: string
  /** Hears of each document that the reader broke on: a fault of ours. */
  onBroke?: (fault: string) => void
}

/** How one child ended. */
interface Ending {
  answer: string
  complaint: string
  timedOut: boolean
  signal: string | null
  code: number | null
}

type Child = ChildProcessWithoutNullStreams

async function converse(child: Child, document: Uint8Array, timeMs: number): Promise<Ending> {
  const { promise, resolve, reject } = Promise.withResolvers<Ending>()
  const parts: Buffer[] = []
  let size = 0
  let complaint = ''
  let timedOut = false
  const timer = setTimeout(() => {
    timedOut = true
    child.kill('SIGKILL')
  }, timeMs)
  child.stdout.on('data', (part: Buffer) => {
    size += part.length
    if (size > MAXIMUM_ANSWER_BYTES) child.kill('SIGKILL')
    else parts.push(part)
  })
  child.stderr.on('data', (part: Buffer) => {
    complaint = (complaint + part.toString()).slice(0, MAXIMUM_COMPLAINT_BYTES)
  })
  child.on('error', reject)
  child.on('close', (code, signal) =>
    resolve({ answer: Buffer.concat(parts).toString(), complaint, timedOut, signal, code }),
  )
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(document.length)
  // A child that ended early closes the pipe: its ending tells why.
  child.stdin.on('error', () => undefined)
  child.stdin.write(length)
  child.stdin.end(document)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
  }
}

/**
 * V8 ends the process with SIGABRT or SIGTRAP, the kernel with SIGKILL, when memory runs out; an
 * engine that a document brings down ends with SIGSEGV or SIGBUS.
 */
const LIMIT_SIGNALS = ['SIGABRT', 'SIGTRAP', 'SIGILL', 'SIGKILL', 'SIGSEGV', 'SIGBUS']
const LIMIT_CODES = [132, 133, 134, 135, 137, 139]

function ranOutOfLimits({ timedOut, signal, code }: Ending): boolean {
  return timedOut || LIMIT_SIGNALS.includes(signal ?? '') || LIMIT_CODES.includes(code ?? 0)
}

function verdictOf(answer: SandboxAnswer, onBroke: (fault: string) => void): IntakeVerdict {
  switch (answer.outcome) {
    case 'refused':
      return { outcome: 'rejected', reason: answer.message }
    case 'broke':
      onBroke(answer.fault)
      return { outcome: 'rejected', reason: NOT_READABLE }
    case 'inspected': {
      const { pages, carriesSignatures } = answer
      return { outcome: 'accepted', pages, carriesSignatures }
    }
  }
}

/** Keeps one child started ahead, so that a document does not wait for it. */
export class DenoPdfSandbox implements PdfSandbox {
  readonly #timeMs: number
  readonly #program: string
  readonly #onBroke: (fault: string) => void
  readonly #binary = denoBinary()
  #spare: Child | undefined
  #closed = false

  constructor({ timeMs = TIME_LIMIT_MS, child = CHILD, onBroke = () => {} }: SandboxOptions = {}) {
    this.#timeMs = timeMs
    this.#program = child
    this.#onBroke = onBroke
  }

  async inspect(pdf: Uint8Array): Promise<IntakeVerdict> {
    const child = this.#takeChild()
    const ending = await converse(child, pdf, this.#timeMs)
    if (ranOutOfLimits(ending)) return { outcome: 'rejected', reason: OUT_OF_LIMITS }
    if (ending.code !== 0) {
      throw new Error(`the sandbox failed (${ending.code}): ${ending.complaint}`)
    }
    return verdictOf(JSON.parse(ending.answer) as SandboxAnswer, this.#onBroke)
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#spare?.kill('SIGKILL')
    this.#spare = undefined
  }

  #takeChild(): Child {
    const child = this.#spare ?? this.#start()
    this.#spare = this.#closed ? undefined : this.#start()
    return child
  }

  #start(): Child {
    const child = spawn(this.#binary, [...RIGHTS, this.#program], {
      cwd: ROOT,
      env: {},
      stdio: 'pipe',
    })
    // Until it is taken, nobody waits for it; one that ends meanwhile is not given out.
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
