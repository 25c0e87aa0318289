/**
 * Judges what later revisions changed after a signature, failing closed: what is not known to be
 * harmless is not permitted (ISO 32000-2, 12.8.2.2 and 12.8.4; EN 319 142-1, 5.4).
 */

import { readFields } from '../pdf/acro-form.ts'
import type { PdfDocument } from '../pdf/document.ts'
import { isArray, isDictionary, PdfReference, PdfStream, PdfString } from '../pdf/values.ts'
import type { PdfArray, PdfDictionary, PdfValue } from '../pdf/values.ts'
import { differingKeys, sameObject, sameValue } from './compare-values.ts'
import { collectSecurityStore, storeOnlyGrew } from './document-security-store.ts'
import type { History } from './history.ts'
import type { Change, ModificationLevel, ModificationsReport } from './report.ts'
import { pagesOfObjects } from './pages-of-objects.ts'
import type { Restrictions } from './restrictions.ts'
import { entriesOf } from './revisions.ts'
import type { Revision } from './revisions.ts'
import { judgeFilledField, judgeNewField } from './signature-field-changes.ts'
import type { FieldVerdict } from './signature-field-changes.ts'
import type { FoundSignature } from './signature-fields.ts'

/** Changes that a report lists. */
const MAX_CHANGES = 100

export interface ModificationContext {
  readonly document: PdfDocument
  readonly history: History
  /** Signatures whose bytes and values are right, by the number of their dictionary's object. */
  readonly intact: ReadonlyMap<number, FoundSignature>
  readonly restrictions: Restrictions
}

interface Differences {
  readonly before: PdfDocument
  readonly after: PdfDocument
  readonly added: Set<number>
  readonly changed: Set<number>
  readonly deleted: Set<number>
  /** Changed objects all of whose differences are permitted. */
  readonly permitted: Set<number>
  /** Widgets of signature fields that came later. */
  readonly newWidgets: Set<number>
  readonly verdicts: FieldVerdict[]
  securityStore: boolean
  /** Where something is not permitted that is no object of its own. */
  readonly refused: string[]
}

/** What later revisions did to the revision that a signature closes. */
export function judgeModifications(
  revision: Revision,
  context: ModificationContext,
): ModificationsReport {
  const { docMdp } = context.restrictions
  const base = docMdp === undefined ? {} : { docMdp }
  const isNewest = revision.newer.length === 0 && context.history.straddling.length === 0
  if (isNewest) return { ...base, level: 'NONE', changes: [] }
  const differences = findDifferences(revision, context.document)
  judgeTrailer(differences)
  judgeCatalog(differences, context)
  judgePages(differences, context.history)
  judgeOpenEnds(differences, revision, context.history)
  const changes = listChanges(differences)
  return { ...base, level: levelOf(differences, changes, context.restrictions), changes }
}

function findDifferences({ document: before, newer }: Revision, after: PdfDocument): Differences {
  const differences: Differences = {
    before,
    after,
    added: new Set(),
    changed: new Set(),
    deleted: new Set(),
    permitted: new Set(),
    newWidgets: new Set(),
    verdicts: [],
    securityStore: false,
    refused: [],
  }
  for (const [number, { entry }] of entriesOf(newer)) {
    const earlier = before.entryOf(number)
    const existed = earlier !== undefined && earlier.kind !== 'free'
    if (number === 0) continue
    if (entry.kind === 'free') {
      if (existed) differences.deleted.add(number)
    } else if (!existed) {
      differences.added.add(number)
    } else if (!isSame(before, after, number)) {
      differences.changed.add(number)
    }
  }
  return differences
}

function isSame(before: PdfDocument, after: PdfDocument, number: number): boolean {
  return sameObject(before, valueOf(before, number), after, valueOf(after, number))
}

function valueOf(document: PdfDocument, number: number): PdfValue {
  const entry = document.entryOf(number)
  const generation = entry?.kind === 'plain' ? entry.generation : 0
  return document.get(new PdfReference(number, generation))
}

/** Keys of trailers that every revision sets anew. */
const TRAILER_KEYS_OF_A_REVISION: ReadonlySet<string> = new Set([
  'Size',
  'Prev',
  'XRefStm',
  'ID',
  'Type',
  'W',
  'Index',
  'Length',
  'Filter',
  'DecodeParms',
])

function judgeTrailer(differences: Differences): void {
  const { before, after, refused } = differences
  const newest = after.sections[0]?.trailer
  if (!newest?.has('Root')) refused.push('trailer')
  for (const key of differingKeys(before.trailer, after.trailer)) {
    if (key !== 'Info' && !TRAILER_KEYS_OF_A_REVISION.has(key)) refused.push(`trailer.${key}`)
  }
  judgeInformation(differences)
}

