/**
 * Finds annotations that viewers draw by rules of their own, because the document does not say what
 * they look like (ISO 32000-2, 12.5.5, 12.7.4.3).
 */
import type { PdfDocument } from './document.ts'
import { MAX_DEPTH } from './limits.ts'
import type { Page } from './page-tree.ts'
import { type PdfDictionary, PdfReference, PdfStream, type PdfValue } from './values.ts'

/** An annotation that viewers draw by rules of their own. */
export interface UndrawnAnnotation {
  /** From 0; of the first page that shows it. */
  readonly pageIndex: number
  /** Absent for an annotation that is written into the page. */
  readonly reference?: PdfReference
  /** Whether it has an area: some viewers draw the appearance of one without. */
  readonly isShown: boolean
  /** Whether it is the frame of a link that viewers draw differently. */
  readonly isFrame: boolean
  /** Whether it has an appearance that some viewers show and others do not. */
  readonly isContested: boolean
  /** Name of the state of a check box or radio button, whose appearances are named by state. */
  readonly state?: string
}

/** Table 167. */
const HIDDEN = 2
/** Table 229. */
const PUSH_BUTTON = 1 << 16
/** Points. Viewers frame links by rules of their own; such a frame is too thin to hide anything. */
const THIN_BORDER = 3
/** Entries of the appearance characteristics that are painted (table 192). */
const PAINTED_CHARACTERISTICS = ['BG', 'BC', 'CA', 'I']

/**
 * Finds the annotations of a document that are visible, and whose look each viewer decides.
 *
 * @param pages of the document
 * @param isRedrawn whether viewers draw the values of fields anew (`NeedAppearances`, 12.7.3)
 * @returns each annotation once, in the order of the pages
 */
export function undrawnAnnotations(
  document: PdfDocument,
  pages: readonly Page[],
  isRedrawn = false,
): UndrawnAnnotation[] {
  const undrawn: UndrawnAnnotation[] = []
  const seen = new Set<number>()
  for (const [pageIndex, { dictionary }] of pages.entries()) {
    for (const item of document.array(dictionary.get('Annots')) ?? []) {
      const reference = item instanceof PdfReference ? item : undefined
      if (reference && seen.has(reference.number)) continue
      if (reference) seen.add(reference.number)
      const annotation = document.dictionary(item)
      if (!annotation || isHidden(document, annotation)) continue
      const isShown = hasArea(document, annotation)
      const isFrame = document.name(annotation.get('Subtype')) === 'Link'
      const isContested = isAppearanceContested(document, annotation)
      const isUndrawn = isShown
        ? isContested || isDrawnByViewers(document, annotation, isRedrawn)
        : document.dictionary(annotation.get('AP')) !== undefined
      if (isUndrawn) {
        const state = stateOf(document, annotation)
        const named = { ...(reference && { reference }), ...(state !== undefined && { state }) }
        undrawn.push({ pageIndex, isShown, isFrame, isContested, ...named })
      }
    }
  }
  return undrawn
}

const isHidden = (document: PdfDocument, annotation: PdfDictionary): boolean =>
  ((document.integer(annotation.get('F')) ?? 0) & HIDDEN) !== 0

function hasArea(document: PdfDocument, annotation: PdfDictionary): boolean {
  const corners = (document.array(annotation.get('Rect')) ?? []).map((one) => document.resolve(one))
  return corners[0] !== corners[2] && corners[1] !== corners[3]
}

function isDrawnByViewers(
  document: PdfDocument,
  annotation: PdfDictionary,
  isRedrawn: boolean,
): boolean {
  // Some viewers take another appearance where the normal one is missing.
  const isIncomplete = document.dictionary(annotation.get('AP')) && !hasLook(document, annotation)
  if (isIncomplete) return true
  switch (document.name(annotation.get('Subtype'))) {
    case 'Popup':
      return false
    case 'Widget':
      return isUndrawnWidget(document, annotation, isRedrawn)
    case 'Link':
      return borderWidth(document, annotation) > THIN_BORDER
    default:
      return !hasLook(document, annotation)
  }
}

/**
 * Some viewers never draw a pop-up window. MuPDF draws a mark of its own in place of a field that
 * is to be signed. An appearance that lacks its box is cut off differently (8.10.2).
 */
