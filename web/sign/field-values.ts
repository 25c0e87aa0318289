/** Shows the values of form fields that have no appearance, as other PDF programs do (12.7.4.3). */
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist'

/** `AnnotationMode` of pdf.js: appearances, and values of the storage. */
const ENABLE = 1
const ENABLE_STORAGE = 3

/** What pdf.js says of a widget, as far as it is used here. */
interface Widget {
  id: string
  fieldType?: string | null
  hasAppearance?: boolean
  combo?: boolean
  options?: readonly unknown[]
  fieldValue?: string | readonly string[] | null
  backgroundColor?: unknown
  borderColor?: unknown
}

/**
 * The value that a viewer has to draw; undefined when there is nothing to draw. Intake has the same
 * rule in `adapters/pdf-sandbox/undrawn-value.ts`.
 */
function undrawnValue(widget: Widget): string | readonly string[] | undefined {
  const { fieldType, hasAppearance, combo, options, fieldValue } = widget
  if (hasAppearance || (fieldType !== 'Tx' && fieldType !== 'Ch')) return undefined
  const isList = fieldType === 'Ch' && !combo
  if (isList) return options?.length && Array.isArray(fieldValue) ? fieldValue : undefined
  const value = (Array.isArray(fieldValue) ? fieldValue[0] : fieldValue) ?? ''
  return value === '' && !widget.backgroundColor && !widget.borderColor ? undefined : value
}

/**
 * Hands the values of a page's fields to pdf.js, which otherwise leaves fields without an
 * appearance empty.
 *
 * @returns the mode in which the page is rendered
 */
export async function provideFieldValues(
  { annotationStorage }: Pick<PDFDocumentProxy, 'annotationStorage'>,
  page: Pick<PDFPageProxy, 'getAnnotations'>,
): Promise<typeof ENABLE | typeof ENABLE_STORAGE> {
  let mode: typeof ENABLE | typeof ENABLE_STORAGE = ENABLE
  for (const widget of (await page.getAnnotations()) as Widget[]) {
    const value = undrawnValue(widget)
    if (value === undefined) continue
    annotationStorage.setValue(widget.id, { value })
    mode = ENABLE_STORAGE
  }
  return mode
}
