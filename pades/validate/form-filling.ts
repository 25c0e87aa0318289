/**
 * Recognises fields that were filled in after a signature (ISO 32000-2, 12.7.4 and 12.8.2.2.2).
 *
 * What people fill in is seen, so it is not a harmless change: the policy of a validation decides
 * whether it is permitted. Here is decided whether a change is nothing but that: the value of one
 * field, drawn within the rectangle that the field had when it was signed.
 */

import { type FormField, readFields } from '../pdf/acro-form.ts'
import type { PdfDocument } from '../pdf/document.ts'
import { isDictionary, PdfReference, PdfStream } from '../pdf/values.ts'
import type { PdfDictionary, PdfValue } from '../pdf/values.ts'
import { staysInItsBox } from './appearance-bounds.ts'
import { differingKeys } from './compare-values.ts'
import { referrersOf, valueOf } from './differences.ts'
import type { Differences, ModificationContext, Referrer } from './differences.ts'
import { withWidget } from './separate-widget.ts'
import { isDrawnAlike, isShownInItsRectangle } from './signature-field-changes.ts'

/** Texts, choices, and buttons with a state. */
const FILLED_TYPES: ReadonlySet<string> = new Set(['Tx', 'Ch', 'Btn'])

/** What filling a field in may set: value, indices of choices, state, appearance, date. */
const FILLED_KEYS: ReadonlySet<string> = new Set(['V', 'I', 'AS', 'AP', 'M'])

/** Streams of one appearance: three looks, each of a few states. */
const MAX_LOOKS = 100

/** A dictionary of appearances, or of their states, has streams only. */
function looksOf(document: PdfDocument, appearance: PdfDictionary): PdfReference[] | undefined {
  const looks: PdfReference[] = []
  const open: PdfValue[] = [...appearance.values()]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    const resolved = document.resolve(value)
    if (isDictionary(resolved)) open.push(...resolved.values())
    else if (value instanceof PdfReference && resolved instanceof PdfStream) looks.push(value)
    else return undefined
    if (looks.length + open.length > MAX_LOOKS) return undefined
  }
  return looks
}

const isLookOf =
  (widget: number) =>
  ({ source, path }: Referrer): boolean =>
    source === widget && /^AP\./.test(path)

/** Streams that changed in place, when every other look is new or as it was. */
function changedLooks(
  differences: Differences,
  { history }: ModificationContext,
  widget: PdfReference,
  appearance: PdfValue | undefined,
): number[] | undefined {
  const { after, changed, added } = differences
  const dictionary = after.resolve(appearance ?? new Map())
  const looks = isDictionary(dictionary) ? looksOf(after, dictionary) : undefined
  if (!looks) return undefined
  const written = looks.filter(({ number }) => changed.has(number) || added.has(number))
  const isBound = written.every((look) => {
    const stream = after.resolve(look)
    return stream instanceof PdfStream && staysInItsBox(after, stream)
  })
  const inPlace = written.map(({ number }) => number).filter((number) => changed.has(number))
  const isOnlyLook = inPlace.every((number) =>
    referrersOf(differences, history, number).every(isLookOf(widget.number)),
  )
  return isBound && isOnlyLook ? inPlace : undefined
}

/** Lists of fields, annotations and kids, parents and structure elements. */
const namesField = ({ path }: Referrer): boolean =>
  /^$|(^|\.)(Fields|Kids|Annots|Parent|Obj)$/.test(path)

/** Numbers of the objects that filling in one field changed; undefined when more was changed. */
function filledObjects(
  differences: Differences,
  context: ModificationContext,
  { reference, type = '' }: FormField,
): number[] | undefined {
  const { before, after, changed } = differences
  if (!reference || !FILLED_TYPES.has(type)) return undefined
  const old = withWidget(before, reference)
  const current = withWidget(after, reference)
  if (!old || !current || old.widget.number !== current.widget.number) return undefined
  const { merged, widget } = current
  if (!differingKeys(old.merged, merged).every((key) => FILLED_KEYS.has(key))) return undefined
  if (!isDrawnAlike(after, merged) || !isShownInItsRectangle(after, merged)) return undefined
  const looks = changedLooks(differences, context, widget, merged.get('AP'))
  const objects = [...new Set([reference.number, widget.number])].filter((one) => changed.has(one))
  const haveOneRole = objects.every(
    (number) =>
      isDictionary(valueOf(before, number)) &&
      isDictionary(valueOf(after, number)) &&
      referrersOf(differences, context.history, number).every(namesField),
  )
  return looks && haveOneRole ? [...objects, ...looks] : undefined
}

/** Notes the fields that were filled in, and names those that a signature locks. */
export function judgeFilling(differences: Differences, context: ModificationContext): void {
  const { before, permitted, filled, refused } = differences
  const { docMdp, locks } = context.rules
  for (const field of readFields(before)) {
    const objects = filledObjects(differences, context, field) ?? []
    if (objects.length === 0) continue
    const isLocked = locks(field.name)
    if (isLocked || docMdp === 1) {
      refused.push(`${objects[0]}.${isLocked ? 'FieldMDP' : 'DocMDP'}`)
    }
    for (const number of objects) if (!permitted.has(number)) filled.set(number, field.name)
  }
}