function isAppearanceContested(document: PdfDocument, annotation: PdfDictionary): boolean {
  if (!hasLook(document, annotation)) return false
  const subtype = document.name(annotation.get('Subtype'))
  if (subtype === 'Popup') return true
  const isField =
    subtype === 'Widget' && document.name(inherited(document, annotation, 'FT')) === 'Sig'
  if (isField && document.resolve(inherited(document, annotation, 'V')) === null) return true
  const normal = document.dictionary(annotation.get('AP'))?.get('N')
  const isStream = document.resolve(normal) instanceof PdfStream
  const looks = isStream ? [normal] : [...(document.dictionary(normal)?.values() ?? [])]
  return looks
    .map((look) => document.resolve(look))
    .some((look) => {
      if (!(look instanceof PdfStream)) return false
      const box = document.array(look.dictionary.get('BBox'))
      return document.name(look.dictionary.get('Subtype')) !== 'Form' || box?.length !== 4
    })
}

function isUndrawnWidget(
  document: PdfDocument,
  widget: PdfDictionary,
  isRedrawn: boolean,
): boolean {
  const type = document.name(inherited(document, widget, 'FT'))
  const isUndrawn = !hasLook(document, widget)
  const isPainted = isUndrawn && paintsFrame(document, widget)
  if (type === 'Tx' || type === 'Ch') {
    return isRedrawn || isPainted || (isUndrawn && hasValue(document, widget))
  }
  if (type !== 'Btn') return isPainted
  const flags = document.integer(inherited(document, widget, 'Ff')) ?? 0
  const isPushButton = (flags & PUSH_BUTTON) !== 0
  return isPainted || (!isPushButton && (isRedrawn || (isUndrawn && hasValue(document, widget))))
}

function stateOf(document: PdfDocument, widget: PdfDictionary): string | undefined {
  if (document.name(inherited(document, widget, 'FT')) !== 'Btn') return undefined
  const flags = document.integer(inherited(document, widget, 'Ff')) ?? 0
  if ((flags & PUSH_BUTTON) !== 0) return undefined
  return document.name(widget.get('AS')) ?? document.name(inherited(document, widget, 'V')) ?? 'Off'
}

/** Whether the normal appearance, or the one for the annotation's state, is a stream. */
function hasLook(document: PdfDocument, annotation: PdfDictionary): boolean {
  const normal = document.dictionary(annotation.get('AP'))?.get('N')
  if (document.resolve(normal) instanceof PdfStream) return true
  const states = document.dictionary(normal)
  const state = document.name(annotation.get('AS'))
  if (!states || state === undefined) return false
  return state === 'Off' || document.resolve(states.get(state)) instanceof PdfStream
}

function paintsFrame(document: PdfDocument, widget: PdfDictionary): boolean {
  const characteristics = document.dictionary(widget.get('MK'))
  const isPainted = PAINTED_CHARACTERISTICS.some((key) => characteristics?.has(key))
  return isPainted || borderWidth(document, widget) > THIN_BORDER
}

/** Points; of the border style, else of the border (12.5.4). */
function borderWidth(document: PdfDocument, annotation: PdfDictionary): number {
  const style = document.dictionary(annotation.get('BS'))
  const border = document.array(annotation.get('Border'))
  const widths = [style?.get('W'), border?.[2]].map((width) => document.resolve(width))
  return Math.max(0, ...widths.filter((width) => typeof width === 'number').map(Math.abs))
}

function hasValue(document: PdfDocument, widget: PdfDictionary): boolean {
  const state = document.name(widget.get('AS'))
  if (state !== undefined) return state !== 'Off'
  const value = document.resolve(inherited(document, widget, 'V'))
  return value !== null && document.name(value) !== 'Off'
}

/** The value of an entry of a field, or of the nearest field above it. */
function inherited(document: PdfDocument, widget: PdfDictionary, key: string): PdfValue {
  let field: PdfDictionary | undefined = widget
  for (let depth = 0; field && depth < MAX_DEPTH; depth += 1) {
    const value = field.get(key)
    if (value !== undefined) return value
    field = document.dictionary(field.get('Parent'))
  }
  return null
}
