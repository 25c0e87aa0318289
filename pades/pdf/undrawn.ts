/**
 * Finds annotations that viewers draw by rules of their own, because the document does not say what
 * they look like (ISO 32000-2, 12.5.5, 12.7.4.3).
 */
import { PadesError } from '../errors.ts'
import type { PdfDocument } from './document.ts'
import type { Page } from './page-tree.ts'
import { type PdfDictionary, PdfReference, PdfStream, type PdfValue } from './values.ts'
import { hasValue, inherited, isButton, isPushButton, isUntyped, stateOf } from './widget.ts'

/** An annotation that viewers draw by rules of their own. */
export interface UndrawnAnnotation {
  /** From 0; of the first page that shows it. */
  readonly pageIndex: number
  /** Absent for an annotation that is written into the page. */
  readonly reference?: PdfReference
  /** Whether it has an area: some viewers draw the appearance of one without. */
  readonly isShown: boolean
  /** PDF source of entries that change with its look; null removes an entry. */
  readonly entries: Readonly<Record<string, string | null>>
  /** Flags with which every viewer shows it, on the screen and printed. */
  readonly shownFlags: number
  /** Flags with which no viewer shows it. */
  readonly hiddenFlags: number
  /** Whether it has an appearance that some viewers show and others do not. */
  readonly isContested: boolean
  /** Whether viewers show it differently on the screen; otherwise it is not printed. */
  readonly isShownDifferently: boolean
  /** Name of the state of a check box or radio button, whose appearances are named by state. */
  readonly state?: string
  /** Names of the states, by the number of their appearance. */
  readonly looks: ReadonlyMap<number, string>
}

/** Flags of annotations (table 167). */
const INVISIBLE = 1
const HIDDEN = 2
const PRINT = 4
const NO_ROTATE = 16
const NO_VIEW = 32
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
  for (const [pageIndex, { dictionary, geometry }] of pages.entries()) {
    const isTurned = geometry.rotate !== 0
    for (const item of document.array(dictionary.get('Annots')) ?? []) {
      const reference = item instanceof PdfReference ? item : undefined
      if (reference && seen.has(reference.number)) continue
      if (reference) seen.add(reference.number)
      const annotation = document.dictionary(item)
      const found = annotation && describeUndrawn(document, annotation, { isRedrawn, isTurned })
      if (found) undrawn.push({ pageIndex, ...(reference && { reference }), ...found })
    }
  }
  return undrawn
}

/** Returns what is known of a visible annotation whose look each viewer decides. */
function describeUndrawn(
  document: PdfDocument,
  annotation: PdfDictionary,
  { isRedrawn, isTurned }: { isRedrawn: boolean; isTurned: boolean },
): Omit<UndrawnAnnotation, 'pageIndex' | 'reference'> | undefined {
  if (isHidden(document, annotation)) return undefined
  const isShown = hasArea(document, annotation)
  const isDrawn = isDrawnByViewers(document, annotation, isRedrawn)
  const isContested =
    isAppearanceContested(document, annotation) ||
    (isInLayer(document, annotation) && (isDrawn || hasLook(document, annotation)))
  const isShownDifferently = isShown
    ? isContested || isDrawn || isDrawnElsewhere(document, annotation, isTurned)
    : document.dictionary(annotation.get('AP')) !== undefined && !isBlankLook(document, annotation)
  if (!isShownDifferently && !isNotPrinted(document, annotation)) return undefined
  const state = stateOf(document, annotation)
  return {
    isShown,
    isContested,
    isShownDifferently,
    entries: entriesOf(document, annotation, isTurned),
    looks: looksOf(document, annotation),
    ...flagsOf(document, annotation, isTurned),
    ...(state !== undefined && { state }),
  }
}

const isHidden = (document: PdfDocument, annotation: PdfDictionary): boolean =>
  ((document.integer(annotation.get('F')) ?? 0) & HIDDEN) !== 0

