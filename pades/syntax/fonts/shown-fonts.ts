/** Judges the fonts whose glyphs a document shows (ISO 32000-2, 9.6 and 9.7). */
import type { FaultCode } from '../faults.ts'
import type { GraphicsContext } from '../graphics/context.ts'
import { isKnownComposite } from './composite-fonts.ts'
import type { ShownCodes } from './shown-codes.ts'
import { isKnownSimple } from './simple-fonts.ts'

/** @returns undefined when every reader shows the same glyphs at the same places */
export function findShownFontFault(
  context: GraphicsContext,
  shown: ShownCodes,
): FaultCode | undefined {
  const areKnown = shown.fonts.every(({ font, kind, codes, isOdd }) => {
    if (isOdd) return false
    if (kind === 'composite') return isKnownComposite(context, font, codes)
    return kind === 'glyphs' || isKnownSimple(context, font, codes)
  })
  return areKnown ? undefined : 'FONT_ODD'
}