/** Who wrote a revision and when; other entries of the information dictionary stay as they are. */
const INFORMATION_KEYS: ReadonlySet<string> = new Set(['CreationDate', 'ModDate', 'Producer'])

function judgeInformation(differences: Differences): void {
  const { before, after, refused } = differences
  const current = after.trailer.get('Info')
  const old: PdfDictionary = before.dictionary(before.trailer.get('Info')) ?? new Map()
  const information: PdfDictionary = after.dictionary(current) ?? new Map()
  const isHarmless = differingKeys(old, information).every(
    (key) => INFORMATION_KEYS.has(key) && after.resolve(information.get(key)) instanceof PdfString,
  )
  if (isHarmless) permit(differences, current)
  else refused.push('trailer.Info')
}

/** Permits a changed object when the value refers to one. */
function permit({ changed, permitted }: Differences, value: PdfValue | undefined): void {
  if (value instanceof PdfReference && changed.has(value.number)) permitted.add(value.number)
}

function judgeCatalog(differences: Differences, context: ModificationContext): void {
  const { before, after, refused } = differences
  const old = before.catalog
  const { catalog } = after
  for (const key of differingKeys(old, catalog)) {
    const harmless =
      key === 'AcroForm' ||
      key === 'DSS' ||
      (key === 'Extensions' && isPlainData(after.resolve(catalog.get(key))))
    if (!harmless) refused.push(`Root.${key}`)
  }
  permit(differences, after.trailer.get('Root'))
  judgeForm(differences, context, old.get('AcroForm'), catalog.get('AcroForm'))
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
  const isOwner = (source: number): boolean =>
    oldStore?.has(source) === true || (root instanceof PdfReference && root.number === source)
  for (const number of store ?? []) {
    if (!changed.has(number) && !added.has(number)) continue
    differences.securityStore = true
    // A changed stream would be other evidence under an old name.
    if (!oldStore?.has(number) || valueOf(after, number) instanceof PdfStream) continue
    const isOnlyStore = referrersOf(history, number).every(({ source }) => isOwner(source))
    if (isOnlyStore) permit(differences, new PdfReference(number, 0))
  }
}

/** Numbers, names, strings and dictionaries of them: nothing that shows or acts. */
function isPlainData(value: PdfValue): boolean {
  if (value instanceof PdfReference || value instanceof PdfStream) return false
  if (isDictionary(value)) return [...value.values()].every(isPlainData)
  return !isArray(value)
}

function judgeForm(
  differences: Differences,
  context: ModificationContext,
  oldValue: PdfValue | undefined,
  value: PdfValue | undefined,
): void {
  const { before, after, refused } = differences
  const old: PdfDictionary = before.dictionary(oldValue) ?? new Map()
  const form = after.dictionary(value)
  if (!form) {
    if (old.size > 0) refused.push('AcroForm')
    return
  }
  for (const key of differingKeys(old, form)) {
    if (key === 'SigFlags' && flagsOnlyGrow(before, old, after, form)) continue
    if (isIdleDefault(before, old, key)) continue
    if (key !== 'Fields') refused.push(`AcroForm.${key}`)
  }
  permit(differences, value)
  judgeFields(differences, context, old, form)
}

/** How text fields look by default, which came to a form that has none: nothing shows it. */
function isIdleDefault(before: PdfDocument, old: PdfDictionary, key: string): boolean {
  const isDefault = key === 'DA' || key === 'DR'
  return isDefault && !old.has(key) && readFields(before).every(({ type }) => type === 'Sig')
}

function flagsOnlyGrow(
  before: PdfDocument,
  old: PdfDictionary,
  after: PdfDocument,
  form: PdfDictionary,
): boolean {
  const flags = before.integer(old.get('SigFlags')) ?? 0
  return ((after.integer(form.get('SigFlags')) ?? 0) & flags) === flags
}

/** What follows the items of an array that was only added to; undefined when it was not. */
function appendedTo(old: PdfArray, items: PdfArray): PdfArray | undefined {
  const isPrefix = old.every((item, i) => sameValue(item, items[i]))
  return isPrefix && old.length <= items.length ? items.slice(old.length) : undefined
}

