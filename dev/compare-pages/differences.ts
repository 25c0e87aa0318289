/** Finds differences between the pictures of a document before and after signing. */
import type { DrawnAnnotation } from '../../pades/index.ts'
import { SIGNATURE_AREAS } from '../fuzz/viewers/documents.ts'
import { type Area, documentDiffers, movesTowards, type Raster } from '../fuzz/viewers/raster.ts'
import type { Viewer } from '../fuzz/viewers/renderers.ts'
import type { AnnotationArea } from './annotation-areas.ts'
import { differsInside } from './inside.ts'

/** The viewer that shows documents to signers. */
const SIGNERS_VIEWER = 'pdf.js'
export const COMPARED: readonly Viewer[] = [SIGNERS_VIEWER, 'poppler', 'mupdf']

type Pictures = ReadonlyMap<Viewer, readonly Raster[] | undefined>

interface Compared {
  readonly before: Pictures
  readonly after: Pictures
  readonly areas: readonly AnnotationArea[]
  readonly drawn: readonly DrawnAnnotation[]
}

/**
 * Finds the pages that look different at one resolution, and why.
 *
 * @throws Error without a picture of what signers saw
 */
export function differencesOf({ before, after, areas, drawn }: Compared) {
  const shown = before.get(SIGNERS_VIEWER)
  if (!shown || !after.get(SIGNERS_VIEWER))
    throw new Error(`${SIGNERS_VIEWER} drew no page, or not in time`)
  const objects = new Set(drawn.map(({ object }) => object))
  const redrawn = areas.filter(({ object }) => object !== undefined && objects.has(object))
  const different = new Map<number, string[]>()
  const add = (page: number, text: string) =>
    different.set(page + 1, [...(different.get(page + 1) ?? []), text])
  for (const [page, picture] of shown.entries()) {
    const ignored = SIGNATURE_AREAS.filter((area) => area.page === page)
    const fields = areas.filter((area) => area.page === page && area.name !== undefined)
    for (const viewer of COMPARED) {
      const [old, current] = [before.get(viewer)?.[page], after.get(viewer)?.[page]]
      const isMended = viewer !== SIGNERS_VIEWER
      const left = [...ignored, ...(isMended ? redrawn.filter((one) => one.page === page) : [])]
      if (old && isOther({ shown: picture, old, current, viewer, ignored: left })) {
        add(page, `${viewer} draws it differently`)
      }
      if (!current) continue
      for (const area of fields) {
        if (differsInside(picture, current, area, ignored)) {
          add(page, `${viewer} shows other content in the field ${area.name}`)
        }
      }
    }
  }
  return { pages: shown.length, different }
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
