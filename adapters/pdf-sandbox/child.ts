/** Runs in a Deno process without any right: reads one document from its parent and judges it. */
import { Buffer } from 'node:buffer'
import process from 'node:process'
import type {
  ForeseenSigning,
  SandboxValidation,
  ValidationRequest,
} from '../../domain/ports/pdf-sandbox.ts'
import {
  assertSignable,
  checkReadings,
  displayedSize,
  inspect,
  PadesError,
  rehearse,
  validate,
} from '../../pades/index.ts'
import { decode, encode, LENGTH_BYTES, type SandboxAnswer, type SandboxTask } from './frames.ts'

/** Takes as many octets from the parent as are asked for. */
class Input {
  readonly #chunks = (process.stdin as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
  #left: Buffer = Buffer.alloc(0)

  /** @param room octets of the buffer that stay free behind them */
  async take(length: number, room = 0): Promise<Buffer> {
    const taken = Buffer.alloc(length + room)
    let filled = 0
    for (;;) {
      const copied = this.#left.copy(taken, filled, 0, length - filled)
      filled += copied
      this.#left = this.#left.subarray(copied)
      if (filled === length) return taken
      const { value, done } = await this.#chunks.next()
      if (done) throw new Error('the document ended early')
      this.#left = value
    }
  }

  /** A part with its length before it. */
  async part(room?: number): Promise<Buffer> {
    return this.take((await this.take(LENGTH_BYTES)).readUInt32BE(0), room)
  }
}

/** Behind a document, for what a rehearsal appends; more than that is copied. */
const ROOM_BYTES = 2 * 1024 * 1024

/**
 * pdf.js takes longer to load than most documents to read: only a child that needs it loads it. The
 * name is a literal, so that Deno has the module without a right to read.
 */
const loadSecondReader = () => import('./second-reader.ts')

/**
 * @param roomy the document with {@link ROOM_BYTES} behind it
 * @param secondReader begins to load while the document arrives
 */
async function inspected(
  roomy: Buffer,
  signing: ForeseenSigning,
  secondReader: ReturnType<typeof loadSecondReader>,
): Promise<SandboxAnswer> {
  const document = roomy.subarray(0, roomy.length - ROOM_BYTES)
  const inspection = inspect(document)
  assertSignable(inspection)
  const pages = inspection.pages.map(displayedSize)
  const append = (tail: Uint8Array) => {
    if (tail.length > ROOM_BYTES) return Buffer.concat([document, tail])
    roomy.set(tail, document.length)
    return roomy.subarray(0, document.length + tail.length)
  }
  try {
    const signed = await rehearse(document, signing, append)
    const { openSecondReading } = await secondReader
    await checkReadings(document, signed, openSecondReading)
  } catch (error) {
    if (!(error instanceof PadesError)) throw error
    return { outcome: 'unsignable', pages, message: error.message }
  }
  return { outcome: 'inspected', pages, carriesSignatures: inspection.signatures > 0 }
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

async function judge(task: SandboxTask): Promise<SandboxAnswer> {
  try {
    if (task.kind === 'validate') return await validated(await input.part(), task.request)
    const secondReader = loadSecondReader()
    return await inspected(await input.part(ROOM_BYTES), task.signing, secondReader)
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
process.stdout.write(`${encode(await judge(task))}\n`)
