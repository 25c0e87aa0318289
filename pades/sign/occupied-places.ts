/**
 * Finds where a signed document has form fields: a further visible signature field over one of them
 * counts as a change after the earlier signatures (`validate/signature-field-changes.ts`).
 */
import { displayedRectangle } from '../appearance/geometry.ts'
import { PadesError } from '../errors.ts'
import { type FormField, readFields } from '../pdf/acro-form.ts'
import type { PdfDocument } from '../pdf/document.ts'
import { readDocument } from '../pdf/open.ts'
import { type Page, readPages, type Rectangle } from '../pdf/page-tree.ts'
import { PdfReference, type PdfDictionary } from '../pdf/values.ts'

/** A rectangle in points on the displayed page, from its top left corner, y downwards. */
export interface OccupiedPlace {
  /** Number of the page; the first is 1. */
  readonly page: number
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** They are stored with the verdict on the upload and read at each signature. */
const MAX_OCCUPIED_PLACES = 10_000
/** A thousandth of a point. */
const DECIMALS = 3

/**
 * Reads the places of all widgets of form fields, invisible ones included. A widget that does not
 * name its page counts on every page.
 *
 * @throws PadesError `LIMIT_EXCEEDED` - more than 10,000 places; and what `inspect` throws
 */
export function readOccupiedPlaces(bytes: Uint8Array): OccupiedPlace[] {
  return readDocument(bytes, (document) => {
    const pages = readPages(document)
    const places: OccupiedPlace[] = []
    for (const widget of readFields(document).flatMap((field) => widgetsOf(document, field))) {
      const rectangle = rectangleOf(document, widget)
      if (!rectangle) continue
      for (const index of pagesOf(widget, pages)) {
        if (places.length >= MAX_OCCUPIED_PLACES) throw new PadesError('LIMIT_EXCEEDED')
        places.push(placeOn(pages[index] as Page, index + 1, rectangle))
      }
    }
    return places
  })
}

/** A field may be its own widget (ISO 32000-2, 12.7.4.1). */
function widgetsOf(document: PdfDocument, { dictionary }: FormField): PdfDictionary[] {
  const kids = document.array(dictionary.get('Kids')) ?? []
  return [dictionary, ...kids.flatMap((kid) => document.dictionary(kid) ?? [])]
}

function rectangleOf(document: PdfDocument, widget: PdfDictionary): Rectangle | undefined {
  const items = (document.array(widget.get('Rect')) ?? []).map((item) => document.resolve(item))
  const [a, b, c, d] = items.filter((item) => typeof item === 'number')
  const isWhole = items.length === 4 && d !== undefined
  return isWhole ? ([a, b, c, d] as unknown as Rectangle) : undefined
}

/** Indexes of the pages on which the widget may be shown. */
function pagesOf(widget: PdfDictionary, pages: readonly Page[]): number[] {
  const named = widget.get('P')
  const all = [...pages.keys()]
  if (!(named instanceof PdfReference)) return all
  return all.filter((index) => pages[index]?.reference?.number === named.number)
}

function placeOn({ geometry }: Page, page: number, rectangle: Rectangle): OccupiedPlace {
  const { x, y, width, height } = displayedRectangle(geometry, rectangle)
  const [left, top, across, down] = [x, y, width, height].map((value) =>
    Number(value.toFixed(DECIMALS)),
  ) as [number, number, number, number]
  return { page, x: left, y: top, width: across, height: down }
}
