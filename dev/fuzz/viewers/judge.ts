/** Judges a mutated document: whether the service approves it, and which viewers show another. */
import type { Buffer } from 'node:buffer'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PadesError, validateSignatures, type ValidationReport } from '../../../pades/index.ts'
import { NOW, trustAnchors } from '../../../test/fixtures/pki.ts'
import { assertOneJudgement } from '../one-judgement.ts'
import { type Area, documentDiffers, type Raster } from './raster.ts'
import { type Viewer, type Viewers, VIEWERS } from './renderers.ts'

const HOUR_MS = 3_600_000
/** Within the life of all certificates of the tests. */
const OPTIONS = { trustAnchors, validationTime: new Date(NOW.getTime() + HOUR_MS) }

/** Pages of one document as five viewers render them. */
export type Drawn = ReadonlyMap<Viewer, readonly Raster[] | undefined>

/** Result of one mutation. */
export interface Verdict {
  /** The service approves the document (an upload: accepts it for signing). */
  passed: boolean
  /** Viewers that show other content than before, with the compared content. */
  differences: string[]
  /** Viewers that draw the places of earlier signatures differently, and nothing else. */
  changedSignatures: Viewer[]
  /** Viewers that refused what they drew before. */
  refusals: Viewer[]
  /** Unexpected failure of the service. */
  fault?: string
}

/** A verdict of the service before anything is drawn. */
export const REFUSED: Verdict = {
  passed: false,
  differences: [],
  changedSignatures: [],
  refusals: [],
}

/** Whether the service approves every signature and the document. */
function isGood({ signatures, documentTimestamps, summary }: ValidationReport): boolean {
  const all = [...signatures, ...documentTimestamps]
  return (
    signatures.length > 0 &&
    all.every(({ indication }) => indication === 'TOTAL_PASSED') &&
    ['none', 'permitted'].includes(summary.documentModifiedAfterSigning)
  )
}

/**
 * Validates a document.
 *
 * @returns whether the document passes; an unreadable document does not
 * @throws Error any error except PadesError, because the validation itself failed
 */
export async function isApprovedAsSigned(bytes: Buffer): Promise<boolean> {
  try {
    const report = await validateSignatures(bytes, OPTIONS)
    assertOneJudgement(report)
    return isGood(report)
  } catch (error) {
    if (error instanceof PadesError) return false
    throw error
  }
}

/** Renders documents from files in one folder. */
export class DrawingTable {
  readonly #viewers: Viewers
  readonly #folder: string
  #count = 0

  /** @param folder for files that are removed again */
  constructor(viewers: Viewers, folder: string) {
    this.#viewers = viewers
    this.#folder = folder
  }

  /** Draws a document, with all viewers unless others are named. */
  async draw(bytes: Buffer, viewers?: readonly Viewer[]): Promise<Drawn> {
    const path = join(this.#folder, `${++this.#count}.pdf`)
    writeFileSync(path, bytes)
    try {
      return await this.#viewers.render(path, viewers)
    } finally {
      rmSync(path)
    }
  }

  /** Draws a document with viewers that have drawn nothing before. */
  async drawFresh(bytes: Buffer): Promise<Drawn> {
    await this.#viewers.close()
    return this.draw(bytes)
  }
}

/**
 * Draws two documents and compares them. A difference counts when it appears again in viewers that
 * have drawn nothing before: PDFium draws some fonts differently the second time.
 *
 * @param before what was drawn of the first document already
 */
export async function compareConfirmed(
  table: DrawingTable,
  documents: { before: Buffer; after: Buffer },
  before: Drawn,
  ignored: Ignored,
): Promise<Pick<Verdict, 'differences' | 'changedSignatures' | 'refusals'>> {
  const first = compareDrawn(before, await table.draw(documents.after), ignored)
  if (first.differences.length === 0) return first
  const again = await table.drawFresh(documents.before)
  return compareDrawn(again, await table.drawFresh(documents.after), ignored)
}

/** Areas in which pictures may differ. */
export interface Ignored {
  /** Areas of new signatures, which change the picture as intended. */
  allowed?: readonly Area[]
  /** Areas of earlier signatures, which are counted separately. */
  signatures?: readonly Area[]
}

/**
 * Compares what each viewer drew before and after; a viewer that drew nothing before is left out.
 */
export function compareDrawn(
  before: Drawn,
  after: Drawn,
  { allowed = [], signatures = [] }: Ignored = {},
): Pick<Verdict, 'differences' | 'changedSignatures' | 'refusals'> {
  const result = {
    differences: [] as string[],
    changedSignatures: [] as Viewer[],
    refusals: [] as Viewer[],
  }
  for (const viewer of VIEWERS) {
    const [old, current] = [before.get(viewer), after.get(viewer)]
    if (!old) continue
    if (!current) result.refusals.push(viewer)
    else if (documentDiffers(old, current, [...allowed, ...signatures])) {
      result.differences.push(viewer)
    } else if (documentDiffers(old, current, allowed)) result.changedSignatures.push(viewer)
  }
  return result
}
