/**
 * Judges signature fields that later revisions added or filled (ISO 32000-2, 12.7.5.5, 12.5.6.19).
 */

import { type FormField, readFields, textOf } from '../pdf/acro-form.ts'
import type { PdfDocument } from '../pdf/document.ts'
import type { Rectangle } from '../pdf/page-tree.ts'
import { isDictionary, isInteger, PdfReference, PdfStream } from '../pdf/values.ts'
import type { PdfDictionary, PdfValue } from '../pdf/values.ts'
import { staysInItsBox } from './appearance-bounds.ts'
import { differingKeys } from './compare-values.ts'
import { withWidget } from './separate-widget.ts'
import type { FoundSignature } from './signature-fields.ts'

/** A signature field that came or was filled later, in a way that harms nothing. */
export interface FieldVerdict {
  readonly fieldName: string
  readonly isNew: boolean
  readonly isDocumentTimeStamp: boolean
  /** Numbers of its widgets. */
  readonly widgets: readonly number[]
}

/** What a new signature field may have; nothing that acts, and no parent of other fields. */
const FIELD_KEYS: ReadonlySet<string> = new Set([
  'Type',
  'Subtype',
  'FT',
  'T',
  'TU',
  'TM',
  'V',
  'F',
  'Ff',
  'P',
  'Rect',
  'AP',
  'MK',
  'BS',
  'Border',
  'Lock',
  'SV',
  'DA',
  'Q',
  'M',
  'NM',
  'Lang',
  'StructParent',
])

/** What filling a field may set. */
const FILLED_KEYS: ReadonlySet<string> = new Set(['V', 'AP', 'M'])

/** Locked and LockedContents (table 167): what people may do to the widget, not how it looks. */
const FLAGS_THAT_LOCK = 128 + 512

/** What later revisions may put into a field. */
export interface Newcomers {
  /** Numbers of objects that came later. */
  readonly added: ReadonlySet<number>
  /** Signatures whose bytes and values are right, by the number of their dictionary's object. */
  readonly intact: ReadonlyMap<number, FoundSignature>
}

/** The signature of a field, if it came later and its bytes and value are right. */
function signatureOf(
  document: PdfDocument,
  field: PdfDictionary,
  { added, intact }: Newcomers,
): FoundSignature | undefined {
  const value = field.get('V')
  // A stream would be a signature and something to be painted.
  if (!isDictionary(document.resolve(value))) return undefined
  const isNew = value instanceof PdfReference && added.has(value.number)
  return isNew ? intact.get(value.number) : undefined
}

/** A stream that is drawn within its box, or that draws nothing. */
function isBoundForm(document: PdfDocument, value: PdfValue): boolean {
  const form = document.resolve(value)
  return form instanceof PdfStream && (staysInItsBox(document, form) || isEmptyForm(document, form))
}

/** Whether an appearance is forms only: `/N` and the like are streams. */
function isAppearance(document: PdfDocument, value: PdfValue | undefined): boolean {
  if (value === undefined) return true
  const appearance = document.resolve(value)
  return (
    isDictionary(appearance) &&
    [...appearance.values()].every((entry) => isBoundForm(document, entry))
  )
}

/** NoZoom, NoRotate and ToggleNoView (table 167): the widget is then drawn beside its rectangle. */
const FLAGS_THAT_MOVE = 8 + 16 + 256

/** Whether no flag moves the widget away from its rectangle. */
export function isShownInItsRectangle(document: PdfDocument, field: PdfDictionary): boolean {
  const flags = document.integer(field.get('F')) ?? 0
  return (flags & FLAGS_THAT_MOVE) === 0
}

/**
 * Whether a widget shows nothing in any reader: it has no size, and nothing from which a reader
 * makes an appearance. An appearance without content is what some producers write for that.
 */
function paintsNothing(document: PdfDocument, field: PdfDictionary): boolean {
  const rectangle = rectangleOf(document, field)
  if (!rectangle) return false
  const [left, bottom, right, top] = rectangle
  const hasNoSize = left === right && bottom === top
  return hasNoSize && hasNoLook(document, field) && hasNoContent(document, field)
}

/** Whether every reader maps the appearance to the same rectangle, or there is nothing to map. */
export function isDrawnAlike(document: PdfDocument, field: PdfDictionary): boolean {
  const rectangle = rectangleOf(document, field)
  if (!rectangle) return false
  const [left, bottom, right, top] = rectangle
  if (left < right && bottom < top) return true
  return hasNoContent(document, field) && hasNoLook(document, field)
}

/** Whether no reader makes an appearance of a background or a border. */
function hasNoLook(document: PdfDocument, field: PdfDictionary): boolean {
  const isPlain = !field.has('MK') || document.dictionary(field.get('MK'))?.size === 0
  return isPlain && !field.has('BS') && !field.has('Border')
}

function hasNoContent(document: PdfDocument, field: PdfDictionary): boolean {
  const appearance = document.dictionary(field.get('AP')) ?? new Map<string, PdfValue>()
  return [...appearance.values()].every((entry) => isEmptyForm(document, entry))
}

function isEmptyForm(document: PdfDocument, value: PdfValue): boolean {
  const form = document.resolve(value)
  return form instanceof PdfStream && document.decode(form).toString('latin1').trim() === ''
}

/**
 * A field that was added; undefined when it is not harmless: no signature field, one that shows
 * something and is not signed, one with actions, or one on top of a field that was there.
 *
 * @param shownOn numbers of the pages whose annotations list an object, by its number
 */
