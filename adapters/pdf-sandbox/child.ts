/** Runs in a Deno process without any right: reads one document from its parent and judges it. */
import { Buffer } from 'node:buffer'
import process from 'node:process'
import type { SandboxValidation, ValidationRequest } from '../../domain/ports/pdf-sandbox.ts'
import { assertSignable, displayedSize, inspect, PadesError, validate } from '../../pades/index.ts'
import { decode, encode, LENGTH_BYTES, type SandboxAnswer, type SandboxTask } from './frames.ts'

/** Takes as many octets from the parent as are asked for. */
class Input {
  readonly #chunks = (process.stdin as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
  #left: Buffer = Buffer.alloc(0)

  async take(length: number): Promise<Buffer> {
    const taken = Buffer.alloc(length)
    let filled = 0
    for (;;) {
      const copied = this.#left.copy(taken, filled)
      filled += copied
      this.#left = this.#left.subarray(copied)
      if (filled === length) return taken
      const { value, done } = await this.#chunks.next()
      if (done) throw new Error('the document ended early')
      this.#left = value
    }
  }

  /** A part with its length before it. */
  async part(): Promise<Buffer> {
    return this.take((await this.take(LENGTH_BYTES)).readUInt32BE(0))
  }
}

function inspected(document: Uint8Array): SandboxAnswer {
  const inspection = inspect(document)
  assertSignable(inspection)
  return {
    outcome: 'inspected',
    pages: inspection.pages.map(displayedSize),
    carriesSignatures: inspection.signatures > 0,
  }
}

async function validated(document: Uint8Array, request: ValidationRequest): Promise<SandboxAnswer> {
  const { report, lacking, certificates, revisions } = await validate(document, request)
  return {
    outcome: 'validated',
    validation: {
      report: report as unknown as SandboxValidation['report'],
      certificates: certificates.map(({ der }) => der),
      revisions,
      lacking: {
        revocation: lacking.revocation.map(({ certificate, issuer }) => ({
          certificate: certificate.der,
          issuer: issuer.der,
        })),
        anchors: lacking.anchors.map((path) => path.map(({ der }) => der)),
      },
    },
  }
}

async function judge(task: SandboxTask, document: Uint8Array): Promise<SandboxAnswer> {
  try {
    return task.kind === 'inspect' ? inspected(document) : await validated(document, task.request)
  } catch (error) {
    if (error instanceof PadesError) {
      return { outcome: 'refused', code: error.code, message: error.message }
    }
    // A document that brings the reader down does so every time: trying again would never end.
    return { outcome: 'broke', fault: error instanceof Error ? `${error.stack}` : String(error) }
  }
}

const input = new Input()
const task = decode<SandboxTask>((await input.part()).toString())
process.stdout.write(`${encode(await judge(task, await input.part()))}\n`)
