/** Has each document read in a separate process and turns the outcome into a verdict. */
import {
  type ForeseenSigning,
  type IntakeVerdict,
  type PdfSandbox,
  SandboxBusyError,
  type ValidationRequest,
  type ValidationVerdict,
} from '../../domain/ports/pdf-sandbox.ts'
import type { RejectCode, Rejection } from '../../domain/cases/reject-codes.ts'
import { type PadesErrorCode, PRINT_ANEW } from '../../pades/index.ts'
import { ChildReader, CPU_LIMIT_SIGNAL } from './child-reader.ts'
import { decode, type SandboxAnswer, type SandboxTask } from './frames.ts'
import type { DocumentReader, Ending, ReadingLimits } from './reader.ts'

/**
 * Wall-clock time of one document. A busy machine takes long for a simple document, so this is many
 * times the limit of CPU time, and a document that exceeds it is not at fault.
 */
const WALL_LIMIT_MS = 120_000
/** For documents with ample limits of CPU time. */
const AMPLE_WALL_LIMIT_MS = 480_000
const OUT_OF_LIMITS: Rejection = {
  code: 'TOO_COMPLEX',
  reason: `The PDF is too complex to be read safely; ${PRINT_ANEW}`,
}
const NOT_READABLE: Rejection = {
  code: 'UNREADABLE',
  reason: `The PDF could not be read; ${PRINT_ANEW}`,
}

/** Codes of intake for those of `pades`; all others are faults of the reader. */
const REJECT_CODE_OF: ReadonlyMap<string, RejectCode> = new Map<PadesErrorCode, RejectCode>([
  ['NOT_A_PDF', 'NOT_A_PDF'],
  ['DAMAGED', 'DAMAGED'],
  ['DAMAGED_AND_SIGNED', 'DAMAGED_AND_SIGNED'],
  ['ENCRYPTED', 'ENCRYPTED'],
  ['NO_PAGES', 'NO_PAGES'],
  ['DYNAMIC_XFA', 'DYNAMIC_FORM'],
  ['AMBIGUOUS', 'SHOWN_DIFFERENTLY'],
  ['READ_DIFFERENTLY', 'SHOWN_DIFFERENTLY'],
  ['UNDRAWN', 'SHOWN_DIFFERENTLY'],
  ['CERTIFIED', 'SIGNING_FORBIDDEN'],
  ['LOCKED', 'SIGNING_FORBIDDEN'],
  ['DEFIES_SIGNING', 'SIGNING_FORBIDDEN'],
  ['TOO_MANY_OBJECTS', 'TOO_COMPLEX'],
  ['LIMIT_EXCEEDED', 'TOO_COMPLEX'],
  ['PAGE_MISSING', 'FIELD_MISPLACED'],
  ['BAD_PLACEMENT', 'FIELD_MISPLACED'],
])

const rejectionOf = ({ code, message }: { code: string; message: string }): Rejection => ({
  code: REJECT_CODE_OF.get(code) ?? 'UNREADABLE',
  reason: message,
})

export interface SandboxOptions {
  /** Starts children of this process when absent. */
  reader?: DocumentReader
  wallMs?: number
  /** Called for each document on which the reader failed unexpectedly: a fault of this service. */
  onBroke?: (fault: string) => void
}

/**
 * V8 ends the process with SIGABRT or SIGTRAP, the kernel with SIGKILL, when memory runs out; an
 * engine that a document brings down ends with SIGSEGV or SIGBUS.
 */
const LIMIT_SIGNALS = [
  CPU_LIMIT_SIGNAL,
  'SIGABRT',
  'SIGTRAP',
  'SIGILL',
  'SIGKILL',
  'SIGSEGV',
  'SIGBUS',
]
const LIMIT_CODES = [132, 133, 134, 135, 137, 139]

function ranOutOfLimits({ signal, code }: Ending): boolean {
  return LIMIT_SIGNALS.includes(signal ?? '') || LIMIT_CODES.includes(code ?? 0)
}

/** The outcome of a document that used up its limits. */
const EXHAUSTED = { outcome: 'exhausted' } as const
/** The CPU time was used up: another try would end in the same way. */
const OUT_OF_TIME = { outcome: 'out-of-time' } as const
type Outcome = SandboxAnswer | typeof EXHAUSTED | typeof OUT_OF_TIME

