/** Judges what later revisions changed of pages: widgets may be added (ISO 32000-2, 7.7.3.3). */

import type { PdfDocument } from '../pdf/document.ts'
import { isArray, isDictionary, PdfReference } from '../pdf/values.ts'
import type { PdfArray } from '../pdf/values.ts'
import { differingKeys } from './compare-values.ts'
import { appendedTo, referrersOf, valueOf } from './differences.ts'
import type { Differences } from './differences.ts'
import type { History } from './history.ts'

/** Notes on which pages new annotations are shown: `/P` of an annotation may say otherwise. */
export function findShownAnnotations(differences: Differences, history: History): void {
  const { changed, shownOn } = differences
  for (const number of changed) {
    const lists = annotationsOf(number, differences, history)
    for (const item of (lists && appendedTo(lists.old, lists.current)) ?? []) {
      if (!(item instanceof PdfReference)) continue
      const pages = shownOn.get(item.number) ?? []
      shownOn.set(item.number, [...pages, ...(lists?.pages ?? [])])
    }
  }
}

/** Pages, and arrays of their annotations, to which only widgets of new signatures were added. */
export function judgePages(differences: Differences, history: History): void {
  const { changed, permitted, newWidgets } = differences
  for (const number of changed) {
    if (permitted.has(number)) continue
    const lists = annotationsOf(number, differences, history)
    const appended = lists && appendedTo(lists.old, lists.current)
    if (!appended?.length) continue
    const areWidgets = appended.every(
      (item) => item instanceof PdfReference && newWidgets.has(item.number),
    )
    if (areWidgets) permitted.add(number)
  }
}

/**
 * The annotations before and after of a changed object that is a page, or that is nothing but the
 * array of annotations of pages; undefined for any other, and when a page changed otherwise too.
 */
function annotationsOf(
  number: number,
  differences: Differences,
  history: History,
): { old: PdfArray; current: PdfArray; pages: readonly number[] } | undefined {
  const { before, after } = differences
  const old = valueOf(before, number)
  const value = valueOf(after, number)
  if (isArray(old) && isArray(value)) {
    const referrers = referrersOf(differences, history, number)
    const isOfPages =
      referrers.length > 0 &&
      referrers.every(({ source, path }) => path === 'Annots' && isPageObject(before, source))
    const pages = referrers.map(({ source }) => source)
    return isOfPages ? { old, current: value, pages } : undefined
  }
  if (!isDictionary(old) || !isDictionary(value) || !isPageObject(before, number)) return undefined
  if (differingKeys(old, value).some((key) => key !== 'Annots')) return undefined
  const current = after.array(value.get('Annots'))
  return current && { old: before.array(old.get('Annots')) ?? [], current, pages: [number] }
}

function isPageObject(document: PdfDocument, number: number): boolean {
  const value = valueOf(document, number)
  return isDictionary(value) && document.name(value.get('Type')) === 'Page'
}
