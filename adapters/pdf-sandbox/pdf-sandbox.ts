/**
 * Reads each document in a Deno process of its own that has no right and is ended at its limits.
 */
import { Buffer } from 'node:buffer'
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type {
  ForeseenSigning,
  IntakeVerdict,
  PdfSandbox,
  ValidationRequest,
  ValidationVerdict,
} from '../../domain/ports/pdf-sandbox.ts'
import { denoBinary } from './deno-binary.ts'
import { decode, encode, LENGTH_BYTES, type SandboxAnswer, type SandboxTask } from './frames.ts'

const TIME_LIMIT_MS = 10_000
/** A pipe that stays open after its process has ended is not waited for longer. */
const CLOSING_MS = 1_000
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

function lengthOf(part: Uint8Array): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(part.length)
  return length
}

async function converse(
  child: Child,
  task: SandboxTask,
  document: Uint8Array,
  timeMs: number,
): Promise<Ending> {
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
  let grace: NodeJS.Timeout | undefined
  const end = (code: number | null, signal: string | null) =>
    resolve({ answer: Buffer.concat(parts).toString(), complaint, timedOut, signal, code })
  child.on('close', end)
  child.on('exit', (code, signal) => {
    grace = setTimeout(end, CLOSING_MS, code, signal)
  })
  // A child that ended early closes the pipe: its ending tells why.
  child.stdin.on('error', () => undefined)
  const asked = Buffer.from(encode(task))
  for (const part of [lengthOf(asked), asked, lengthOf(document)]) child.stdin.write(part)
  child.stdin.end(document)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    clearTimeout(grace)
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

/** What becomes of a document that used up what it may. */
const EXHAUSTED = { outcome: 'exhausted' } as const

function intakeVerdict(answer: SandboxAnswer | typeof EXHAUSTED): IntakeVerdict {
  switch (answer.outcome) {
    case 'exhausted':
      return { outcome: 'rejected', reason: OUT_OF_LIMITS }
    case 'refused':
      return { outcome: 'rejected', reason: answer.message }
    case 'unsignable':
      return { outcome: 'rejected', reason: answer.message, pages: answer.pages }
    case 'inspected': {
      const { pages, carriesSignatures } = answer
      return { outcome: 'accepted', pages, carriesSignatures }
    }
    default:
      return { outcome: 'rejected', reason: NOT_READABLE }
  }
}

function validationVerdict(answer: SandboxAnswer | typeof EXHAUSTED): ValidationVerdict {
  if (answer.outcome === 'validated') return answer
  const isNoPdf = answer.outcome === 'refused' && answer.code === 'NOT_A_PDF'
  return { outcome: isNoPdf ? 'not-a-pdf' : 'unreadable' }
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

  async inspect(pdf: Uint8Array, signing: ForeseenSigning): Promise<IntakeVerdict> {
    const task = { kind: 'inspect', signing } as const
    const answer = await this.#ask(task, pdf)
    if (answer !== EXHAUSTED) return intakeVerdict(answer)
    // It would be for good, and the machine may have stood still or run out of memory meanwhile.
    return intakeVerdict(await this.#ask(task, pdf))
  }

  async validate(
    pdf: Uint8Array,
    { trustAnchors, validationTime, revocationData }: ValidationRequest,
    timeMs = this.#timeMs,
  ): Promise<ValidationVerdict> {
    const request = { trustAnchors, validationTime, ...(revocationData && { revocationData }) }
    return validationVerdict(await this.#ask({ kind: 'validate', request }, pdf, timeMs))
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#spare?.kill('SIGKILL')
    this.#spare = undefined
  }

  async #ask(
    task: SandboxTask,
    pdf: Uint8Array,
    timeMs = this.#timeMs,
  ): Promise<SandboxAnswer | typeof EXHAUSTED> {
    const ending = await converse(this.#takeChild(), task, pdf, Math.min(timeMs, this.#timeMs))
    if (ranOutOfLimits(ending)) return EXHAUSTED
    if (ending.code !== 0) {
      throw new Error(`the sandbox failed (${ending.code}): ${ending.complaint}`)
    }
    const answer = decode<SandboxAnswer>(ending.answer)
    if (answer.outcome === 'broke') this.#onBroke(answer.fault)
    return answer
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
