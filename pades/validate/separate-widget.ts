/** Signature fields whose widget is an object of its own (ISO 32000-2, 12.7.4.1, 12.5.6.19). */

import type { PdfDocument } from '../pdf/document.ts'
import { PdfReference } from '../pdf/values.ts'
import type { PdfDictionary } from '../pdf/values.ts'

/** A field and the widget that shows it. */
export interface FieldWithWidget {
  /** The entries of both, as if they were one object. */
  readonly merged: PdfDictionary
  readonly widget: PdfReference
}

/** Entries of a field that its widget does not have. */
const FIELD_ONLY: ReadonlySet<string> = new Set(['FT', 'T', 'TU', 'TM', 'V', 'Ff', 'Lock', 'SV'])

/** Entries that only bind the two together. */
const BINDING: ReadonlySet<string> = new Set(['Kids', 'Parent'])

/**
 * Puts a field and its only widget together; a field without kids is its own widget.
 *
 * @param reference to the field
 * @returns undefined when the field has other kids, or both have the same entry
 */
export function withWidget(
  document: PdfDocument,
  reference: PdfReference,
): FieldWithWidget | undefined {
  const field = document.dictionary(reference)
  if (!field) return undefined
  const kids = document.array(field.get('Kids')) ?? []
  if (kids.length === 0) return { merged: field, widget: reference }
  const [widget] = kids
  const dictionary =
    kids.length === 1 && widget instanceof PdfReference && document.dictionary(widget)
  if (!dictionary || document.name(dictionary.get('Subtype')) !== 'Widget') return undefined
  const parent = dictionary.get('Parent')
  if (!(parent instanceof PdfReference) || parent.number !== reference.number) return undefined
  const own = [...field].filter(([key]) => !BINDING.has(key))
  const shown = [...dictionary].filter(([key]) => !BINDING.has(key))
  const isMixed = shown.some(([key]) => FIELD_ONLY.has(key) || (field.has(key) && key !== 'Type'))
  if (isMixed || dictionary.has('Kids')) return undefined
  return { merged: new Map([...own, ...shown]), widget: widget as PdfReference }
}
