/** Runs in a Deno process without any right: reads one document from its parent and judges it. */
import type { Buffer } from 'node:buffer'
import process from 'node:process'
import { buffer } from 'node:stream/consumers'
import type { SandboxValidation, ValidationRequest } from '../../domain/ports/pdf-sandbox.ts'
import { assertSignable, displayedSize, inspect, PadesError, validate } from '../../pades/index.ts'
import { decode, encode, LENGTH_BYTES, type SandboxAnswer, type SandboxTask } from './frames.ts'

/** The first part of the octets, which has its length before it, and what follows it. */
function partOf(octets: Buffer): [part: Buffer, rest: Buffer] {
  const end = LENGTH_BYTES + octets.readUInt32BE(0)
  if (octets.length < end) throw new Error('the document ended early')
  return [octets.subarray(LENGTH_BYTES, end), octets.subarray(end)]
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

const [task, rest] = partOf(await buffer(process.stdin))
const [document] = partOf(rest)
process.stdout.write(`${encode(await judge(decode<SandboxTask>(task.toString()), document))}\n`)
