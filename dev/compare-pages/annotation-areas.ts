/** Finds where the annotations of a document are displayed (ISO 32000-2, 12.5.2 and 14.11.2). */
import { readDocument } from '../../pades/pdf/open.ts'
import { type Page, readPages } from '../../pades/pdf/page-tree.ts'
import { textOf } from '../../pades/pdf/acro-form.ts'
import type { PdfDocument } from '../../pades/pdf/document.ts'
import { type PdfDictionary, PdfReference } from '../../pades/pdf/values.ts'
import { inherited } from '../../pades/pdf/widget.ts'
import type { Area } from '../fuzz/viewers/raster.ts'

/** The rectangle of an annotation. */
export interface AnnotationArea extends Area {
  /** Partial name of the field that a widget shows; absent for other annotations. */
  readonly name?: string
  /** Absent for an annotation that is written into its page. */
  readonly object?: number
}

/** HIDDEN (table 167). */
const HIDDEN = 2

/**
 * Lists the rectangles of all visible annotations, except signatures: viewers draw marks of their
 * own where somebody may sign.
 */
export function annotationAreas(bytes: Uint8Array): AnnotationArea[] {
  return readDocument(bytes, (document) =>
    readPages(document).flatMap((page, index) =>
      (document.array(page.dictionary.get('Annots')) ?? []).flatMap((item) => {
        const annotation = document.dictionary(item)
        const isShown = annotation && isVisible(document, annotation)
        const area = isShown && areaOf(document, annotation, page, index)
        const named = item instanceof PdfReference && { object: item.number }
        return area ? [{ ...area, ...named }] : []
      }),
    ),
  )
}

function isVisible(document: PdfDocument, annotation: PdfDictionary): boolean {
  if (((document.integer(annotation.get('F')) ?? 0) & HIDDEN) !== 0) return false
  return document.name(inherited(document, annotation, 'FT')) !== 'Sig'
}

function areaOf(
  document: PdfDocument,
  annotation: PdfDictionary,
  { geometry: { cropBox, rotate } }: Page,
  page: number,
): AnnotationArea | undefined {
  const corners = (document.array(annotation.get('Rect')) ?? []).map((one) => document.resolve(one))
  const [x1, y1, x2, y2] = corners
  const isRectangle =
    typeof x1 === 'number' &&
    typeof y1 === 'number' &&
    typeof x2 === 'number' &&
    typeof y2 === 'number'
  if (!isRectangle || x1 === x2 || y1 === y2) return undefined
  const [width, height] = [cropBox[2] - cropBox[0], cropBox[3] - cropBox[1]]
  const points = [
    [x1, y1],
    [x2, y2],
  ].map(([x = 0, y = 0]) => turned((x - cropBox[0]) / width, (cropBox[3] - y) / height, rotate))
  const [across, down] = [points.map(([x]) => x), points.map(([, y]) => y)]
  const [x, y] = [Math.min(...across), Math.min(...down)]
  const isWidget = document.name(annotation.get('Subtype')) === 'Widget'
  const title = textOf(document.resolve(inherited(document, annotation, 'T'))) ?? 'without a name'
  const size = { width: Math.max(...across) - x, height: Math.max(...down) - y }
  return { page, x, y, ...size, ...(isWidget && { name: title }) }
}

/** A point of the page as displayed, in fractions from its top left corner. */
function turned(x: number, y: number, rotate: number): [number, number] {
  if (rotate === 90) return [1 - y, x]
  if (rotate === 180) return [1 - x, 1 - y]
  return rotate === 270 ? [y, 1 - x] : [x, y]
}
