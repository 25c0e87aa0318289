/** Compares the pages of one document before and after it is signed, in three viewers. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PdfSandbox } from '../../domain/ports/pdf-sandbox.ts'
import type { DrawnAnnotation } from '../../pades/index.ts'
import { FORESEEN, signAsPeople } from '../fuzz/viewers/documents.ts'
import { Viewers } from '../fuzz/viewers/renderers.ts'
import { annotationAreas } from './annotation-areas.ts'
import { COMPARED, differencesOf } from './differences.ts'

/**
 * Small text is readable at the first resolution. At it, viewers draw thin lines and dots in other
 * shades; so a difference counts only when it is there at the second resolution, too.
 */
const DOTS_PER_INCH = [72, 144] as const
/** A folder of long documents would take hours. */
const MAXIMUM_PAGES = 40
/** Drawing 40 pages takes minutes where other programs use the same cores. */
const TIME_LIMIT_MS = 180_000

/** What became of one document. */
export interface Comparison {
  /** Pages that the signing page's viewer drew. */
  readonly pages: number
  /** Pages that look different, from 1, each with the viewers and what is different. */
  readonly different: ReadonlyMap<number, readonly string[]>
  /** Appearances that intake made, for revision 1. */
  readonly drawn: readonly DrawnAnnotation[]
  /** Why intake rejects the document; it has no pages then. */
  readonly rejected?: string
}

/** Signs documents as intake and finalising do, and draws them before and after. */
export class PageComparer {
  readonly #sandbox: PdfSandbox
  readonly #viewers: readonly Viewers[]
  readonly #folder = mkdtempSync(join(tmpdir(), 'sigcase-compare-'))

  /**
   * @param sandbox stays open
   * @param timeLimitMs of one viewer for one document
   */
  constructor(sandbox: PdfSandbox, timeLimitMs = TIME_LIMIT_MS) {
    this.#sandbox = sandbox
    const detail = { viewers: COMPARED, maximumPages: MAXIMUM_PAGES, timeLimitMs }
    this.#viewers = DOTS_PER_INCH.map((dotsPerInch) => new Viewers({ ...detail, dotsPerInch }))
  }

  /**
   * Compares a document with itself after two people and the seal have signed it. The places of
   * their signatures do not count. A page looks different
   *
   * - when a viewer draws it differently afterwards; Poppler and MuPDF may show more of what
   *   signers saw, and may draw an annotation anew that intake drew,
   * - when a viewer shows in a form field something else than signers saw.
   *
   * @param original an unsigned or signed PDF
   * @throws PadesError when a document that intake accepts cannot be signed
   * @throws Error when the viewer of signers draws no page of the document in time
   */
  async compare(original: Uint8Array): Promise<Comparison> {
    const verdict = await this.#sandbox.inspect(original, FORESEEN)
    if (verdict.outcome !== 'accepted') {
      return { pages: 0, different: new Map(), drawn: [], rejected: verdict.reason }
    }
    const { drawn = [] } = verdict
    const signed = await signAsPeople(original, false, verdict.drawn)
    const areas = annotationAreas(original)
    let found: Omit<Comparison, 'drawn' | 'rejected'> | undefined
    for (const viewers of this.#viewers) {
      const before = await this.#draw(original, viewers)
      const after = await this.#draw(signed, viewers)
      const now = differencesOf({ before, after, areas, drawn })
      found = found ? { ...now, different: inBoth(found.different, now.different) } : now
      if (found.different.size === 0) break
    }
    return { pages: found?.pages ?? 0, different: found?.different ?? new Map(), drawn }
  }

  /** Terminates the viewers. */
  async close(): Promise<void> {
    await Promise.all(this.#viewers.map((viewers) => viewers.close()))
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #draw(bytes: Uint8Array, viewers: Viewers) {
    const path = join(this.#folder, 'document.pdf')
    writeFileSync(path, bytes)
    return viewers.render(path)
  }
}

/** The reasons that were found at both resolutions. */
function inBoth(
  first: Comparison['different'],
  second: Comparison['different'],
): Comparison['different'] {
  const both = [...second].map(([page, reasons]) => {
    const known = first.get(page) ?? []
    return [page, reasons.filter((reason) => known.includes(reason))] as const
  })
  return new Map(both.filter(([, reasons]) => reasons.length > 0))
}
