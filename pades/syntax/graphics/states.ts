/**
 * Judges graphics states (ISO 32000-2, 8.4.5 and 11.6.5): readers that ignore an entry, or replace
 * an odd value, show what others hide.
 */
import {
  isArray,
  isInteger,
  PdfStream,
  type PdfDictionary,
  type PdfValue,
} from '../../pdf/values.ts'
import { MOST_MITER_LIMIT } from '../content-values.ts'
import { areWithin } from './amounts.ts'
import { readColourSpace } from './colour-spaces.ts'
import { entriesOf, type GraphicsContext, readNumbers } from './context.ts'

/** Transfer functions: some readers ignore them, others turn black into white with them. */
const TRANSFERS = ['TR', 'TR2'] as const
const PLAIN_TRANSFERS: ReadonlySet<string | undefined> = new Set(['Identity', 'Default'])
const OPACITIES = ['ca', 'CA'] as const
const MASK_KINDS: ReadonlySet<string | undefined> = new Set(['Alpha', 'Luminosity'])

/** @returns whether every reader takes the entries of a graphics state alike */
export function isKnownState(context: GraphicsContext, entries: PdfDictionary): boolean {
  const { document } = context
  return (
    // PDFium does not take a font from a graphics state.
    document.resolve(entries.get('Font')) === null &&
    TRANSFERS.every((key) => isPlainTransfer(context, entries.get(key))) &&
    OPACITIES.every((key) => isOpacity(document.resolve(entries.get(key)))) &&
    isKnownMask(context, entries.get('SMask')) &&
    isKnownLine(context, entries) &&
    isKnownBlend(context, entries.get('BM'))
  )
}

/**
 * Modes that every reader knows, and whose result on white paper is the colour that is painted
 * (11.3.5): with others, PDFium blends with the paper. Poppler takes the lightness of another
 * colour for Luminosity.
 */
const KNOWN_MODES: ReadonlySet<string | undefined> = new Set([
  ...['Normal', 'Compatible', 'Multiply', 'Darken'],
])

/** Readers take the first mode of an array, or the first one that they know. */
function isKnownBlend({ document }: GraphicsContext, value: PdfValue | undefined): boolean {
  const mode = document.resolve(value)
  if (mode === null) return true
  const modes = isArray(mode) ? mode : [mode]
  return modes.length > 0 && modes.every((one) => KNOWN_MODES.has(document.name(one)))
}

/** Ends and corners of lines. */
const LINE_STYLES = ['LC', 'LJ'] as const
const MOST_STYLE = 2

/** As the operators `w`, `J`, `j`, `M` and `d`, which have the same values. */
function isKnownLine(context: GraphicsContext, entries: PdfDictionary): boolean {
  const { document } = context
  const [width, limit] = ['LW', 'ML'].map((key) => document.resolve(entries.get(key)))
  const isStyle = (value: PdfValue) =>
    value === null || (isInteger(value) && value >= 0 && value <= MOST_STYLE)
  return (
    (width === null || (typeof width === 'number' && width >= 0)) &&
    (limit === null || (typeof limit === 'number' && limit > 0 && limit <= MOST_MITER_LIMIT)) &&
    LINE_STYLES.every((key) => isStyle(document.resolve(entries.get(key)))) &&
    isKnownDash(context, document.resolve(entries.get('D')))
  )
}

function isKnownDash(context: GraphicsContext, value: PdfValue): boolean {
  if (value === null) return true
  const lengths = isArray(value) ? readNumbers(context, value[0]) : undefined
  if (!lengths) return false
  const phase = isArray(value) ? context.document.resolve(value[1]) : null
  if (typeof phase !== 'number' || phase < 0) return false
  const isDrawn = lengths.length === 0 || lengths.some((length) => length > 0)
  return isDrawn && lengths.every((length) => length >= 0)
}

function isPlainTransfer({ document }: GraphicsContext, value: PdfValue | undefined): boolean {
  const resolved = document.resolve(value)
  if (resolved === null) return true
  const parts = isArray(resolved) ? resolved : [resolved]
  return parts.every((part) => PLAIN_TRANSFERS.has(document.name(part)))
}

const isOpacity = (value: PdfValue): boolean =>
  value === null || (typeof value === 'number' && value >= 0 && value <= 1)

/** Without its kind, a mask is ignored by some readers; MuPDF ignores its transfer function. */
function isKnownMask(context: GraphicsContext, value: PdfValue | undefined): boolean {
  const { document } = context
  const mask = document.resolve(value)
  if (mask === null || document.name(mask) === 'None') return true
  const entries = entriesOf(mask)
  return (
    entries !== undefined &&
    MASK_KINDS.has(document.name(entries.get('S'))) &&
    hasKnownGroup(context, entries) &&
    hasKnownBackground(context, entries) &&
    document.resolve(entries.get('G')) instanceof PdfStream &&
    isPlainTransfer(context, entries.get('TR'))
  )
}

/** Readers mask with a form that is not a group differently, and guess its colour space. */
function hasKnownGroup(context: GraphicsContext, mask: PdfDictionary): boolean {
  const { document } = context
  const form = entriesOf(document.resolve(mask.get('G')))
  const group = document.dictionary(form?.get('Group'))
  const isGroup = document.name(group?.get('S')) === 'Transparency'
  const [left = 0, bottom = 0, right = 0, top = 0] = readNumbers(context, form?.get('BBox')) ?? []
  // With an empty mask, pdf.js shows what others hide.
  if (left === right || bottom === top) return false
  const isAlpha = document.name(mask.get('S')) === 'Alpha'
  return isGroup && (isAlpha || readColourSpace(context, group?.get('CS')) !== undefined)
}

/** Without a colour space of the group, MuPDF and Ghostscript ignore the background of a mask. */
function hasKnownBackground(context: GraphicsContext, mask: PdfDictionary): boolean {
  const { document } = context
  if (!mask.has('BC')) return true
  const form = entriesOf(document.resolve(mask.get('G')))
  const group = document.dictionary(form?.get('Group'))
  const space = readColourSpace(context, group?.get('CS'))
  return space !== undefined && areWithin(readNumbers(context, mask.get('BC')) ?? [], space.ranges)
}
