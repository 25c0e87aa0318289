/** Which page an object is part of, for people who want to know where a document was changed. */
import type { PdfDocument } from '../pdf/document.ts'
import { readPages } from '../pdf/page-tree.ts'
import { isArray, PdfReference, type PdfValue } from '../pdf/values.ts'

/** What belongs to one page; resources are shared. */
const PARTS_OF_A_PAGE = ['Contents', 'Annots'] as const
/** Items of one list that are looked at. */
const MAXIMUM_ITEMS = 1_000

/** Numbers of the objects that a value refers to, of a list also those of its items. */
function* referencesOf(document: PdfDocument, value: PdfValue | undefined): Generator<number> {
  if (value instanceof PdfReference) yield value.number
  const items = document.resolve(value)
  if (!isArray(items)) return
  for (const item of items.slice(0, MAXIMUM_ITEMS)) {
    if (item instanceof PdfReference) yield item.number
  }
}

/**
 * Pages, from 1, by the numbers of the page objects, their contents and annotations; what several
 * pages share belongs to the first. Nothing when the pages cannot be read.
 */
export function pagesOfObjects(document: PdfDocument): ReadonlyMap<number, number> {
  const pages = new Map<number, number>()
  const add = (number: number, page: number) => {
    if (!pages.has(number)) pages.set(number, page)
  }
  try {
    for (const [index, { reference, dictionary }] of readPages(document).entries()) {
      if (reference) add(reference.number, index + 1)
      for (const part of PARTS_OF_A_PAGE) {
        for (const number of referencesOf(document, dictionary.get(part))) add(number, index + 1)
      }
    }
  } catch {
    return new Map()
  }
  return pages
}
