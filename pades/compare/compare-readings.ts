/**
 * Compares how this library and a second reader understand what can reach a page: the page tree,
 * boxes, content streams, resources and annotations (ISO 32000-2, 7.7.3, 7.8, 12.5).
 */
import { PadesError, PRINT_ANEW } from '../errors.ts'
import type { PdfDocument } from '../pdf/document.ts'
import { hasTrueCounts, type Page, readPages } from '../pdf/page-tree.ts'
import { isDictionary, type PdfDictionary, PdfReference, type PdfValue } from '../pdf/values.ts'
import { Comparison } from './comparison.ts'
import { MAX_PAGES_BY_COUNT, type SecondPage, type SecondReading } from './second-reading.ts'

/** Entries of a page that are compared apart, or that no reader paints. */
const PAGE_ENTRIES_APART: ReadonlySet<string> = new Set([
  'Annots',
  'B',
  'CropBox',
  'LastModified',
  'MediaBox',
  'Metadata',
  'Parent',
  'PieceInfo',
  'Resources',
  'Rotate',
  'Thumb',
  'UserUnit',
])

/** Entries of the catalog that decide what is painted on every page. */
const CATALOG_ENTRIES = ['OCProperties']
const FORM_ENTRIES = ['DA', 'DR', 'Q']

/** Boxes differ by less than this when readers round alike, in units of user space. */
const BOX_TOLERANCE = 0.001

/** How the second document relates to the first. */
export interface CompareOptions {
  /** Whether the second document is the first, signed: each page may have more annotations. */
  readonly isSigned?: boolean
  /** Annotations to which signing gave an appearance. */
  readonly drawn?: readonly PdfReference[]
}

/** Entries of an annotation that change with its appearance. */
const APPEARANCE_ENTRIES: ReadonlySet<string> = new Set([
  ...['AP', 'AS', 'BS', 'Border', 'F', 'Rect', 'Subtype'],
])

/**
 * Compares the document with a second reading of it, or of the same document signed.
 *
 * @param document as this library reads it
 * @throws PadesError `READ_DIFFERENTLY` - with a sentence that names the first page that differs
 * @throws PadesError `DAMAGED`, `LIMIT_EXCEEDED` - as reading
 */
export async function compareReadings(
  document: PdfDocument,
  second: SecondReading,
  { isSigned = false, drawn = [] }: CompareOptions = {},
): Promise<void> {
  const pages = readPages(document)
  const isCounted = pages.length <= MAX_PAGES_BY_COUNT || hasTrueCounts(document)
  if (pages.length !== second.pageCount || !isCounted) {
    throw new PadesError(
      'READ_DIFFERENTLY',
      `Different PDF programs find a different number of pages in the PDF; ${PRINT_ANEW}`,
    )
  }
  const references = [...pages.map(({ reference }) => reference), ...drawn]
  const numbers = new Set(references.map((reference) => reference?.number ?? 0))
  const comparison = new Comparison(document, second, numbers)
  for (const [index, page] of pages.entries()) {
    if (await isPageAlike(page, index, comparison, isSigned)) continue
    throw new PadesError(
      'READ_DIFFERENTLY',
      `Page ${index + 1} is read differently by different PDF programs; ${PRINT_ANEW}`,
    )
  }
  const areAnnotationsKept = drawn.every((reference) => isAnnotationKept(reference, comparison))
  if (!areAnnotationsKept || !isCatalogAlike(comparison)) throw new PadesError('READ_DIFFERENTLY')
}

function isAnnotationKept(reference: PdfReference, comparison: Comparison): boolean {
  const ours = comparison.document.dictionary(reference)
  const theirs = comparison.theirObject(reference)
  if (!ours || !isDictionary(theirs)) return false
  return comparison.areEntriesAlike(ours, theirs, APPEARANCE_ENTRIES)
}

async function isPageAlike(
  page: Page,
  index: number,
  comparison: Comparison,
  isSigned: boolean,
): Promise<boolean> {
  let other: SecondPage
  try {
    other = await comparison.second.page(index)
  } catch {
    // The second reader cannot show what it cannot find.
    return false
  }
  return (
    isSameReference(page.reference, other.reference) &&
    isShownAlike(page, other) &&
    comparison.areEntriesAlike(page.dictionary, other.dictionary, PAGE_ENTRIES_APART) &&
    comparison.areAlike(resourcesOf(page, comparison.document), other.resources) &&
    areAnnotationsAlike(page, other, comparison, isSigned)
  )
}

function resourcesOf({ resources }: Page, document: PdfDocument): PdfDictionary {
  return document.dictionary(resources) ?? new Map()
}

function isSameReference(a: PdfReference | undefined, b: PdfReference | undefined): boolean {
  return a?.number === b?.number && a?.generation === b?.generation
}

function isShownAlike({ geometry }: Page, { view, rotate, userUnit }: SecondPage): boolean {
  const { cropBox } = geometry
  const hasSameView = cropBox.every(
    (value, index) => Math.abs(value - (view[index] ?? Number.NaN)) <= BOX_TOLERANCE,
  )
  return hasSameView && geometry.rotate === rotate && geometry.userUnit === userUnit
}

/** Signing appends annotations that are objects of their own and new. */
function areAnnotationsAlike(
  { dictionary }: Page,
  { annotations: theirs }: SecondPage,
  comparison: Comparison,
  isSigned: boolean,
): boolean {
  const { document } = comparison
  const own = document.array(dictionary.get('Annots')) ?? []
  if (isSigned ? theirs.length < own.length : theirs.length !== own.length) return false
  const areAdded = theirs
    .slice(own.length)
    .every((item) => item instanceof PdfReference && item.number >= document.size)
  return areAdded && comparison.areAlike(own, theirs.slice(0, own.length))
}

function isCatalogAlike(comparison: Comparison): boolean {
  const { document, second } = comparison
  const isAlike = (key: string, ours: PdfValue | undefined, theirs: PdfValue | undefined) =>
    comparison.areAlike(document.dictionary(ours)?.get(key), dictionaryOf(theirs)?.get(key))
  const dictionaryOf = (value: PdfValue | undefined) => {
    const resolved = value instanceof PdfReference ? comparison.theirObject(value) : value
    return isDictionary(resolved) ? resolved : undefined
  }
  return (
    CATALOG_ENTRIES.every((key) => isAlike(key, document.catalog, second.catalog)) &&
    FORM_ENTRIES.every((key) =>
      isAlike(key, document.catalog.get('AcroForm'), second.catalog.get('AcroForm')),
    )
  )
}
