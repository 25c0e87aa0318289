/**
 * Judges patterns and shadings (ISO 32000-2, 8.7): readers repair odd ones in different ways, paint
 * nothing, or stop.
 */
import { isArray, type PdfDictionary, type PdfValue } from '../../pdf/values.ts'
import { areWithin, fits, type Interval } from './amounts.ts'
import { type ColourSpace, readColourSpace } from './colour-spaces.ts'
import { type GraphicsContext, readNumbers } from './context.ts'
import { readFunction } from './functions.ts'

const TILING = 1
const [FUNCTION_BASED, AXIAL, RADIAL] = [1, 2, 3]
const TYPES = 7
const PAINT_TYPES = [1, 2]
const TILING_TYPES = [1, 2, 3]
/** Readers draw so many cells on a cell's own area at most. */
const MOST_OVERLAPS = 1_000
/** Numbers of `Decode` for the place of a corner of a mesh. */
const COORDINATES_OF_CORNER = 4
/** Numbers of `Coords`. */
const COORDINATES: Readonly<Record<number, number>> = { [AXIAL]: 4, [RADIAL]: 6 }

/** @returns whether every reader paints the same with a pattern */
export function isKnownPattern(context: GraphicsContext, entries: PdfDictionary): boolean {
  const { document } = context
  const [a = 1, b = 0, c = 0, d = 1] = readNumbers(context, entries.get('Matrix')) ?? []
  if (a * d === b * c) return false
  if (document.integer(entries.get('PatternType')) !== TILING) return true
  return (
    PAINT_TYPES.includes(document.integer(entries.get('PaintType')) ?? 0) &&
    TILING_TYPES.includes(document.integer(entries.get('TilingType')) ?? 0) &&
    hasCells(context, entries)
  )
}

/** Whether a pattern has cells with an area, at distances of their order of magnitude. */
function hasCells(context: GraphicsContext, entries: PdfDictionary): boolean {
  const [left = 0, bottom = 0, right = 0, top = 0] = readNumbers(context, entries.get('BBox')) ?? []
  const sides = [Math.abs(right - left), Math.abs(top - bottom)]
  const steps = ['XStep', 'YStep'].map((key) => context.document.resolve(entries.get(key)))
  return sides.every((side, index) => {
    const step = steps[index]
    return side > 0 && typeof step === 'number' && Math.abs(step) * MOST_OVERLAPS >= side
  })
}

/** @returns whether every reader paints the same with a shading */
export function isKnownShading(context: GraphicsContext, entries: PdfDictionary): boolean {
  const { document } = context
  const type = document.integer(entries.get('ShadingType')) ?? 0
  if (type < 1 || type > TYPES) return false
  const space = readColourSpace(context, entries.get('ColorSpace'))
  if (!space || !hasKnownColours(context, entries, space, type)) return false
  if (type === FUNCTION_BASED) return document.resolve(entries.get('Domain')) === null
  return type > RADIAL || isKnownGradient(context, entries, type)
}

/** Whether the background, the functions and the corners of a mesh have colours that exist. */
function hasKnownColours(
  context: GraphicsContext,
  entries: PdfDictionary,
  { ranges }: ColourSpace,
  type: number,
): boolean {
  const { document } = context
  const background = readNumbers(context, entries.get('Background')) ?? []
  if (entries.has('Background') && !areWithin(background, ranges)) return false
  const made = document.resolve(entries.get('Function'))
  if (made !== null && !fits(resultsOf(context, entries.get('Function')), ranges)) return false
  if (type <= RADIAL) return made !== null
  const decode = readNumbers(context, entries.get('Decode')) ?? []
  // The arguments of a function take the place of the colours.
  if (made !== null) return decode.length === COORDINATES_OF_CORNER + 2
  const corners = ranges.map((_, index): Interval => {
    const [first = NaN, last = NaN] = decode.slice(COORDINATES_OF_CORNER + 2 * index)
    return [Math.min(first, last), Math.max(first, last)]
  })
  return decode.length === COORDINATES_OF_CORNER + 2 * ranges.length && fits(corners, ranges)
}

/** Results of a function, or of an array of functions with one result each. */
function resultsOf(context: GraphicsContext, value: PdfValue | undefined): readonly Interval[] {
  const functions = context.document.array(value) ?? [value]
  return functions.flatMap((one) => readFunction(context, one)?.range ?? [])
}

function isKnownGradient(context: GraphicsContext, entries: PdfDictionary, type: number): boolean {
  const { document } = context
  const domain = entries.has('Domain') ? readNumbers(context, entries.get('Domain')) : [0, 1]
  const extend = document.resolve(entries.get('Extend'))
  const areTruths = isArray(extend) && extend.every((one) => isTruth(document.resolve(one)))
  const [low = 0, high = 0] = domain ?? []
  return (
    low < high &&
    (extend === null || areTruths) &&
    hasArea(readNumbers(context, entries.get('Coords')) ?? [], type) &&
    coversDomain(context, entries.get('Function'), [low, high])
  )
}

const isTruth = (value: PdfValue): boolean => typeof value === 'boolean'

function hasArea(coordinates: readonly number[], type: number): boolean {
  if (coordinates.length !== COORDINATES[type]) return false
  if (type === AXIAL) {
    const [x0, y0, x1, y1] = coordinates
    return x0 !== x1 || y0 !== y1
  }
  const [x0, y0, r0 = 0, x1, y1, r1 = 0] = coordinates
  return r0 >= 0 && r1 >= 0 && (x0 !== x1 || y0 !== y1 || r0 !== r1)
}

/** pdf.js continues a function beyond its domain; others do not. */
function coversDomain(
  context: GraphicsContext,
  value: PdfValue | undefined,
  [low, high]: readonly [number, number],
): boolean {
  const resolved = context.document.resolve(value)
  const functions = isArray(resolved) ? resolved : [value]
  return functions.every((one) => {
    const [domain] = readFunction(context, one)?.domain ?? []
    return domain !== undefined && domain[0] <= low && high <= domain[1]
  })
}
