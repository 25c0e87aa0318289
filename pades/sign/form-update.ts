/**
 * Adds fields to the form and annotations to pages in their source, without touching the bytes of
 * what is there (ISO 32000-2, 12.5.2, 12.7.3).
 */
import { PadesError } from '../errors.ts'
import { acroFormOf } from '../pdf/acro-form.ts'
import type { PdfDocument } from '../pdf/document.ts'
import type { IncrementalUpdate } from '../pdf/incremental-update.ts'
import { MAX_PARSED_WEIGHT } from '../pdf/limits.ts'
import type { Page } from '../pdf/page-tree.ts'
import { withoutOpening } from './opening.ts'
import { entryIn, ObjectSources, withEntry, withItems } from '../syntax/source.ts'
import { isArray, isDictionary, PdfReference } from '../pdf/values.ts'

/** SignaturesExist and AppendOnly (table 225). */
const SIGNATURE_FLAGS = 3

/**
 * Adds annotations to pages.
 *
 * @param additions object numbers by index of the page
 * @throws PadesError `DAMAGED` - the page is not an object of its own
 * @throws PadesError `AMBIGUOUS` - readers may understand the page differently
 * @throws PadesError `PAGE_MISSING`
 * @throws PadesError `LIMIT_EXCEEDED` - pages share an array that is too long for a copy for each
 */
export function addAnnotations(
  document: PdfDocument,
  update: IncrementalUpdate,
  pages: readonly Page[],
  additions: ReadonlyMap<number, readonly number[]>,
): void {
  const users = countUsers(pages)
  const sources = new ObjectSources(document)
  const merged = new Map<number, { page: Page; reference: PdfReference; numbers: number[] }>()
  for (const [index, numbers] of additions) {
    const page = pages[index]
    const reference = page?.reference
    if (!reference) throw new PadesError(page ? 'DAMAGED' : 'PAGE_MISSING')
    // One page object can be in the tree twice.
    const known = merged.get(reference.number)
    if (known) known.numbers.push(...numbers)
    else merged.set(reference.number, { page, reference, numbers: [...numbers] })
  }
  let written = 0
  for (const { page, reference, numbers } of merged.values()) {
    const own = page.dictionary.get('Annots')
    const present = document.array(own) ?? []
    written += present.length + numbers.length
    if (written > MAX_PARSED_WEIGHT) throw new PadesError('LIMIT_EXCEEDED')
    const items = numbers.map(referenceSource)
    // An array that several pages share would show the annotation on all of them.
    const isOwnObject =
      own instanceof PdfReference && isArray(document.get(own)) && users.get(own.number) === 1
    if (isOwnObject) {
      update.replace(own, withItems(sources.sourceOf(own), items))
    } else {
      const source = sources.sourceOf(reference)
      const list = isArray(document.resolve(own))
        ? sources.resolve(entryIn(source, 'Annots') ?? '[]')
        : '[]'
      update.replace(reference, withEntry(source, 'Annots', withItems(list, items)))
    }
  }
}

/** How many different page objects use each indirect array of annotations. */
function countUsers(pages: readonly Page[]): Map<number, number> {
  const users = new Map<number, number>()
  const seen = new Set<number>()
  for (const { dictionary, reference } of pages) {
    const annotations = dictionary.get('Annots')
    if (!(annotations instanceof PdfReference)) continue
    if (reference) {
      if (seen.has(reference.number)) continue
      seen.add(reference.number)
    }
    users.set(annotations.number, (users.get(annotations.number) ?? 0) + 1)
  }
  return users
}

/**
 * Adds fields to the form, which is made when there is none, and marks the document as signed.
 *
 * Until the first signature, two entries that would harm signatures go: `/XFA` of a static form,
 * whose own description would hide the new fields (what it shows is in the form as well), and
 * `/NeedAppearances`, because it makes readers draw the fields anew on opening (fields without an
 * appearance get one). What starts when the document is opened goes, too. Under earlier signatures
 * all of this stays as it is.
 *
 * @param fields object numbers
 * @returns the source of the catalog as it is then
 * @throws PadesError `AMBIGUOUS` - readers may understand the catalog or the form differently
 */
export function addFields(
  document: PdfDocument,
  update: IncrementalUpdate,
  fields: readonly number[],
  isSigned: boolean,
): string {
  const sources = new ObjectSources(document)
  const source = catalogSource(document, sources)
  const catalog = isSigned ? source : withoutOpening(document, update, sources, source)
  if (catalog !== source) replaceCatalog(document, update, catalog)
  const form = acroFormOf(document)
  const own = document.catalog.get('AcroForm')
  if (!form) {
    const items = fields.map(referenceSource).join(' ')
    const added = update.add(`<< /Fields [${items}] /SigFlags ${SIGNATURE_FLAGS} >>`)
    return replaceCatalog(document, update, withEntry(catalog, 'AcroForm', referenceSource(added)))
  }
  const before = sources.resolve(entryIn(catalog, 'AcroForm') ?? '<< >>')
  const changed = changedForm({ document, update, sources }, before, fields, isSigned)
  if (changed === before) return catalog
  if (!(own instanceof PdfReference) || !isDictionary(document.get(own))) {
    return replaceCatalog(document, update, withEntry(catalog, 'AcroForm', changed))
  }
  update.replace(own, changed)
  return catalog
}

interface FormWriting {
  readonly document: PdfDocument
  readonly update: IncrementalUpdate
  readonly sources: ObjectSources
}

/** The source of the form with more fields; writes a list of them that is an object of its own. */
function changedForm(
  { document, update, sources }: FormWriting,
  before: string,
  fields: readonly number[],
  isSigned: boolean,
): string {
  const form = acroFormOf(document)
  const list = form?.get('Fields')
  const items = fields.map(referenceSource)
  let changed = before
  if (list instanceof PdfReference && isArray(document.get(list))) {
    update.replace(list, withItems(sources.sourceOf(list), items))
  } else {
    const source = isArray(document.resolve(list)) ? entryIn(before, 'Fields') : '[]'
    changed = withEntry(changed, 'Fields', withItems(sources.resolve(source ?? '[]'), items))
  }
  const flags = document.integer(form?.get('SigFlags')) ?? 0
  if ((flags & SIGNATURE_FLAGS) !== SIGNATURE_FLAGS) {
    changed = withEntry(changed, 'SigFlags', String(flags | SIGNATURE_FLAGS))
  }
  if (isSigned) return changed
  return withEntry(withEntry(changed, 'XFA', undefined), 'NeedAppearances', undefined)
}

/**
 * The source of the catalog.
 *
 * @throws PadesError `DAMAGED` - it is not an object of its own
 * @throws PadesError `AMBIGUOUS`
 */
function catalogSource(document: PdfDocument, sources: ObjectSources): string {
  const root = document.trailer.get('Root')
  if (!(root instanceof PdfReference)) throw new PadesError('DAMAGED')
  return sources.sourceOf(root)
}

/**
 * Writes the catalog anew.
 *
 * @returns its source
 * @throws PadesError `DAMAGED` - it is not an object of its own
 */
export function replaceCatalog(
  document: PdfDocument,
  update: IncrementalUpdate,
  catalog: string,
): string {
  const root = document.trailer.get('Root')
  if (!(root instanceof PdfReference)) throw new PadesError('DAMAGED')
  update.replace(root, catalog)
  return catalog
}

/** An object of generation 0. */
export function toReference(number: number): PdfReference {
  return new PdfReference(number, 0)
}

const referenceSource = (number: number): string => `${number} 0 R`