function intakeVerdict(answer: Outcome): IntakeVerdict {
  switch (answer.outcome) {
    case 'exhausted':
    case 'out-of-time':
      return { outcome: 'rejected', ...OUT_OF_LIMITS }
    case 'refused':
      return { outcome: 'rejected', ...rejectionOf(answer) }
    case 'unsignable':
      return { outcome: 'rejected', ...rejectionOf(answer), pages: answer.pages }
    case 'inspected': {
      const { pages, carriesSignatures, drawn, occupied } = answer
      return {
        outcome: 'accepted',
        pages,
        carriesSignatures,
        ...(drawn && { drawn }),
        ...(occupied && { occupied }),
      }
    }
    default:
      return { outcome: 'rejected', ...NOT_READABLE }
  }
}

function validationVerdict(answer: Outcome): ValidationVerdict {
  if (answer.outcome === 'validated') return answer
  const isNoPdf = answer.outcome === 'refused' && answer.code === 'NOT_A_PDF'
  return { outcome: isNoPdf ? 'not-a-pdf' : 'unreadable' }
}

/** A sandbox that reads through a {@link DocumentReader}. */
export class DenoPdfSandbox implements PdfSandbox {
  readonly #reader: DocumentReader
  readonly #wallMs: number
  readonly #onBroke: (fault: string) => void

  constructor({
    reader = new ChildReader(),
    wallMs = WALL_LIMIT_MS,
    onBroke = () => {},
  }: SandboxOptions = {}) {
    this.#reader = reader
    this.#wallMs = wallMs
    this.#onBroke = onBroke
  }

  async inspect(pdf: Uint8Array, signing: ForeseenSigning, owner?: string): Promise<IntakeVerdict> {
    const task = { kind: 'inspect', signing } as const
    const limits = { wallMs: this.#wallMs, ...(owner !== undefined && { owner }) }
    const answer = await this.#ask(task, pdf, limits)
    if (answer !== EXHAUSTED) return intakeVerdict(answer)
    // A rejection is final, and the machine may have been out of memory for a moment.
    return intakeVerdict(await this.#ask(task, pdf, limits))
  }

  async validate(
    pdf: Uint8Array,
    { trustAnchors, validationTime, revocationData, intermediates }: ValidationRequest,
    timeMs = this.#wallMs,
  ): Promise<ValidationVerdict> {
    const request = {
      trustAnchors,
      validationTime,
      ...(revocationData && { revocationData }),
      ...(intermediates && { intermediates }),
    }
    const wallMs = Math.max(1, Math.min(timeMs, this.#wallMs))
    return validationVerdict(await this.#ask({ kind: 'validate', request }, pdf, { wallMs }))
  }

  async validateSigned(
    pdf: Uint8Array,
    request: ValidationRequest,
    owner?: string,
  ): Promise<ValidationVerdict> {
    const task = { kind: 'validate', request } as const
    const limits = { wallMs: this.#wallMs, ...(owner !== undefined && { owner }) }
    const answer = await this.#ask(task, pdf, limits)
    const isOver = answer === EXHAUSTED || answer === OUT_OF_TIME
    if (!isOver) return validationVerdict(answer)
    const wallMs = Math.max(this.#wallMs, AMPLE_WALL_LIMIT_MS)
    return validationVerdict(await this.#ask(task, pdf, { wallMs, isAmple: true }))
  }

  async close(): Promise<void> {
    await this.#reader.close()
  }

  async #ask(task: SandboxTask, pdf: Uint8Array, limits: ReadingLimits): Promise<Outcome> {
    const ending = await this.#reader.read(task, pdf, limits)
    if (ending.timedOut) throw new SandboxBusyError(limits.wallMs)
    if (ending.signal === CPU_LIMIT_SIGNAL) return OUT_OF_TIME
    if (ranOutOfLimits(ending)) return EXHAUSTED
    if (ending.code !== 0) {
      throw new Error(`the sandbox failed (${ending.code}): ${ending.complaint}`)
    }
    const answer = decode<SandboxAnswer>(ending.answer)
    if (answer.outcome === 'broke') this.#onBroke(answer.fault)
    return answer
  }
}
