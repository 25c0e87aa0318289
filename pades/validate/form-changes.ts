/** Judges what later revisions changed of the interactive form (ISO 32000-2, 12.7.3). */

import { readFields } from '../pdf/acro-form.ts'
import type { PdfDocument } from '../pdf/document.ts'
import { type Page, readPages } from '../pdf/page-tree.ts'
import { PdfReference } from '../pdf/values.ts'
import type { PdfArray, PdfDictionary, PdfValue } from '../pdf/values.ts'
import { differingKeys } from './compare-values.ts'
import { appendedTo, permitInRole } from './differences.ts'
import type { Differences, ModificationContext, Referrer } from './differences.ts'
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
    if (isIdleDefault(before, old, key)) continue
    if (key !== 'Fields') refused.push(`AcroForm.${key}`)
  }
  const root = after.trailer.get('Root')
  const isOwner = ({ source, path }: Referrer) =>
    root instanceof PdfReference && source === root.number && path === 'AcroForm'
  permitInRole(differences, context.history, { old: oldValue, current: value }, isOwner)
  judgeFields(differences, context, old, form)
}

/** How text fields look by default, which came to a form that has none: nothing shows it. */
function isIdleDefault(before: PdfDocument, old: PdfDictionary, key: string): boolean {
  const isDefault = key === 'DA' || key === 'DR'
  if (!isDefault || old.has(key)) return false
  return (
    readFields(before).every(({ type }) => type === 'Sig') && !readPages(before).some(usesDefaults)
  )

  function usesDefaults({ dictionary }: Page): boolean {
    const annotations = before.array(dictionary.get('Annots')) ?? []
    return annotations.some((one) => isDrawnByDefaults(before, before.dictionary(one)))
  }
}

/** Readers draw widgets that no form lists, and texts without appearance, with the defaults. */
function isDrawnByDefaults(document: PdfDocument, annotation: PdfDictionary | undefined): boolean {
  if (!annotation) return false
  const subtype = document.name(annotation.get('Subtype'))
  if (subtype === 'FreeText') return !annotation.has('AP')
  const parent = document.dictionary(annotation.get('Parent'))
  const type = document.name(annotation.get('FT') ?? parent?.get('FT'))
  return subtype === 'Widget' && type !== 'Sig'
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
  judgeOldFields(differences, context, oldFields)
}

/** An array of its own that lists the fields may grow when it lists nothing else. */
function permitList(
  differences: Differences,
  { history }: ModificationContext,
  old: PdfValue | undefined,
  current: PdfValue | undefined,
): void {
  const { after } = differences
  const owners = [after.trailer.get('Root'), after.catalog.get('AcroForm')].flatMap((owner) =>
    owner instanceof PdfReference ? [owner.number] : [],
  )
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
      ? judgeNewField(before, after, number, { added, intact }, shownOn.get(number) ?? [])
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

/** What is no verdict here stays changed and not permitted. */
function judgeOldFields(
  differences: Differences,
  { intact, history }: ModificationContext,
  oldFields: PdfArray,
): void {
  const { before, after, added, changed, verdicts } = differences
  for (const item of oldFields) {
    if (!(item instanceof PdfReference) || !changed.has(item.number)) continue
    const verdict = judgeFilledField(before, after, item, { added, intact })
    if (!verdict) continue
    verdicts.push(verdict)
    permitInRole(differences, history, { old: item, current: item }, namesField)
  }
}
