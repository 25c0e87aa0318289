/**
 * Judges colour spaces (ISO 32000-2, 8.6): readers that miss a part of one paint other colours, or
 * nothing.
 */
import {
  isArray,
  isInteger,
  nameOf,
  type PdfArray,
  PdfStream,
  PdfString,
  type PdfValue,
} from '../../pdf/values.ts'
import { decodeTable, entriesOf, type GraphicsContext, readOnce } from './context.ts'
import { isDarkening } from './all-colorant.ts'
import { CMYK, fits, fractions, GREY, type Interval, RGB } from './amounts.ts'
import { readCalibratedRanges } from './calibrated.ts'
import { coversAll, readFunction } from './functions.ts'
import { readProfileRanges } from './profiles/profile.ts'

/** A colour space that every reader understands alike. */
export interface ColourSpace {
  readonly family: string
  readonly components: number
  /** Amounts of each component that every reader takes alike. */
  readonly ranges: readonly Interval[]
  /** Highest index of a palette. */
  readonly highestIndex?: number
}

/** Colour spaces within colour spaces: a palette of inks over a profile has four. */
const MAX_DEPTH = 8
const MAX_INDEX = 255
const MAX_COLORANTS = 32
/** The colorant of all inks. */
const ALL = 'All'

const DEVICE: Readonly<Record<string, readonly Interval[]>> = {
  DeviceGray: GREY,
  DeviceRGB: RGB,
  DeviceCMYK: CMYK,
}
/** Abbreviations of inline images (table 92). */
const ABBREVIATED: ReadonlyMap<string, number> = new Map([
  ['G', 1],
  ['RGB', 3],
  ['CMYK', 4],
])
/** Spaces whose parameters are a dictionary. */
const CALIBRATED = ['CalGray', 'CalRGB', 'Lab'] as const

/**
 * Reads a colour space.
 *
 * @param value a colour space or a reference to one
 * @returns undefined when readers may take it differently, and for patterns
 * @throws PadesError `LIMIT_EXCEEDED`
 */
export function readColourSpace(
  context: GraphicsContext,
  value: PdfValue | undefined,
  depth = 0,
): ColourSpace | undefined {
  if (depth > MAX_DEPTH) return undefined
  return readOnce(context.spaces, value, () => {
    const resolved = context.document.resolve(value)
    if (!isArray(resolved)) return deviceSpace(nameOf(resolved))
    const family = context.document.name(resolved[0]) ?? ''
    if (resolved.length === 1) return deviceSpace(family)
    return READERS.get(family)?.(context, resolved, { family, depth: depth + 1 })
  })
}

type ReadSpace = (
  context: GraphicsContext,
  array: PdfArray,
  place: Place,
) => ColourSpace | undefined

interface Place {
  readonly family: string
  /** Depth for the colour spaces that this one is made of. */
  readonly depth: number
}

const READERS: ReadonlyMap<string, ReadSpace> = new Map<string, ReadSpace>([
  ...CALIBRATED.map((family) => [family, readCalibrated] as const),
  ['ICCBased', readProfiled],
  ['Indexed', readPalette],
  ['Separation', readSeparation],
  ['DeviceN', readInks],
])

/** Families whose arrays are judged wherever they are. */
export const FAMILIES: ReadonlySet<string> = new Set(READERS.keys())

function deviceSpace(family = ''): ColourSpace | undefined {
  const ranges = Object.hasOwn(DEVICE, family) ? DEVICE[family] : undefined
  return ranges && spaceOf(family, ranges)
}

const spaceOf = (family: string, ranges: readonly Interval[]): ColourSpace => ({
  family,
  components: ranges.length,
  ranges,
})

/** 8.6.5.2 to 8.6.5.4. */
function readCalibrated(
  context: GraphicsContext,
  array: PdfArray,
  { family }: Place,
): ColourSpace | undefined {
  const entries = entriesOf(context.document.resolve(array[1]))
  if (array.length !== 2 || !entries) return undefined
  const ranges = readCalibratedRanges(context, family, entries)
  return ranges && spaceOf(family, ranges)
}

/** 8.6.5.5. A profile that cannot be read is replaced by some readers and ends others. */
function readProfiled(
  context: GraphicsContext,
  array: PdfArray,
  { depth }: Place,
): ColourSpace | undefined {
  const ranges = readProfile(context, array[1], depth)
  return array.length === 2 && ranges ? spaceOf('ICCBased', ranges) : undefined
}

/**
 * Reads an ICC profile.
 *
 * @param value a reference to its stream
 * @returns the amounts of its colours; undefined when readers may show other contrasts with it
 * @throws PadesError `LIMIT_EXCEEDED`
 */