/** PDFium and Ghostscript draw annotations of layers that are off (8.11.3.3). */
const isInLayer = (document: PdfDocument, annotation: PdfDictionary): boolean =>
  document.resolve(annotation.get('OC')) !== null

const WITHOUT_FRAME = { Border: '[0 0 0]', BS: null }
/**
 * Viewers draw a stamp as its appearance is. Some ignore a widget without a field, turn every note
 * back, or draw what a highlight marks.
 */
const AS_STAMP = { Subtype: '/Stamp' }

function entriesOf(document: PdfDocument, annotation: PdfDictionary, isTurned: boolean) {
  const subtype = document.name(annotation.get('Subtype'))
  if (subtype === 'Link') return WITHOUT_FRAME
  const isTurnedBack = isTurned && subtype === 'Text'
  const isStamp = isTurnedBack || subtype === 'Highlight' || isUntyped(document, annotation)
  return isStamp ? AS_STAMP : {}
}

function flagsOf(document: PdfDocument, annotation: PdfDictionary, isTurned: boolean) {
  const flags = document.integer(annotation.get('F')) ?? 0
  const unshown = INVISIBLE | NO_VIEW | (isTurned ? NO_ROTATE : 0)
  return {
    shownFlags: (flags | PRINT) & ~unshown,
    hiddenFlags: flags | HIDDEN,
  }
}

/**
 * Whether some viewers ignore the appearance, turn it back on a turned page, or draw the marked
 * area of a highlight in place of it, as Poppler does.
 */
function isDrawnElsewhere(
  document: PdfDocument,
  annotation: PdfDictionary,
  isTurned: boolean,
): boolean {
  const flags = document.integer(annotation.get('F')) ?? 0
  const subtype = document.name(annotation.get('Subtype'))
  const isIgnored = (flags & (INVISIBLE | NO_VIEW)) !== 0 || isUntyped(document, annotation)
  const isTurnedBack = isTurned && (subtype === 'Text' || (flags & NO_ROTATE) !== 0)
  return (isIgnored || isTurnedBack || subtype === 'Highlight') && hasLook(document, annotation)
}

/** Whether viewers show the appearance on the screen alone. */
const isNotPrinted = (document: PdfDocument, annotation: PdfDictionary): boolean =>
  ((document.integer(annotation.get('F')) ?? 0) & PRINT) === 0 && hasLook(document, annotation)

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

/** Kinds that some viewers never draw, whatever their appearance. */
const SELDOM_DRAWN: ReadonlySet<string | undefined> = new Set([
  undefined,
  'Link',
  'Movie',
  'Popup',
  'Sound',
])
/** Entries without which some viewers ignore the appearance. */
const REQUIRED_ENTRIES: Readonly<Record<string, string>> = {
  FileAttachment: 'FS',
  Polygon: 'Vertices',
  PolyLine: 'Vertices',
}

/** Whether there is an appearance that some viewers draw and others ignore, or cut off. */
function isAppearanceContested(document: PdfDocument, annotation: PdfDictionary): boolean {
  if (!hasLook(document, annotation)) return false
  const subtype = document.name(annotation.get('Subtype'))
  if (SELDOM_DRAWN.has(subtype)) return true
  const required = REQUIRED_ENTRIES[subtype ?? '']
  if (required !== undefined && document.resolve(annotation.get(required)) === null) return true
  if (subtype === 'Widget' && isFieldContested(document, annotation)) return true
  return normalLooks(document, annotation).some((look) => {
    if (!(look instanceof PdfStream)) return false
    const kind = document.name(look.dictionary.get('Subtype')) ?? 'Form'
    return kind !== 'Form' || !isCutAlike(document, look) || isInLayer(document, look.dictionary)
  })
}

/** The normal appearances: one, or one for each state. */
function normalLooks(document: PdfDocument, annotation: PdfDictionary): PdfValue[] {
  const normal = document.dictionary(annotation.get('AP'))?.get('N')
  const isStream = document.resolve(normal) instanceof PdfStream
  const looks = isStream ? [normal] : [...(document.dictionary(normal)?.values() ?? [])]
  return looks.map((look) => document.resolve(look))
}