function judgeFields(
  differences: Differences,
  context: ModificationContext,
  old: PdfDictionary,
  form: PdfDictionary,
): void {
  const { before, after, refused, added, changed } = differences
  const oldFields = before.array(old.get('Fields')) ?? []
  const fields = after.array(form.get('Fields')) ?? []
  const appended = appendedTo(oldFields, fields)
  if (!appended) {
    refused.push('AcroForm.Fields')
    return
  }
  const list = form.get('Fields')
  const owners = [after.trailer.get('Root'), after.catalog.get('AcroForm')].flatMap((owner) =>
    owner instanceof PdfReference ? [owner.number] : [],
  )
  const isOnlyList =
    list instanceof PdfReference &&
    referrersOf(context.history, list.number).every(
      ({ source, path }) => owners.includes(source) && /^(AcroForm\.)?Fields$/.test(path),
    )
  if (isOnlyList) permit(differences, list)
  const newcomers = { added, intact: context.intact }
  for (const item of appended) {
    const number = item instanceof PdfReference ? item.number : undefined
    const isNew = number !== undefined && added.has(number)
    const verdict = isNew ? judgeNewField(before, after, number, newcomers) : undefined
    if (!verdict) {
      refused.push('AcroForm.Fields')
      continue
    }
    differences.verdicts.push(verdict)
    for (const widget of verdict.widgets) differences.newWidgets.add(widget)
  }
  for (const item of oldFields) {
    if (!(item instanceof PdfReference) || !changed.has(item.number)) continue
    const verdict = judgeFilledField(before, after, item, newcomers)
    if (!verdict) continue
    differences.verdicts.push(verdict)
    permit(differences, item)
  }
}

/** References from older objects: a list that is also something else may not grow. */
const referrersOf = ({ forwardReferences }: History, target: number) =>
  forwardReferences.filter((reference) => reference.target === target)

/** Pages, and arrays of their annotations, to which only widgets of new signatures were added. */
function judgePages(differences: Differences, history: History): void {
  const { before, after, changed, permitted } = differences
  for (const number of changed) {
    if (permitted.has(number)) continue
    const old = valueOf(before, number)
    const value = valueOf(after, number)
    const isPage =
      isDictionary(old) &&
      isDictionary(value) &&
      isPageObject(before, number) &&
      differingKeys(old, value).every((key) => key === 'Annots')
    const isList =
      isArray(old) &&
      isArray(value) &&
      referrersOf(history, number).every(
        ({ source, path }) => path === 'Annots' && isPageObject(before, source),
      )
    const items = isPage ? after.array(value.get('Annots')) : value
    const oldItems = isPage ? (before.array(old.get('Annots')) ?? []) : old
    if (!(isPage || isList) || !isArray(items) || !isArray(oldItems)) continue
    const appended = appendedTo(oldItems, items)
    const areWidgets = appended?.every(
      (item) => item instanceof PdfReference && differences.newWidgets.has(item.number),
    )
    if (areWidgets) permitted.add(number)
  }
}

function isPageObject(document: PdfDocument, number: number): boolean {
  const value = valueOf(document, number)
  return isDictionary(value) && document.name(value.get('Type')) === 'Page'
}

/** References of the signed revision into what came later, and objects that reach beyond it. */
function judgeOpenEnds(
  { added, refused }: Differences,
  { newer }: Revision,
  history: History,
): void {
  for (const { source, sourceSection, path, target } of history.forwardReferences) {
    const isSigned = sourceSection >= newer.length
    if (isSigned && added.has(target)) refused.push(`${source}.${path}`)
  }
  for (const number of history.straddling) refused.push(String(number))
}

function listChanges(differences: Differences): Change[] {
  const { added, changed, deleted, permitted, refused } = differences
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
  return withPages(changes.slice(0, MAX_CHANGES), differences)
}

/** The same, with the page for what is not permitted. */
function withPages(changes: Change[], { before, after }: Differences): Change[] {
  if (changes.every(({ permitted }) => permitted)) return changes
  const [earlier, later] = [pagesOfObjects(before), pagesOfObjects(after)]
  return changes.map((change) => {
    const page = earlier.get(change.object) ?? later.get(change.object)
    return change.permitted || page === undefined ? change : { ...change, page }
  })
}

function levelOf(
  { changed, permitted, deleted, refused, verdicts, securityStore, added }: Differences,
  changes: readonly Change[],
  { docMdp, locks }: Restrictions,
): ModificationLevel {
  const isOpen = refused.length > 0 || deleted.size > 0 || permitted.size < changed.size
  if (isOpen || changes.some((change) => !change.permitted)) return 'OTHER'
  const forms = verdicts.filter((verdict) => !verdict.isDocumentTimeStamp)
  if (forms.some((verdict) => locks(verdict.fieldName))) return 'OTHER'
  if (docMdp === 1 && forms.length > 0) return 'OTHER'
  if (docMdp === 2 && forms.some((verdict) => verdict.isNew)) return 'OTHER'
  if (forms.length > 0) return 'FORM_FILLING'
  if (verdicts.length > 0 || securityStore) return 'LTA_UPDATES'
  return changed.size + added.size > 0 ? 'LTA_UPDATES' : 'NONE'
}
