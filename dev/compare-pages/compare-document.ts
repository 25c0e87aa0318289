/** Compares the pages of one document before and after it is signed, in three viewers. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PdfSandbox } from '../../domain/ports/pdf-sandbox.ts'
import type { DrawnAnnotation } from '../../pades/index.ts'
import { FORESEEN, SIGNATURE_AREAS, signAsPeople } from '../fuzz/viewers/documents.ts'
import { type Area, documentDiffers, movesTowards, type Raster } from '../fuzz/viewers/raster.ts'
import { type Viewer, Viewers } from '../fuzz/viewers/renderers.ts'
import { differsInside } from './inside.ts'
import { annotationAreas } from './annotation-areas.ts'

/** The viewer that shows documents to signers. */
const SIGNERS_VIEWER = 'pdf.js'
const COMPARED: readonly Viewer[] = [SIGNERS_VIEWER, 'poppler', 'mupdf']
/** Small text is readable at this resolution. */
const DOTS_PER_INCH = 72
/** A folder of long documents would take hours. */
const MAXIMUM_PAGES = 40

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
  readonly #viewers = new Viewers({
    viewers: COMPARED,
    dotsPerInch: DOTS_PER_INCH,
    maximumPages: MAXIMUM_PAGES,
  })
  readonly #folder = mkdtempSync(join(tmpdir(), 'sigcase-compare-'))

  /** @param sandbox stays open */
  constructor(sandbox: PdfSandbox) {
    this.#sandbox = sandbox
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
   */
  async compare(original: Uint8Array): Promise<Comparison> {
    const verdict = await this.#sandbox.inspect(original, FORESEEN)
    if (verdict.outcome !== 'accepted') {
      return { pages: 0, different: new Map(), drawn: [], rejected: verdict.reason }
    }
    const signed = await signAsPeople(original, false, verdict.drawn)
    const before = await this.#draw(original)
    const after = await this.#draw(signed)
    const shown = before.get(SIGNERS_VIEWER) ?? []
    const areas = annotationAreas(original)
    const { drawn = [] } = verdict
    const objects = new Set(drawn.map(({ object }) => object))
    const redrawn = areas.filter(({ object }) => object !== undefined && objects.has(object))
    const different = new Map<number, string[]>()
    const add = (page: number, text: string) =>
      different.set(page + 1, [...(different.get(page + 1) ?? []), text])
    for (const page of shown.keys()) {
      const ignored = SIGNATURE_AREAS.filter((area) => area.page === page)
      const fields = areas.filter((area) => area.page === page && area.name !== undefined)
      for (const viewer of COMPARED) {
        const [old, current] = [before.get(viewer)?.[page], after.get(viewer)?.[page]]
        const isMended = viewer !== SIGNERS_VIEWER
        const left = [...ignored, ...(isMended ? redrawn.filter((one) => one.page === page) : [])]
        if (old && isOther({ shown: shown[page] as Raster, old, current, viewer, ignored: left })) {
          add(page, `${viewer} draws it differently`)
        }
        if (!current) continue
        for (const area of fields) {
          if (differsInside(shown[page] as Raster, current, area, ignored)) {
            add(page, `${viewer} shows other content in the field ${area.name}`)
          }
        }
      }
    }
    return { pages: shown.length, different, drawn }
  }

  /** Terminates the viewers. */
  async close(): Promise<void> {
    await this.#viewers.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #draw(bytes: Uint8Array) {
    const path = join(this.#folder, 'document.pdf')
    writeFileSync(path, bytes)
    return this.#viewers.render(path)
  }
}

interface Drawn {
  /** What signers saw. */
  readonly shown: Raster
  readonly old: Raster
  readonly current: Raster | undefined
  readonly viewer: Viewer
  readonly ignored: readonly Area[]
}

/** Whether a viewer draws the page differently, and not as signers saw it. */
function isOther({ shown, old, current, viewer, ignored }: Drawn): boolean {
  if (!current) return true
  const onFirst = ignored.map((area) => ({ ...area, page: 0 }))
  if (!documentDiffers([old], [current], onFirst)) return false
  return viewer === SIGNERS_VIEWER || !movesTowards([shown], [old], [current], onFirst)
}
