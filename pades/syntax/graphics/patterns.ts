/**
 * Judges patterns and shadings (ISO 32000-2, 8.7): readers repair odd ones in different ways, paint
 * nothing, or stop.
 */
import { isArray, type PdfDictionary, type PdfValue } from '../../pdf/values.ts'
import { IDENTITY, type Matrix } from '../matrices.ts'
import { areWithin, fits, type Interval } from './amounts.ts'
import { type ColourSpace, readColourSpace } from './colour-spaces.ts'
import { type GraphicsContext, readNumbers } from './context.ts'
import { readFunction } from './functions.ts'

const TILING = 1
const [FUNCTION_BASED, AXIAL, RADIAL] = [1, 2, 3]
const TYPES = 7
const SHAPE = 2
const PAINT_TYPES = [1, SHAPE]
const TILING_TYPES = [1, 2, 3]
/** Distance of cells as a part of a side: producers round, and cells of one colour may overlap. */
const [LEAST_STEP, LEAST_STEP_OF_SHAPES] = [0.9, 0.1]
/** Points. */
const [LEAST_CELL, MOST_CELL] = [0.5, 20_000]
/** Numbers of `Decode` for the place of a corner of a mesh. */
const COORDINATES_OF_CORNER = 4
/** A part of the larger radius. */
const TOUCHING = 0.001
/** Numbers of `Coords`. */
const COORDINATES: Readonly<Record<number, number>> = { [AXIAL]: 4, [RADIAL]: 6 }

/** @returns whether every reader paints the same with a pattern */
export function isKnownPattern(context: GraphicsContext, entries: PdfDictionary): boolean {
  const { document } = context
  const matrix = (readNumbers(context, entries.get('Matrix')) as Matrix | undefined) ?? IDENTITY
  const [a, b, c, d] = matrix
  if (a * d === b * c) return false
  if (document.integer(entries.get('PatternType')) !== TILING) return true
  return (
    PAINT_TYPES.includes(document.integer(entries.get('PaintType')) ?? 0) &&
    TILING_TYPES.includes(document.integer(entries.get('TilingType')) ?? 0) &&
    hasCells(context, entries, matrix)
  )
}

/**
 * Whether a pattern has cells with an area that are apart. PDFium places cells of a box whose
 * corners are the other way round differently, and draws no large ones. MuPDF draws none at a
 * negative distance where only a few are seen, Ghostscript draws overlapping ones in another order,
 * and pdf.js draws no tiny ones.
 */
function hasCells(context: GraphicsContext, entries: PdfDictionary, matrix: Matrix): boolean {
  const [left = 0, bottom = 0, right = 0, top = 0] = readNumbers(context, entries.get('BBox')) ?? []
  const [a, b, c, d] = matrix
  const isShape = context.document.integer(entries.get('PaintType')) === SHAPE
  const leastStep = isShape ? LEAST_STEP_OF_SHAPES : LEAST_STEP
  const sides = [right - left, top - bottom]
  const scales = [Math.hypot(a, b), Math.hypot(c, d)]
  const steps = ['XStep', 'YStep'].map((key) => context.document.resolve(entries.get(key)))
  return sides.every((side, index) => {
    const step = steps[index]
    const scale = scales[index] ?? 0
    return (
      typeof step === 'number' &&
      step >= side * leastStep &&
      step * scale >= LEAST_CELL &&
      side > 0 &&
      side * scale <= MOST_CELL
    )
  })
}

/** @returns whether every reader paints the same with a shading */
export function isKnownShading(context: GraphicsContext, entries: PdfDictionary): boolean {
  const { document } = context
  const type = document.integer(entries.get('ShadingType')) ?? 0
  if (type < 1 || type > TYPES) return false
  const space = readColourSpace(context, entries.get('ColorSpace'))
  // Readers interpolate indexes or colours of a palette.
  if (!space || space.family === 'Indexed') return false
  if (!hasKnownColours(context, entries, space, type)) return false
  const isGradient = type === AXIAL || type === RADIAL
  // pdf.js paints no background of the others.
  if (!isGradient && document.resolve(entries.get('Background')) !== null) return false
  if (isGradient) return isKnownGradient(context, entries, type)
  if (type !== FUNCTION_BASED) return true
  return (
    document.resolve(entries.get('Domain')) === null &&
    coversDomain(context, entries.get('Function'), 2)
  )
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
  if (made !== null && !fits(resultsOf(context, entries, type), ranges)) return false
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
function resultsOf(
  context: GraphicsContext,
  entries: PdfDictionary,
  type: number,
): readonly Interval[] {
  const value = entries.get('Function')
  const functions = context.document.array(value) ?? [value]
  const argument = type === AXIAL || type === RADIAL ? domainOf(context, entries) : undefined
  return functions.flatMap((one) => {
    const shape = readFunction(context, one)
    return (argument ? shape?.rangeOver(argument) : shape?.range) ?? []
  })
}

/** The domain of a gradient. @returns undefined when it is malformed */
function domainOf(context: GraphicsContext, entries: PdfDictionary): Interval | undefined {
  if (!entries.has('Domain')) return [0, 1]
  const [low = 0, high = 0] = readNumbers(context, entries.get('Domain')) ?? []
  return low < high ? [low, high] : undefined
}

function isKnownGradient(context: GraphicsContext, entries: PdfDictionary, type: number): boolean {
  const { document } = context
  const domain = domainOf(context, entries)
  const extend = document.resolve(entries.get('Extend'))
  const areTruths =
    isArray(extend) && extend.length === 2 && extend.every((one) => isTruth(document.resolve(one)))
  const coordinates = readNumbers(context, entries.get('Coords')) ?? []
  return (
    domain !== undefined &&
    (extend === null || areTruths) &&
    hasArea(coordinates, type) &&
    (extend === null || type === AXIAL || !areTouching(coordinates)) &&
    coversDomain(context, entries.get('Function'), 1, domain)
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

/** PDFium extends circles that touch each other from within to nothing, others to a half plane. */
function areTouching([x0 = 0, y0 = 0, r0 = 0, x1 = 0, y1 = 0, r1 = 0]: readonly number[]) {
  const excess = Math.hypot(x1 - x0, y1 - y0) - Math.abs(r1 - r0)
  return Math.abs(excess) <= Math.max(r0, r1) * TOUCHING
}

/** pdf.js continues a function beyond its domain; others do not. */
function coversDomain(
  context: GraphicsContext,
  value: PdfValue | undefined,
  inputs: number,
  [low, high]: Interval = [0, 1],
): boolean {
  const resolved = context.document.resolve(value)
  const functions = isArray(resolved) ? resolved : [value]
  return functions.every((one) => {
    const shape = readFunction(context, one)
    if (shape?.domain.length !== inputs) return false
    if (isArray(resolved) && shape.range.length !== 1) return false
    return shape.domain.every((domain) => domain[0] <= low && high <= domain[1])
  })
}
