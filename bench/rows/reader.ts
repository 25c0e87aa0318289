/**
 * Row `reader`: CPU time of the first document of a process of the sandbox, with the start of the
 * process, and of later ones. Most tenants send documents seldom: theirs are first ones.
 */
import { join } from 'node:path'
import process from 'node:process'
import { DenoFolder } from '../../adapters/pdf-sandbox/deno-folder.ts'
import { decode, type SandboxAnswer, type SandboxTask } from '../../adapters/pdf-sandbox/frames.ts'
import { ReadingChild } from '../../adapters/pdf-sandbox/reading-child.ts'
import { buildPrograms } from '../../dev/build-programs.ts'
import { signDocument } from '../../pades/index.ts'
import { FORESEEN_SIGNING } from '../../test/fixtures/foreseen-signing.ts'
import * as pki from '../../test/fixtures/pki.ts'
import { makePdf, SMALL } from '../inputs.ts'
import { readUsage } from '../process-cpu.ts'
import type { Figure, RowReport } from '../report.ts'
import { people, requestFor } from '../signing.ts'

const PROCESSES = 15
const LATER_DOCUMENTS = 60
const LIMITS = { cpuSeconds: 60, heapMegabytes: 320 }
const WALL_MS = 120_000
const MS = 1_000

interface Reading {
  task: SandboxTask
  document: Uint8Array
  outcome: SandboxAnswer['outcome']
}

/** An upload, and the PDF that two people signed and the service sealed. */
async function readings(): Promise<Record<'upload' | 'signed', Reading>> {
  const document = makePdf(SMALL)
  const { bytes } = await signDocument(document, requestFor(await people(2), true))
  const trustAnchors = pki.trustAnchors.map((certificate) => ({ certificate }))
  const request = { trustAnchors, validationTime: pki.NOW }
  return {
    upload: {
      task: { kind: 'inspect', signing: FORESEEN_SIGNING },
      document,
      outcome: 'inspected',
    },
    signed: { task: { kind: 'validate', request }, document: bytes, outcome: 'validated' },
  }
}

const childrenSeconds = () => readUsage(process.pid).below.seconds

/** A process reads the documents and ends. @throws Error when one is not judged to be good */
async function readAll(start: () => ReadingChild, all: readonly Reading[]): Promise<void> {
  const child = start()
  for (const [index, { task, document, outcome }] of all.entries()) {
    const isLast = index === all.length - 1
    const { answer } = await child.read(task, document, { wallMs: WALL_MS, isLast })
    const found = decode<SandboxAnswer>(answer)
    if (found.outcome !== outcome) throw new Error(`the sandbox did not judge: ${answer}`)
  }
}

/** The row; times are those of all threads of the processes. */
export async function reader(): Promise<RowReport> {
  const program = join(await buildPrograms(), 'sandbox.js')
  const folder = new DenoFolder()
  const { environment } = folder
  const start = () => new ReadingChild({ ...LIMITS, program, environment })
  const { upload, signed } = await readings()
  const firstMs = async (reading: Reading) => {
    await readAll(start, [reading])
    const before = childrenSeconds()
    for (let count = 0; count < PROCESSES; count++) await readAll(start, [reading])
    return ((childrenSeconds() - before) * MS) / PROCESSES
  }
  try {
    const values = { upload: await firstMs(upload), signed: await firstMs(signed) }
    const before = childrenSeconds()
    const later = Array.from({ length: LATER_DOCUMENTS }, (_, n) => (n % 2 ? signed : upload))
    await readAll(start, [upload, signed, ...later])
    const laterMs = (childrenSeconds() - before) * MS - values.upload
    const figure = { better: 'less', informative: true } as const
    const figures: Figure[] = [
      { ...figure, of: 'ms of CPU for a first upload', value: values.upload, must: 300, aim: 200 },
      { ...figure, of: 'ms for a first signed PDF', value: values.signed, must: 300, aim: 200 },
    ]
    const eachMs = laterMs / (LATER_DOCUMENTS + 1)
    return { measured: `later documents ${eachMs.toFixed(1)} ms each`, figures }
  } finally {
    folder.remove()
  }
}
