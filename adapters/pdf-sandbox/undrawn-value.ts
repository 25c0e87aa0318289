/** Decides which fields without an appearance get their value drawn (ISO 32000-2, 12.7.4.3). */

/** What pdf.js says of a widget, as far as it is used here. */
export interface FieldData {
  readonly id?: string
  readonly fieldType?: string | null
  readonly hasAppearance?: boolean
  readonly combo?: boolean
  readonly options?: readonly unknown[]
  readonly fieldValue?: string | readonly string[] | null
  readonly backgroundColor?: unknown
  readonly borderColor?: unknown
}

/** Values by the id of the widget, as the storage of pdf.js has them. */
export type FieldValues = ReadonlyMap<string, { readonly value: string | readonly string[] }>

/**
 * The value that a viewer has to draw; undefined when there is nothing to draw. The signing page
 * has the same rule in `web/sign/field-values.ts`, and a test compares both.
 */
function undrawnValue(field: FieldData): string | readonly string[] | undefined {
  const { fieldType, hasAppearance, combo, options, fieldValue } = field
  if (hasAppearance || (fieldType !== 'Tx' && fieldType !== 'Ch')) return undefined
  const isList = fieldType === 'Ch' && !combo
  if (isList) return options?.length && Array.isArray(fieldValue) ? fieldValue : undefined
  const value = (Array.isArray(fieldValue) ? fieldValue[0] : fieldValue) ?? ''
  return value === '' && !field.backgroundColor && !field.borderColor ? undefined : value
}

/** What pdf.js gets so that it draws the field as the signing page does; null for nothing. */
export function valuesFor(field: FieldData): FieldValues | null {
  const value = undrawnValue(field)
  return value === undefined || field.id === undefined ? null : new Map([[field.id, { value }]])
}

/**
 * Whether pdf.js fails to draw the field anew (`NeedAppearances`), and shows nothing: it expects
 * one value of a combo box.
 */
export function isDrawnEmpty({ fieldType, combo, fieldValue }: FieldData): boolean {
  return fieldType === 'Ch' && combo === true && fieldValue?.length !== 1
}
