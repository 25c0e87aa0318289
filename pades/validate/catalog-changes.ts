/** Judges what later revisions changed of the catalog (ISO 32000-2, 7.7.2 and 12.8.4.3). */

import { isArray, isDictionary, PdfReference, PdfStream } from '../pdf/values.ts'
import type { PdfValue } from '../pdf/values.ts'
import { differingKeys, sameValue } from './compare-values.ts'
import { permitInRole, valueOf } from './differences.ts'
import type { Differences, ModificationContext, Referrer } from './differences.ts'
import { collectSecurityStore, storeOnlyGrew } from './document-security-store.ts'
import { judgeForm } from './form-changes.ts'
import type { History } from './history.ts'
import { judgeMetadata, versionOnlyGrew } from './metadata-changes.ts'
import { judgeStructure } from './structure-changes.ts'

/**
 * Keys by which an object is drawn. Honest forms refer to the catalog from elsewhere; its entries
 * that may change draw nothing by another key.
 */
const DRAWING_KEYS: ReadonlySet<string> = new Set([
  ...['Resources', 'ExtGState', 'XObject', 'Font', 'Pattern', 'Shading', 'ColorSpace'],
  ...['Properties', 'Contents', 'Annots', 'Kids', 'AP', 'SMask', 'CharProcs'],
])

const isDrawnBy = (path: string): boolean => path.split('.').some((key) => DRAWING_KEYS.has(key))

/** Judges the catalog, and with it form, structure and security store. */
export function judgeCatalog(differences: Differences, context: ModificationContext): void {
  const { before, after, refused } = differences
  const old = before.catalog
  const { catalog } = after
  const isMetadataAlike = judgeMetadata(differences, context.history)
  for (const key of differingKeys(old, catalog)) {
    const harmless =
      key === 'AcroForm' ||
      key === 'DSS' ||
      (key === 'Metadata' && isMetadataAlike) ||
      (key === 'Version' && versionOnlyGrew(differences)) ||
      (key === 'Extensions' && isPlainData(after.resolve(catalog.get(key))))
    if (!harmless) refused.push(`Root.${key}`)
  }
  const roots = { old: before.trailer.get('Root'), current: after.trailer.get('Root') }
  permitInRole(differences, context.history, roots, ({ path }) => !isDrawnBy(path))
  judgeForm(differences, context, old.get('AcroForm'), catalog.get('AcroForm'))
  judgeStructure(differences, context.history)
  judgeSecurityStore(differences, context.history)
}

/** A store that grew or came later; every part of it is of the type that it must be. */
function judgeSecurityStore(differences: Differences, history: History): void {
  const { before, after, refused, changed, added } = differences
  const old = before.catalog.get('DSS')
  const current = after.catalog.get('DSS')
  const store = collectSecurityStore(after, current)
  const oldStore = collectSecurityStore(before, old)
  if (!store || !storeOnlyGrew(before, old, after, current)) refused.push('Root.DSS')
  if (!sameValue(old, current)) differences.securityStore = true
  const root = after.trailer.get('Root')
  const isOwner = ({ source, path }: Referrer): boolean =>
    oldStore?.has(source) === true ||
    (root instanceof PdfReference && root.number === source && /^DSS(\.|$)/.test(path))
  for (const number of store ?? []) {
    if (!changed.has(number) && !added.has(number)) continue
    differences.securityStore = true
    // A changed stream would be other evidence under an old name.
    if (!oldStore?.has(number) || valueOf(after, number) instanceof PdfStream) continue
    const reference = new PdfReference(number, 0)
    permitInRole(differences, history, { old: reference, current: reference }, isOwner)
  }
}

/** Numbers, names, strings, and dictionaries and arrays of them: nothing that shows or acts. */
function isPlainData(value: PdfValue): boolean {
  if (value instanceof PdfReference || value instanceof PdfStream) return false
  if (isDictionary(value)) return [...value.values()].every(isPlainData)
  return !isArray(value) || value.every(isPlainData)
}
