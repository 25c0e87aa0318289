/** Which part of which page an object is, for people who want to know what was changed. */
import type { PdfDocument } from '../pdf/document.ts'
import { readPages } from '../pdf/page-tree.ts'
import { isArray, isDictionary, nameOf, PdfReference, type PdfValue } from '../pdf/values.ts'
import type { ChangedPart } from './report.ts'

export interface PlaceOfObject {
  /** From 1. */
  readonly page: number
  readonly part: ChangedPart
}

/** Items of one list that are looked at. */
const MAXIMUM_ITEMS = 1_000

/** What people call an annotation, by its subtype (ISO 32000-2, table 171). */
const ANNOTATIONS: Readonly<Record<string, ChangedPart>> = {
  Text: 'note',
  FreeText: 'note',
  Highlight: 'mark',
  Underline: 'mark',
  Squiggly: 'mark',
  StrikeOut: 'mark',
  Ink: 'drawing',
  Line: 'drawing',
  Square: 'drawing',
  Circle: 'drawing',
  Polygon: 'drawing',
  PolyLine: 'drawing',
  Stamp: 'stamp',
  Link: 'link',
  Widget: 'field',
  FileAttachment: 'attachment',
}

function annotationPart(document: PdfDocument, reference: PdfReference): ChangedPart {
  const annotation = document.get(reference)
  const subtype = isDictionary(annotation)
    ? nameOf(document.resolve(annotation.get('Subtype')))
    : ''
  return ANNOTATIONS[subtype ?? ''] ?? 'annotation'
}

/** What a value refers to; of a list also what its items refer to. */
function* referencesOf(
  document: PdfDocument,
  value: PdfValue | undefined,
): Generator<{ reference: PdfReference; isItem: boolean }> {
  if (value instanceof PdfReference) yield { reference: value, isItem: false }
  const items = document.resolve(value)
  if (!isArray(items)) return
  for (const item of items.slice(0, MAXIMUM_ITEMS)) {
    if (item instanceof PdfReference) yield { reference: item, isItem: true }
  }
}

/**
 * Places of the page objects, their contents and annotations, by object number; what several pages
 * share belongs to the first. Nothing when the pages cannot be read.
 */
export function placesOfObjects(document: PdfDocument): ReadonlyMap<number, PlaceOfObject> {
  const places = new Map<number, PlaceOfObject>()
  const add = ({ number }: PdfReference, place: PlaceOfObject) => {
    if (!places.has(number)) places.set(number, place)
  }
  try {
    for (const [index, { reference, dictionary }] of readPages(document).entries()) {
      const page = index + 1
      if (reference) add(reference, { page, part: 'page' })
      for (const found of referencesOf(document, dictionary.get('Contents'))) {
        add(found.reference, { page, part: 'content' })
      }
      for (const { reference: one, isItem } of referencesOf(document, dictionary.get('Annots'))) {
        add(one, { page, part: isItem ? annotationPart(document, one) : 'page' })
      }
    }
  } catch {
    return new Map()
  }
  return places
}
