/**
 * Judges what later revisions changed after a signature, failing closed: what is not known to be
 * harmless is not permitted (ISO 32000-2, 12.8.2.2 and 12.8.4; EN 319 142-1, 5.4).
 */

import type { PdfDocument } from '../pdf/document.ts'
import { isArray, isDictionary, PdfReference, PdfStream, PdfString } from '../pdf/values.ts'
import type { PdfArray, PdfDictionary, PdfValue } from '../pdf/values.ts'
import { differingKeys, sameValue } from './compare-values.ts'
import { appendedTo, findDifferences, permitInRole, referrersOf, valueOf } from './differences.ts'
import type { Differences, ModificationContext, Referrer } from './differences.ts'
import { collectSecurityStore, storeOnlyGrew } from './document-security-store.ts'
import { judgeForm } from './form-changes.ts'
import type { History } from './history.ts'
import { judgeMetadata, versionOnlyGrew } from './metadata-changes.ts'
import { placesOfObjects } from './pages-of-objects.ts'
import type { Change, ModificationLevel, ModificationsReport } from './report.ts'
import type { Restrictions } from './restrictions.ts'
import type { Revision } from './revisions.ts'
import { judgeStructure } from './structure-changes.ts'
import type { SyntaxVerdicts } from './syntax.ts'

/** Changes that a report lists. */
const MAX_CHANGES = 100

/**
 * What later revisions did to the revision that a signature closes.
 *
 * First every object that differs is found; then each judge below permits those that it knows to be
 * harmless, or refuses a place that is not an object of its own. What none of them
 * permits is a change. A second signer, for example, writes five objects:
 *
 * | object | differs | permitted by |
 * |---|---|---|
 * | catalog | `AcroForm.Fields` has one more item | `judgeCatalog`, `judgeForm` |
 * | page | `Annots` has one more item | `judgePages`: it is the new field's widget |
 * | field with its widget, signature, appearance | are new | reached only through the field |
 *
 * The level is then `FORM_FILLING`. If the page had another `Contents` too, no judge would permit
 * it, and the level would be `OTHER`.
 */
export function judgeModifications(
  revision: Revision,
  context: ModificationContext,
): ModificationsReport {
  const { docMdp } = context.restrictions
  const base = docMdp === undefined ? {} : { docMdp }
  const isNewest = revision.newer.length === 0 && context.history.straddling.length === 0
  if (isNewest) return { ...base, level: 'NONE', changes: [] }
  const { syntax, history } = context
  const differences = findDifferences(revision, context.document, syntax.versions)
  judgeAppendedSyntax(differences, revision, syntax)
  findShownAnnotations(differences, history)
  judgeTrailer(differences, history)
  judgeCatalog(differences, context)
  judgePages(differences, history)
  judgeNumbers(differences)
  judgeOpenEnds(differences, revision, history)
  judgeRestrictions(differences, context.restrictions)
  const changes = listChanges(differences, context.permitsFormFilling)
  const level = levelOf(differences, changes)
  const filledFields = [...new Set(differences.filled.values())].slice(0, MAX_CHANGES)
  const isFilled = level === 'FORM_FILLING' && filledFields.length > 0
  return { ...base, level, changes, ...(isFilled && { filledFields }) }
}

/** What the signature itself forbids (12.8.2.2.2, table 257; 12.8.2.4). */
function judgeRestrictions(
  { verdicts, refused }: Differences,
  { docMdp, locks }: Restrictions,
): void {
  for (const { isDocumentTimeStamp, isNew, fieldName, widgets } of verdicts) {
    if (isDocumentTimeStamp) continue
    if (locks(fieldName)) refused.push(`${widgets[0]}.FieldMDP`)
    if (docMdp === 1 || (docMdp === 2 && isNew)) refused.push(`${widgets[0]}.DocMDP`)
  }
}

/** What was appended is written by the letter, also where nothing that was signed changed. */
function judgeAppendedSyntax(
  { after, added, refused, versions }: Differences,
  revision: Revision,
  syntax: SyntaxVerdicts,
): void {
  const fault = syntax.appendedFaultOf(revision)
  if (fault) refused.push(`${fault.object ?? 0}.syntax.${fault.code}`)
  for (const number of added) {
    const odd = versions.versionIn(after, number)?.fault
    if (odd) refused.push(`${number}.syntax.${odd.code}`)
  }
}

/** Keys of trailers that every revision sets anew. */
const TRAILER_KEYS_OF_A_REVISION: ReadonlySet<string> = new Set([
  'Size',
  'Prev',
  'ID',
  'Type',
  'W',
  'Index',
  'Length',
  'Filter',
  'DecodeParms',
])

function judgeTrailer(differences: Differences, history: History): void {
  const { before, after, refused } = differences
  const newest = after.sections[0]?.trailer
  if (!newest?.has('Root')) refused.push('trailer')
  for (const key of differingKeys(before.trailer, after.trailer)) {
    if (key !== 'Info' && !TRAILER_KEYS_OF_A_REVISION.has(key)) refused.push(`trailer.${key}`)
  }
  judgeInformation(differences, history)
}

/** Who wrote a revision and when; other entries of the information dictionary stay as they are. */
const INFORMATION_KEYS: ReadonlySet<string> = new Set(['CreationDate', 'ModDate', 'Producer'])

