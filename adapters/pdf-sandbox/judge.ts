/** What the process of the sandbox answers about one document. */
import { Buffer } from 'node:buffer'
import type {
  ForeseenSigning,
  SandboxValidation,
  ValidationRequest,
} from '../../domain/ports/pdf-sandbox.ts'
import {
  assertSignable,
  checkReadings,
  displayedSize,
  drawAnnotations,
  type DrawnAnnotation,
  inspect,
  PadesError,
  readOccupiedPlaces,
  rehearse,
  rememberRightValues,
  validate,
} from '../../pades/index.ts'
import type { SandboxAnswer, SandboxTask } from './frames.ts'

/**
 * Behind a document, for what a rehearsal appends: 50 KB for two signers. For more than that, the
 * document is copied. The engine collects garbage by the size of such buffers, also of unused ones.
 */
export const ROOM_BYTES = 256 * 1024

/**
 * pdf.js takes longer to load than most documents to read: only a child that needs it loads it. The
 * name is a literal, so that Deno has the module without a right to read.
 */
const loadSecondReader = () => import('./second-reader.ts')

/**
 * @param roomy the document, followed by {@link ROOM_BYTES} of free space
 * @param secondReader is already loading while the document arrives
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
  let drawn: DrawnAnnotation[]
  try {
    drawn = await drawAnnotations(document, async (bytes) =>
      (await secondReader).openSecondReading(bytes),
    )
    const signed = await rehearse(document, { ...signing, drawn }, append)
    const { openSecondReading } = await secondReader
    await checkReadings(
      document,
      signed,
      openSecondReading,
      drawn.map(({ object }) => object),
    )
  } catch (error) {
    if (!(error instanceof PadesError)) throw error
    return { outcome: 'unsignable', pages, code: error.code, message: error.message }
  }
  const carriesSignatures = inspection.signatures > 0
  const occupied = carriesSignatures ? readOccupiedPlaces(document) : []
  return {
    outcome: 'inspected',
    pages,
    carriesSignatures,
    ...(drawn.length > 0 && { drawn }),
    ...(occupied.length > 0 && { occupied }),
  }
}

async function validated(document: Uint8Array, request: ValidationRequest): Promise<SandboxAnswer> {
  rememberRightValues(request.rightValues ?? [])
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

/**
 * Inspects or validates the document.
 *
 * @param roomy the document, followed by {@link ROOM_BYTES} of free space
 */
export async function judge(task: SandboxTask, roomy: Buffer): Promise<SandboxAnswer> {
  try {
    if (task.kind === 'validate') {
      return await validated(roomy.subarray(0, roomy.length - ROOM_BYTES), task.request)
    }
    return await inspected(roomy, task.signing, loadSecondReader())
  } catch (error) {
    if (error instanceof PadesError) {
      return { outcome: 'refused', code: error.code, message: error.message }
    }
    // A document that brings the reader down does so every time: trying again would never end.
    return { outcome: 'broke', fault: error instanceof Error ? `${error.stack}` : String(error) }
  }
}