function isBlankLook(document: PdfDocument, annotation: PdfDictionary): boolean {
  const looks = normalLooks(document, annotation)
  return (
    looks.length > 0 && looks.every((one) => one instanceof PdfStream && isBlank(document, one))
  )
}

/** Part of the greatest number of a matrix that is as good as zero. */
const ROUNDING = 0.001

/**
 * Whether all viewers cut an appearance off at its box (8.10.2). pdf.js cuts it off at the
 * rectangle of the annotation, which is larger when the box has no area or is turned by an angle.
 */
function isCutAlike(document: PdfDocument, look: PdfStream): boolean {
  const { dictionary } = look
  const [box, matrix] = ['BBox', 'Matrix'].map((key) =>
    document.array(dictionary.get(key))?.map((item) => document.resolve(item)),
  )
  if (box?.length !== 4) return false
  if (box[0] === box[2] || box[1] === box[3]) return isBlank(document, look)
  const [a = 0, b = 0, c = 0, d = 0] = (matrix ?? [1, 0, 0, 1]).map((item) =>
    Math.abs(Number(item)),
  )
  const least = Math.max(a, b, c, d) * ROUNDING
  return (a <= least && d <= least) || (b <= least && c <= least)
}

function isBlank(document: PdfDocument, stream: PdfStream): boolean {
  try {
    return document.decode(stream).toString('latin1').trim() === ''
  } catch (error) {
    if (error instanceof PadesError && error.code === 'DAMAGED') return false
    throw error
  }
}

/**
 * MuPDF draws a mark of its own in place of a field that is to be signed; PDFium wants appearances
 * of states for check boxes and radio buttons.
 */
function isFieldContested(document: PdfDocument, widget: PdfDictionary): boolean {
  const type = document.name(inherited(document, widget, 'FT'))
  if (type === 'Sig') return document.resolve(inherited(document, widget, 'V')) === null
  const normal = document.dictionary(widget.get('AP'))?.get('N')
  const hasStates = stateOf(document, widget) !== undefined
  return hasStates && document.resolve(normal) instanceof PdfStream
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
  if (isPainted || isPushButton(document, widget)) return isPainted
  return isRedrawn || (isUndrawn && hasValue(document, widget))
}

/** Empty for an appearance that is not chosen by state. */
function looksOf(document: PdfDocument, annotation: PdfDictionary): ReadonlyMap<number, string> {
  const normal = document.dictionary(annotation.get('AP'))?.get('N')
  const states = document.dictionary(normal)
  if (!states || document.resolve(normal) instanceof PdfStream) return new Map()
  return new Map(
    [...states].flatMap(([state, look]): [number, string][] =>
      look instanceof PdfReference ? [[look.number, state]] : [],
    ),
  )
}

const TEXT_MARKUP: ReadonlySet<string | undefined> = new Set([
  'Highlight',
  'Squiggly',
  'StrikeOut',
  'Underline',
])

/** Whether the normal appearance, or the one for the annotation's state, is a stream. */
function hasLook(document: PdfDocument, annotation: PdfDictionary): boolean {
  // Some viewers draw no text markup that marks nothing.
  const isMarkup = TEXT_MARKUP.has(document.name(annotation.get('Subtype')))
  if (isMarkup && !document.array(annotation.get('QuadPoints'))?.length) return false
  const normal = document.dictionary(annotation.get('AP'))?.get('N')
  if (document.resolve(normal) instanceof PdfStream) return true
  const states = document.dictionary(normal)
  const state = document.name(annotation.get('AS'))
  if (!states || state === undefined) return false
  // Only buttons are off; viewers draw other annotations that lack an appearance.
  const isOff = state === 'Off' && isButton(document, annotation)
  return isOff || document.resolve(states.get(state)) instanceof PdfStream
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
