/**
 * Reads documents from its parent, one after the other, and judges them, in a Deno process that may
 * read fonts and nothing else. It ends after the first one that it does not judge to be good, and
 * when it has used much memory or CPU time.
 */
import { Buffer } from 'node:buffer'
import { writeSync } from 'node:fs'
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
  drawAnnotations,
  type DrawnAnnotation,
  inspect,
  PadesError,
  readOccupiedPlaces,
  rehearse,
  validate,
} from '../../pades/index.ts'
import { decode, encode, type SandboxAnswer, type SandboxTask } from './frames.ts'
import { mayReadAnother } from './kept-usage.ts'
import { readPart } from './read-part.ts'

/** Behind a document, for what a rehearsal appends; more than that is copied. */
const ROOM_BYTES = 2 * 1024 * 1024

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
    return { outcome: 'unsignable', pages, message: error.message }
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

async function judge(task: SandboxTask, roomy: Buffer): Promise<SandboxAnswer> {
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

/** The event loop ran empty before an answer was written: there will be none. */
const STUCK: SandboxAnswer = { outcome: 'broke', fault: 'the reading waits for nothing' }

const STDOUT = 1
let isAnswered = true

/** Writes all of it before it returns, because reading the next document stops the event loop. */
function write(text: string): void {
  const octets = Buffer.from(text)
  for (let written = 0; written < octets.length;) written += writeSync(STDOUT, octets, written)
}

/** @returns whether the answer is good, so that this process may read another document */
function answer(content: SandboxAnswer): boolean {
  isAnswered = true
  const isGood = content.outcome === 'inspected' || content.outcome === 'validated'
  write(isGood ? `${encode(content)}\n` : encode(content))
  return isGood
}

async function run(): Promise<void> {
  for (;;) {
    const task = readPart()
    const roomy = task && readPart(ROOM_BYTES)
    if (!roomy) return
    isAnswered = false
    if (!answer(await judge(decode<SandboxTask>(task.toString()), roomy))) return
    const residentBytes = process.memoryUsage().rss
    if (!mayReadAnother({ residentBytes, cpu: process.cpuUsage() })) return
  }
}

process.on('beforeExit', () => {
  if (!isAnswered) answer(STUCK)
})
void run()