function judgeInformation(differences: Differences, history: History): void {
  const { before, after, refused } = differences
  const [oldValue, current] = [before.trailer.get('Info'), after.trailer.get('Info')]
  const old: PdfDictionary = before.dictionary(oldValue) ?? new Map()
  const information: PdfDictionary = after.dictionary(current) ?? new Map()
  const isHarmless = differingKeys(old, information).every(
    (key) => INFORMATION_KEYS.has(key) && after.resolve(information.get(key)) instanceof PdfString,
  )
  // Only trailers lead there, and cross-reference streams are trailers.
  const isOwner = ({ path }: Referrer) => path === 'Info'
  if (isHarmless) permitInRole(differences, history, { old: oldValue, current }, isOwner)
  else refused.push('trailer.Info')
}

/**
 * Keys by which an object is drawn. Honest forms refer to the catalog from elsewhere; its entries
 * that may change draw nothing by another key.
 */
const DRAWING_KEYS: ReadonlySet<string> = new Set([
  ...['Resources', 'ExtGState', 'XObject', 'Font', 'Pattern', 'Shading', 'ColorSpace'],
  ...['Properties', 'Contents', 'Annots', 'Kids', 'AP', 'SMask', 'CharProcs'],
])

const isDrawnBy = (path: string): boolean => path.split('.').some((key) => DRAWING_KEYS.has(key))

function judgeCatalog(differences: Differences, context: ModificationContext): void {
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

/** Numbers, names, strings and dictionaries of them: nothing that shows or acts. */
function isPlainData(value: PdfValue): boolean {
  if (value instanceof PdfReference || value instanceof PdfStream) return false
  if (isDictionary(value)) return [...value.values()].every(isPlainData)
  return !isArray(value)
}

/** Notes on which pages new annotations are shown: `/P` of an annotation may say otherwise. */
function findShownAnnotations(differences: Differences, history: History): void {
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
function judgePages(differences: Differences, history: History): void {
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

/** `90` and `90.0` are one number to this library; some readers ignore the second. */
function judgeNumbers({ before, after, versions, permitted, refused }: Differences): void {
  for (const number of permitted) {
    const old = versions.versionIn(before, number)?.wholeReals ?? []
    const current = versions.versionIn(after, number)?.wholeReals ?? []
    if (old.toSorted().join(' ') !== current.toSorted().join(' ')) refused.push(`${number}.number`)
  }
}

/** References of the signed revision into what came later, and objects that reach beyond it. */
function judgeOpenEnds(
  { added, formerReferrers, refused }: Differences,
  { newer }: Revision,
  history: History,
): void {
  for (const { source, sourceSection, path, target } of history.forwardReferences) {
    const isSigned = sourceSection >= newer.length
    if (isSigned && added.has(target)) refused.push(`${source}.${path}`)
  }
  for (const target of added) {
    for (const { source, path } of formerReferrers.get(target) ?? []) {
      refused.push(`${source}.${path}`)
    }
  }
  for (const number of history.straddling) refused.push(String(number))
}

function listChanges(differences: Differences, permitsFormFilling: boolean): Change[] {
  const { added, changed, deleted, refused, filled } = differences
  const permitted = permitsFormFilling
    ? new Set([...differences.permitted, ...filled.keys()])
    : differences.permitted
  const changes: Change[] = []
  const list = (numbers: Iterable<number>, action: Change['action'], all?: boolean): void => {
    for (const object of numbers) {
      changes.push({ object, path: '', action, permitted: all ?? permitted.has(object) })
    }
  }
  for (const path of refused) {
    const object = Number.parseInt(path, 10) || 0
    changes.push({ object, path, action: 'changed', permitted: false })
  }
  list(deleted, 'deleted', false)
  list(
    [...changed].filter((number) => !permitted.has(number)),
    'changed',
  )
  list(
    [...changed].filter((number) => permitted.has(number)),
    'changed',
  )
  // What was added is reached only through what is judged above, or not at all.
  list(added, 'added', true)
  return withPlaces(changes.slice(0, MAX_CHANGES), differences)
}

/** The same; when anything is not permitted, refused and added parts of a page name their place. */
function withPlaces(changes: Change[], { before, after }: Differences): Change[] {
  if (changes.every(({ permitted }) => permitted)) return changes
  const [earlier, later] = [placesOfObjects(before), placesOfObjects(after)]
  return changes.map((change) => {
    const place = earlier.get(change.object) ?? later.get(change.object)
    const isNamed = !change.permitted || change.action === 'added'
    return isNamed ? { ...change, ...place } : change
  })
}

function levelOf(
  { changed, permitted, deleted, refused, verdicts, securityStore, added, filled }: Differences,
  changes: readonly Change[],
): ModificationLevel {
  const known = permitted.size + filled.size
  const isOpen = refused.length > 0 || deleted.size > 0 || known < changed.size
  const isNotPermitted = (change: Change) => !change.permitted && !filled.has(change.object)
  if (isOpen || changes.some(isNotPermitted)) return 'OTHER'
  const forms = verdicts.filter((verdict) => !verdict.isDocumentTimeStamp)
  if (forms.length > 0 || filled.size > 0) return 'FORM_FILLING'
  if (verdicts.length > 0 || securityStore) return 'LTA_UPDATES'
  return changed.size + added.size > 0 ? 'LTA_UPDATES' : 'NONE'
}
