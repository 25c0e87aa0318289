/**
 * Judges graphics states (ISO 32000-2, 8.4.5 and 11.6.5): readers that ignore an entry, or replace
 * an odd value, show what others hide.
 */
import { isArray, PdfStream, type PdfDictionary, type PdfValue } from '../../pdf/values.ts'
import { entriesOf, type GraphicsContext } from './context.ts'

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
    isKnownMask(context, entries.get('SMask'))
  )
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
    document.resolve(entries.get('G')) instanceof PdfStream &&
    isPlainTransfer(context, entries.get('TR'))
  )
}
