/**
 * Adds fields to the form and annotations to pages without touching what is there (ISO 32000-2,
 * 12.5.2, 12.7.3).
 */
import { PadesError } from '../errors.ts'
import { type FormField, acroFormOf, hasAppearance } from './acro-form.ts'
import type { PdfDocument } from './document.ts'
import type { IncrementalUpdate } from './incremental-update.ts'
import { MAX_PARSED_WEIGHT } from './limits.ts'
import type { Page } from './page-tree.ts'
import { serialise } from './serialise.ts'
import { isArray, type PdfDictionary, PdfReference, type PdfValue } from './values.ts'

/** SignaturesExist and AppendOnly (table 225). */
const SIGNATURE_FLAGS = 3

/**
 * Adds annotations to pages.
 *
 * @param additions object numbers by index of the page
 * @throws PadesError `DAMAGED` - the page is not an object of its own
 * @throws PadesError `PAGE_MISSING`
 * @throws PadesError `LIMIT_EXCEEDED` - pages share so long an array that each cannot have its own
 */
export function addAnnotations(
  document: PdfDocument,
  update: IncrementalUpdate,
  pages: readonly Page[],
  additions: ReadonlyMap<number, readonly number[]>,
): void {
  const users = countUsers(pages)
  const merged = new Map<number, { page: Page; reference: PdfReference; numbers: number[] }>()
  for (const [index, numbers] of additions) {
    const page = pages[index]
    const reference = page?.reference
    if (!reference) throw new PadesError(page ? 'DAMAGED' : 'PAGE_MISSING')
    // One page object can stand in the tree twice.
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
    const items = [...present, ...numbers.map(toReference)]
    // An array that several pages share would show the annotation on all of them.
    const isOwnObject =
      own instanceof PdfReference && isArray(document.resolve(own)) && users.get(own.number) === 1
    if (isOwnObject) update.replace(own, items)
    else update.replace(reference, withEntry(page.dictionary, 'Annots', items))
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
 * As long as nobody has signed, two entries that would harm signatures go: `/XFA` of a static form,
 * whose own description would hide the new fields (what it shows is in the form as well), and
 * `/NeedAppearances` where every field has an appearance, because it makes readers change the
 * document on opening. Under earlier signatures both stay as they are.
 *
 * @param fields object numbers
 * @param existing the fields that the form has
 * @returns the catalog as it is then
 */
export function addFields(
  document: PdfDocument,
  update: IncrementalUpdate,
  fields: readonly number[],
  existing: readonly FormField[],
  isSigned: boolean,
): PdfDictionary {
  const form = acroFormOf(document)
  const references = fields.map(toReference)
  if (!form) {
    const added = new Map<string, PdfValue>([
      ['Fields', references],
      ['SigFlags', SIGNATURE_FLAGS],
    ])
    const reference = toReference(update.add(serialise(added)))
    return replaceCatalog(document, update, withEntry(document.catalog, 'AcroForm', reference))
  }
  const changed = new Map(form)
  const list = form.get('Fields')
  const items = [...(document.array(list) ?? []), ...references]
  const isListApart = list instanceof PdfReference && isArray(document.resolve(list))
  if (isListApart) update.replace(list, items)
  else changed.set('Fields', items)
  const flags = document.integer(form.get('SigFlags')) ?? 0
  if ((flags & SIGNATURE_FLAGS) !== SIGNATURE_FLAGS) {
    changed.set('SigFlags', flags | SIGNATURE_FLAGS)
  }
  if (!isSigned) {
    changed.delete('XFA')
    const isComplete = existing.every(
      (field) => field.type === 'Sig' || hasAppearance(document, field),
    )
    if (isComplete) changed.delete('NeedAppearances')
  }
  if (isListApart && isSameDictionary(form, changed)) return document.catalog
  const own = document.catalog.get('AcroForm')
  if (!(own instanceof PdfReference)) {
    return replaceCatalog(document, update, withEntry(document.catalog, 'AcroForm', changed))
  }
  update.replace(own, changed)
  return document.catalog
}

/**
 * Writes the catalog anew.
 *
 * @returns the catalog
 * @throws PadesError `DAMAGED` - it is not an object of its own
 */
export function replaceCatalog(
  document: PdfDocument,
  update: IncrementalUpdate,
  catalog: PdfDictionary,
): PdfDictionary {
  const root = document.trailer.get('Root')
  if (!(root instanceof PdfReference)) throw new PadesError('DAMAGED')
  update.replace(root, catalog)
  return catalog
}

/** An object of generation 0. */
export function toReference(number: number): PdfReference {
  return new PdfReference(number, 0)
}

/** A copy with one entry set. */
export function withEntry(dictionary: PdfDictionary, key: string, value: PdfValue): PdfDictionary {
  return new Map([...dictionary, [key, value]])
}

function isSameDictionary(a: PdfDictionary, b: PdfDictionary): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value)
}