export const readProfile = (
  context: GraphicsContext,
  value: PdfValue | undefined,
  depth = 0,
): readonly Interval[] | undefined =>
  readOnce(context.profiles, value, () => readProfileOnce(context, value, depth))

function readProfileOnce(
  context: GraphicsContext,
  value: PdfValue | undefined,
  depth: number,
): readonly Interval[] | undefined {
  const { document } = context
  const profile = document.resolve(value)
  if (!(profile instanceof PdfStream)) return undefined
  const components = document.integer(profile.dictionary.get('N'))
  const alternate = profile.dictionary.get('Alternate')
  const isAgreed =
    alternate === undefined || readColourSpace(context, alternate, depth)?.components === components
  if (!isAgreed) return undefined
  const data = decodeTable(context, profile)
  const ranges = data && readProfileRanges(data)
  return ranges?.length === components ? ranges : undefined
}

/** 8.6.6.3. */
function readPalette(
  context: GraphicsContext,
  array: PdfArray,
  { depth }: Place,
): ColourSpace | undefined {
  const [, base, highest, table] = array
  const space = readColourSpace(context, base, depth)
  if (array.length !== 4 || !space || space.family === 'Indexed') return undefined
  const highestIndex = context.document.resolve(highest)
  const bytes = readTable(context, table)
  if (!hasColours(space.components, highestIndex, bytes?.length)) return undefined
  const index = highestIndex as number
  return { ...spaceOf('Indexed', [[0, index]]), highestIndex: index }
}

function readTable(context: GraphicsContext, value: PdfValue): Uint8Array | undefined {
  const table = context.document.resolve(value)
  if (table instanceof PdfString) return table.bytes
  return table instanceof PdfStream ? decodeTable(context, table) : undefined
}

function hasColours(
  components: number | undefined,
  highest: PdfValue,
  tableBytes: number | undefined,
): boolean {
  const isIndex = isInteger(highest) && highest >= 0 && highest <= MAX_INDEX
  if (components === undefined || tableBytes === undefined || !isIndex) return false
  return tableBytes >= (highest + 1) * components
}

/** 8.6.6.4. Readers disagree on whether the colorant None is painted. */
function readSeparation(
  context: GraphicsContext,
  array: PdfArray,
  { depth }: Place,
): ColourSpace | undefined {
  const [, name, alternate, tint] = array
  const colorant = context.document.name(name)
  if (array.length !== 4 || colorant === undefined || colorant === 'None') return undefined
  if (colorant === ALL && !isDarkening(context, tint)) return undefined
  return hasTints(context, { alternate, tint, components: 1, depth })
    ? spaceOf('Separation', fractions(1))
    : undefined
}

/** 8.6.6.5. */
function readInks(
  context: GraphicsContext,
  array: PdfArray,
  { depth }: Place,
): ColourSpace | undefined {
  const [, names, alternate, tint] = array
  const { document } = context
  const colorants = (document.array(names) ?? []).map((name) => document.name(name))
  const components = colorants.length
  const isNamed = colorants.every((name) => name !== undefined)
  const isCounted = components > 0 && components <= MAX_COLORANTS
  if (array.length < 4 || array.length > 5 || !isNamed || !isCounted) return undefined
  if (colorants.every((name) => name === 'None')) return undefined
  return hasTints(context, { alternate, tint, components, depth })
    ? spaceOf('DeviceN', fractions(components))
    : undefined
}

interface Tints {
  readonly alternate: PdfValue
  readonly tint: PdfValue
  readonly components: number
  readonly depth: number
}

/** Whether a function makes colours that exist in another space of all colorants. */
function hasTints(
  context: GraphicsContext,
  { alternate, tint, components, depth }: Tints,
): boolean {
  const space = readColourSpace(context, alternate, depth)
  const shape = readFunction(context, tint)
  const isPlain = space && !['Indexed', 'Separation', 'DeviceN'].includes(space.family)
  if (!isPlain || shape?.inputs !== components || !fits(shape.range, space.ranges)) return false
  // Tints are from 0 to 1.
  return coversAll(shape, 0) && coversAll(shape, 1)
}

/** Whether the palette of an inline image, which has no references, has all its colours. */
export function isWholeInlinePalette(space: readonly PdfValue[]): boolean {
  if (space.length !== 4) return false
  const [, base, highest, table] = space
  const name = nameOf(base) ?? ''
  const components = deviceSpace(name)?.components ?? ABBREVIATED.get(name)
  return table instanceof PdfString && hasColours(components, highest, table.bytes.length)
}
