/**
 * Judges what content streams paint with: colour spaces, functions, images and fonts (ISO 32000-2,
 * 7.10, 8.6, 8.9 and 9.9).
 */
import {
  isArray,
  isInteger,
  type PdfDictionary,
  PdfStream,
  type PdfValue,
} from '../../pdf/values.ts'
import type { FaultCode } from '../faults.ts'
import { findFontFault } from '../fonts/judge.ts'
import { FAMILIES, readColourSpace, readProfile } from './colour-spaces.ts'
import { entriesOf, type GraphicsContext } from './context.ts'
import { isFunction, readFunction } from './functions.ts'
import { findImageFault } from './images.ts'
import { isKnownMesh } from './meshes.ts'
import { findResourceFault } from './resources.ts'

/**
 * Judges a value and all that it holds.
 *
 * @param value an object; other objects are followed only as parts of a colour space or an image
 * @returns undefined when every reader paints the same with it
 * @throws PadesError `LIMIT_EXCEEDED`
 */
export function findGraphicsFault(
  context: GraphicsContext,
  value: PdfValue,
): FaultCode | undefined {
  const open: PdfValue[] = [value]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (isArray(next)) {
      if (isColourSpace(context, next) && !readColourSpace(context, next)) return 'COLOURS_ODD'
      // Colorants can have the names of families.
      const isColorants = context.document.name(next[0]) === 'DeviceN'
      for (const [index, item] of next.entries()) if (!isColorants || index !== 1) open.push(item)
      continue
    }
    const entries = entriesOf(next)
    if (!entries) continue
    if (isFunction(context, next) && !readFunction(context, next)) return 'FUNCTION_ODD'
    if (!isKnownMesh(context, next)) return 'PATTERN_ODD'
    if (!hasKnownOutput(context, entries)) return 'COLOURS_ODD'
    const fault = findFontFault(context, entries) ?? findResourceFault(context, entries)
    if (fault) return fault
    for (const item of entries.values()) open.push(item)
  }
  const isImage =
    value instanceof PdfStream && context.document.name(value.dictionary.get('Subtype')) === 'Image'
  return isImage
    ? findImageFault(context, value.dictionary, () => context.document.decrypted(value))
    : undefined
}

/** Some readers paint all colours without a profile with that of the output (14.11.5). */
function hasKnownOutput(context: GraphicsContext, entries: PdfDictionary): boolean {
  const profile = context.document.resolve(entries.get('DestOutputProfile'))
  return profile === null || readProfile(context, entries.get('DestOutputProfile')) !== undefined
}

const PALETTE_LENGTH = 4

/** Some readers know the abbreviation of palettes in inline images outside of them, too. */
function isColourSpace({ document }: GraphicsContext, array: readonly PdfValue[]): boolean {
  const family = document.name(array[0]) ?? ''
  const isAbbreviated = family === 'I' && array.length === PALETTE_LENGTH
  return FAMILIES.has(family) || (isAbbreviated && isInteger(document.resolve(array[2])))
}
