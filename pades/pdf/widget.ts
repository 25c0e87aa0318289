/** Reads what the field of a widget says: its type, its value and its state (ISO 32000-2, 12.7). */
import type { PdfDocument } from './document.ts'
import { MAX_DEPTH } from './limits.ts'
import type { PdfDictionary, PdfValue } from './values.ts'

/** Flags of fields (tables 229 and 233). */
const PUSH_BUTTON = 1 << 16
const COMBO = 1 << 17

/** Returns the value of an entry of a field, or of the nearest field above it. */
export function inherited(document: PdfDocument, widget: PdfDictionary, key: string): PdfValue {
  let field: PdfDictionary | undefined = widget
  for (let depth = 0; field && depth < MAX_DEPTH; depth += 1) {
    const value = field.get(key)
    if (value !== undefined) return value
    field = document.dictionary(field.get('Parent'))
  }
  return null
}

/** Whether the annotation is a widget without the type of a field. */
export const isUntyped = (document: PdfDocument, annotation: PdfDictionary): boolean =>
  document.name(annotation.get('Subtype')) === 'Widget' &&
  document.name(inherited(document, annotation, 'FT')) === undefined

/** Whether the annotation is the widget of a button: a push button, check box or radio button. */
export const isButton = (document: PdfDocument, annotation: PdfDictionary): boolean =>
  document.name(annotation.get('Subtype')) === 'Widget' &&
  document.name(inherited(document, annotation, 'FT')) === 'Btn'

/** Whether a field of buttons is a push button, which has no value. */
export const isPushButton = (document: PdfDocument, widget: PdfDictionary): boolean =>
  ((document.integer(inherited(document, widget, 'Ff')) ?? 0) & PUSH_BUTTON) !== 0

/** Returns the name of the state of a check box or radio button. */
export function stateOf(document: PdfDocument, widget: PdfDictionary): string | undefined {
  if (document.name(inherited(document, widget, 'FT')) !== 'Btn') return undefined
  if (isPushButton(document, widget)) return undefined
  return document.name(widget.get('AS')) ?? document.name(inherited(document, widget, 'V')) ?? 'Off'
}

/** Whether viewers show a value, a chosen state or a list of options. */
export function hasValue(document: PdfDocument, widget: PdfDictionary): boolean {
  const isSwitch = isButton(document, widget)
  const state = isSwitch ? document.name(widget.get('AS')) : undefined
  if (state !== undefined) return state !== 'Off'
  // pdf.js shows the default value where there is no other.
  const values = ['V', 'DV'].map((key) => document.resolve(inherited(document, widget, key)))
  const value = values.find((one) => one !== null)
  // Viewers list the options of a list box without a value.
  return value === undefined
    ? isList(document, widget)
    : !isSwitch || document.name(value) !== 'Off'
}

function isList(document: PdfDocument, widget: PdfDictionary): boolean {
  if (document.name(inherited(document, widget, 'FT')) !== 'Ch') return false
  const flags = document.integer(inherited(document, widget, 'Ff')) ?? 0
  return (flags & COMBO) === 0 && document.array(inherited(document, widget, 'Opt')) !== undefined
}
