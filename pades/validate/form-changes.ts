/** Judges what later revisions changed of the interactive form (ISO 32000-2, 12.7.3). */

import { readFields } from '../pdf/acro-form.ts'
import type { PdfDocument } from '../pdf/document.ts'
import { readPages } from '../pdf/page-tree.ts'
import { PdfReference } from '../pdf/values.ts'
import type { PdfArray, PdfDictionary, PdfValue } from '../pdf/values.ts'
import { differingKeys } from './compare-values.ts'
import { hasIdleDefaults, hasUnusedAppearance, resourcesOnlyGrew } from './default-resources.ts'
import { appendedTo, permitInRole } from './differences.ts'
import type { Differences, ModificationContext, Referrer } from './differences.ts'
import { judgeFilling } from './form-filling.ts'
import { judgeFilledField, judgeNewField } from './signature-field-changes.ts'

/** The form, to which signature fields and what they need may come, and nothing else. */
export function judgeForm(
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
    if (key === 'DA' && (hasIdleDefaults(before) || hasUnusedAppearance(before, old))) continue
    if (key === 'DR' && mayGetResources(differences, old, form)) continue
    if (key !== 'Fields') refused.push(`AcroForm.${key}`)
  }
  permitResources(differences, context, old, form)
  const root = after.trailer.get('Root')
  const isOwner = ({ source, path }: Referrer) =>
    root instanceof PdfReference && source === root.number && path === 'AcroForm'
  permitInRole(differences, context.history, { old: oldValue, current: value }, isOwner)
  judgeFields(differences, context, old, form)
}

const mayGetResources = (
  { before, after }: Differences,
  old: PdfDictionary,
  form: PdfDictionary,
): boolean => hasIdleDefaults(before) || resourcesOnlyGrew(before, old, after, form.get('DR'))

/** Default resources that are an object of their own, and nothing else. */
function permitResources(
  differences: Differences,
  { history }: ModificationContext,
  oldForm: PdfDictionary,
  form: PdfDictionary,
): void {
  const [old, current] = [oldForm.get('DR'), form.get('DR')]
  const isChanged = current instanceof PdfReference && differences.changed.has(current.number)
  if (!isChanged || !mayGetResources(differences, oldForm, form)) return
  const owners = ownersOfForm(differences)
  const isOwner = ({ source, path }: Referrer) =>
    owners.includes(source) && /^(AcroForm\.)?DR$/.test(path)
  permitInRole(differences, history, { old, current }, isOwner)
}

/** Numbers of the catalog and of the form. */
const ownersOfForm = ({ after }: Differences): number[] =>
  [after.trailer.get('Root'), after.catalog.get('AcroForm')].flatMap((owner) =>
    owner instanceof PdfReference ? [owner.number] : [],
  )

function flagsOnlyGrow(
  before: PdfDocument,
  old: PdfDictionary,
  after: PdfDocument,
  form: PdfDictionary,
): boolean {
  const flags = before.integer(old.get('SigFlags')) ?? 0
  return ((after.integer(form.get('SigFlags')) ?? 0) & flags) === flags
}

function judgeFields(
  differences: Differences,
  context: ModificationContext,
  old: PdfDictionary,
  form: PdfDictionary,
): void {
  const { before, after, refused } = differences
  const oldFields = before.array(old.get('Fields')) ?? []
  const appended = appendedTo(oldFields, after.array(form.get('Fields')) ?? [])
  if (!appended) {
    refused.push('AcroForm.Fields')
    return
  }
  permitList(differences, context, old.get('Fields'), form.get('Fields'))
  judgeNewFields(differences, context, appended)
  judgeOldFields(differences, context)
  judgeFilling(differences, context)
}

/** An array of its own that lists the fields may grow when it lists nothing else. */
function permitList(
  differences: Differences,
  { history }: ModificationContext,
  old: PdfValue | undefined,
  current: PdfValue | undefined,
): void {
  const owners = ownersOfForm(differences)
  const isOwner = ({ source, path }: Referrer) =>
    owners.includes(source) && /^(AcroForm\.)?Fields$/.test(path)
  permitInRole(differences, history, { old, current }, isOwner)
}

function judgeNewFields(
  { before, after, added, refused, verdicts, newWidgets, shownOn }: Differences,
  { intact }: ModificationContext,
  appended: PdfArray,
): void {
  for (const item of appended) {
    const number = item instanceof PdfReference ? item.number : undefined
    const isNew = number !== undefined && added.has(number)
    const verdict = isNew
      ? judgeNewField(before, after, number, { added, intact }, shownOn)
      : undefined
    if (!verdict) {
      refused.push('AcroForm.Fields')
      continue
    }
    verdicts.push(verdict)
    for (const widget of verdict.widgets) newWidgets.add(widget)
  }
}

/**
 * Lists of fields, annotations and kids, parents and structure elements. In a dictionary of
 * resources, an entry of the field would be a font or an image.
 */
const namesField = ({ path }: Referrer): boolean =>
  /^$|(^|\.)(Fields|Kids|Annots|Parent|Obj)$/.test(path)

/** A field without a verdict here stays changed and not permitted. */
function judgeOldFields(differences: Differences, { intact, history }: ModificationContext): void {
  const { before, after, added, changed, verdicts } = differences
  let pages: ReadonlySet<number> | undefined
  const isOnPageTree = (numbers: readonly number[]) => {
    pages ??= new Set(readPages(before).flatMap((page) => page.reference?.number ?? []))
    return numbers.some((number) => pages?.has(number))
  }
  for (const field of readFields(before)) {
    const { reference } = field
    if (!reference || !changed.has(reference.number)) continue
    const verdict = judgeFilledField(before, after, field, { added, intact })
    if (!verdict || isOnPageTree(verdict.widgets) || isOnPageTree([reference.number])) continue
    verdicts.push(verdict)
    for (const number of new Set([reference.number, ...verdict.widgets])) {
      const both = new PdfReference(number, reference.generation)
      permitInRole(differences, history, { old: both, current: both }, namesField)
    }
  }
}