export function judgeNewField(
  before: PdfDocument,
  after: PdfDocument,
  number: number,
  newcomers: Newcomers,
  shownOn: ReadonlyMap<number, readonly number[]>,
): FieldVerdict | undefined {
  const both = withWidget(after, new PdfReference(number, 0))
  if (!both || !newcomers.added.has(both.widget.number)) return undefined
  const { merged: field, widget } = both
  const pages = shownOn.get(widget.number) ?? []
  // A field that is on a page is its own widget.
  if (widget.number !== number && shownOn.has(number)) return undefined
  const fieldName = textOf(after.resolve(field.get('T')))
  if (!fieldName || !isPlainSignatureField(after, field)) return undefined
  const signature = signatureOf(after, field, newcomers)
  if (!signature && field.has('V')) return undefined
  const isSeen = signature !== undefined && !signature.isDocumentTimeStamp
  const isHarmless = isSeen
    ? pages.length <= 1 && isDrawnAlike(after, field) && !covers(before, after, field, pages)
    : paintsNothing(after, field)
  if (!isHarmless) return undefined
  return {
    fieldName,
    isNew: true,
    isDocumentTimeStamp: signature?.isDocumentTimeStamp ?? false,
    widgets: [widget.number],
  }
}

/**
 * Whether it is a signature field that has nothing but what such fields need, where every reader
 * shows it.
 */
function isPlainSignatureField(document: PdfDocument, field: PdfDictionary): boolean {
  const isEmpty = (key: string) => document.dictionary(field.get(key))?.size === 0
  return (
    document.name(field.get('FT')) === 'Sig' &&
    // Some producers write default resources, of nothing.
    [...field.keys()].every((key) => FIELD_KEYS.has(key) || (key === 'DR' && isEmpty(key))) &&
    (!field.has('Subtype') || document.name(field.get('Subtype')) === 'Widget') &&
    (!field.has('StructParent') || isInteger(field.get('StructParent'))) &&
    isAppearance(document, field.get('AP')) &&
    isShownInItsRectangle(document, field)
  )
}

/** Whether the flags differ in nothing but what people may do to the widget. */
function onlyLocks(old: PdfDictionary, field: PdfDictionary): boolean {
  const [before, after] = [old.get('F') ?? 0, field.get('F') ?? 0]
  if (!Number.isInteger(before) || !Number.isInteger(after)) return false
  return ((Number(before) ^ Number(after)) & ~FLAGS_THAT_LOCK) === 0
}

/**
 * A field that was there and got its signature; undefined when more than that was done to it.
 *
 * @param field as it was before, wherever it is in the hierarchy of fields
 */
export function judgeFilledField(
  before: PdfDocument,
  after: PdfDocument,
  { reference, name, type, value }: FormField,
  newcomers: Newcomers,
): FieldVerdict | undefined {
  const old = reference && withWidget(before, reference)
  const current = reference && withWidget(after, reference)
  if (!old || !current || old.widget.number !== current.widget.number) return undefined
  if (type !== 'Sig' || value !== undefined || name === '') return undefined
  const field = current.merged
  const isTyped = !old.merged.has('Type') && after.name(field.get('Type')) === 'Annot'
  const isFilling = (key: string) =>
    FILLED_KEYS.has(key) ||
    (key === 'Type' && isTyped) ||
    (key === 'F' && onlyLocks(old.merged, field))
  if (!differingKeys(old.merged, field).every(isFilling)) return undefined
  const signature = signatureOf(after, field, newcomers)
  if (!signature || !isAppearance(after, field.get('AP'))) return undefined
  const isAlike = signature.isDocumentTimeStamp
    ? paintsNothing(after, field)
    : isDrawnAlike(after, field) && isShownInItsRectangle(after, field)
  if (!isAlike) return undefined
  return {
    fieldName: name,
    isNew: false,
    isDocumentTimeStamp: signature.isDocumentTimeStamp,
    widgets: [current.widget.number],
  }
}

function rectangleOf(document: PdfDocument, field: PdfDictionary): Rectangle | undefined {
  const items = (document.array(field.get('Rect')) ?? []).map((item) => document.resolve(item))
  const [a, b, c, d] = items.map((item) => (typeof item === 'number' ? item : Number.NaN))
  if (items.length !== 4 || [a, b, c, d].some(Number.isNaN)) return undefined
  return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)]
}

/** The widgets of a field, which may be the field itself (12.7.4.1). */
function widgetsOf(document: PdfDocument, { dictionary }: FormField): PdfDictionary[] {
  const kids = document.array(dictionary.get('Kids')) ?? []
  return [dictionary, ...kids.flatMap((kid) => document.dictionary(kid) ?? [])]
}

/**
 * Whether a new widget lies on one of a field that was there; edges may touch.
 *
 * @param pages numbers of the pages that show the new widget: `/P` may say otherwise
 */
function covers(
  before: PdfDocument,
  after: PdfDocument,
  field: PdfDictionary,
  pages: readonly number[],
): boolean {
  const own = rectangleOf(after, field)
  if (!own || own[0] === own[2] || own[1] === own[3]) return false
  return readFields(before)
    .flatMap((old) => widgetsOf(before, old))
    .some((dictionary) => {
      const other = rectangleOf(before, dictionary)
      const otherPage = dictionary.get('P')
      const isApart = otherPage instanceof PdfReference && !pages.includes(otherPage.number)
      return (
        other !== undefined &&
        !isApart &&
        own[0] < other[2] &&
        other[0] < own[2] &&
        own[1] < other[3] &&
        other[1] < own[3]
      )
    })
}
