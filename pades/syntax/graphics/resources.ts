/**
 * Judges what resource dictionaries name (ISO 32000-2, 7.8.3): graphics states, default colour
 * spaces and external objects.
 */
import { PdfStream, type PdfDictionary, type PdfValue } from '../../pdf/values.ts'
import { BUILT_IN } from '../content-state.ts'
import type { FaultCode } from '../faults.ts'
import { readColourSpace } from './colour-spaces.ts'
import { entriesOf, type GraphicsContext } from './context.ts'
import { isShownMembership } from './layers.ts'
import { isKnownPattern, isKnownShading } from './patterns.ts'
import { isKnownState } from './states.ts'

/**
 * Families that may replace a device colour space (8.6.5.6). Some readers ignore the replacement:
 * an ink in place of grey makes black text white for the others.
 */
const DEFAULTS: Readonly<Record<string, readonly string[]>> = {
  DefaultGray: ['DeviceGray', 'CalGray', 'ICCBased'],
  DefaultRGB: ['DeviceRGB', 'CalRGB', 'ICCBased'],
  DefaultCMYK: ['DeviceCMYK', 'ICCBased'],
}
/** Content of another file, or in another language, which few readers show (8.8.2, 8.10.4). */
const REPLACED = ['OPI', 'PS', 'Ref', 'Subtype2'] as const

/**
 * Judges the resources that a dictionary has, and a membership of layers.
 *
 * @param entries any dictionary
 * @returns undefined when every reader paints the same with them
 * @throws PadesError `LIMIT_EXCEEDED`
 */
export function findResourceFault(
  context: GraphicsContext,
  entries: PdfDictionary,
): FaultCode | undefined {
  const { document } = context
  if (!isShownMembership(document, entries)) return 'LAYER_HIDDEN'
  if (!hasKnownStates(context, entries)) return 'STATE_ODD'
  if (!blendsAlike(context, entries)) return 'XOBJECT_ODD'
  // A reference to an odd object that no page draws is judged as well: it could be drawn.
  if (!everyEntry(context, entries, 'XObject', (value) => isDrawnByAll(context, value))) {
    return 'XOBJECT_ODD'
  }
  if (entries.has('PatternType') && !isKnownPattern(context, entries)) return 'PATTERN_ODD'
  if (entries.has('ShadingType') && !isKnownShading(context, entries)) return 'PATTERN_ODD'
  // The operator `sh` does not paint a background, but some readers do.
  const hasBackground = (value: PdfValue) => entriesOf(value)?.has('Background') === true
  if (!everyEntry(context, entries, 'Shading', (value) => !hasBackground(value))) {
    return 'PATTERN_ODD'
  }
  const spaces = entriesOf(document.resolve(entries.get('ColorSpace')))
  // Some readers take the resource for the colour space that has its name.
  for (const [name, value] of spaces ?? []) {
    if (BUILT_IN.has(name) && document.name(value) !== name) return 'COLOURS_ODD'
  }
  const areKnown = Object.entries(DEFAULTS).every(([key, families]) => {
    const value = spaces?.get(key)
    if (document.resolve(value) === null) return true
    return families.includes(readColourSpace(context, value)?.family ?? '')
  })
  return areKnown ? undefined : 'COLOURS_ODD'
}

function everyEntry(
  { document }: GraphicsContext,
  entries: PdfDictionary,
  key: string,
  isKnown: (value: PdfValue) => boolean,
): boolean {
  const resources = entriesOf(document.resolve(entries.get(key)))
  if (!resources) return true
  return [...resources.values()].every((value) => isKnown(document.resolve(value)))
}

/** A pattern has one state where resources name several (8.7.4). */
function hasKnownStates(context: GraphicsContext, entries: PdfDictionary): boolean {
  const isKnown = (value: PdfValue) => {
    const state = entriesOf(value)
    return state === undefined || isKnownState(context, state)
  }
  return entries.has('PatternType')
    ? isKnown(context.document.resolve(entries.get('ExtGState')))
    : everyEntry(context, entries, 'ExtGState', isKnown)
}

/** Ghostscript draws a form without a subtype; some readers run PostScript. */
function isDrawnByAll({ document }: GraphicsContext, value: PdfValue): boolean {
  if (!(value instanceof PdfStream)) return true
  const { dictionary } = value
  const subtype = document.name(dictionary.get('Subtype'))
  // Poppler and Ghostscript do not draw a form without its box.
  const isForm = subtype === 'Form' && document.array(dictionary.get('BBox')) !== undefined
  const isKnown = isForm || subtype === 'Image'
  return isKnown && REPLACED.every((key) => document.resolve(dictionary.get(key)) === null)
}

/** Ghostscript does not draw a form whose group has an unknown colour space. */
function blendsAlike(context: GraphicsContext, form: PdfDictionary): boolean {
  const { document } = context
  const space = document.dictionary(form.get('Group'))?.get('CS')
  return document.resolve(space) === null || readColourSpace(context, space) !== undefined
}
