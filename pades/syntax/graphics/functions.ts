/** Judges functions: every reader must compute the same with them (ISO 32000-2, 7.10). */
import {
  isArray,
  isInteger,
  PdfStream,
  type PdfDictionary,
  type PdfValue,
} from '../../pdf/values.ts'
import type { Interval } from './amounts.ts'
import { isKnownCalculator } from './calculators.ts'
import { decodeTable, entriesOf, type GraphicsContext, readNumbers, readOnce } from './context.ts'

/** Arguments and results. */
export interface FunctionShape {
  readonly inputs: number
  /** Some readers also compute with arguments beyond it. */
  readonly domain: readonly Interval[]
  /** Within which each result is. */
  readonly range: readonly Interval[]
  /** Within which each result is when the only argument is within an interval. */
  readonly rangeOver: RangeOver
}

type RangeOver = (argument: Interval) => readonly Interval[]

/** Functions within functions. */
const MAX_DEPTH = 8
const MAX_SAMPLES = 100_000_000
const BITS_PER_BYTE = 8
/** pdf.js takes samples of 32 bits for negative ones. */
const SAMPLE_BITS: ReadonlySet<number> = new Set([1, 2, 4, 8, 12, 16, 24])

/**
 * Reads what a function takes and gives.
 *
 * @param value a function or a reference to one
 * @returns undefined when readers may compute something else with it
 * @throws PadesError `LIMIT_EXCEEDED`
 */
export function readFunction(
  context: GraphicsContext,
  value: PdfValue | undefined,
  depth = 0,
): FunctionShape | undefined {
  return depth > MAX_DEPTH
    ? undefined
    : readOnce(context.functions, value, () => readShape(context, value, depth))
}

function readShape(
  context: GraphicsContext,
  value: PdfValue | undefined,
  depth: number,
): FunctionShape | undefined {
  const resolved = context.document.resolve(value)
  const entries = entriesOf(resolved)
  const domain = entries && readIntervals(context, entries.get('Domain'))
  if (!entries || !domain) return undefined
  const range = entries.has('Range') ? readIntervals(context, entries.get('Range')) : null
  if (range === undefined) return undefined
  const rangeOver = readResults(context, resolved, entries, { domain, range, depth })
  const results = rangeOver?.(domain[0] ?? [0, 1])
  if (!rangeOver || !results || (range && range.length !== results.length)) return undefined
  return { inputs: domain.length, domain, range: results, rangeOver }
}

interface Bounds {
  readonly domain: readonly Interval[]
  readonly range: readonly Interval[] | null
  readonly depth: number
}

function readResults(
  context: GraphicsContext,
  value: PdfValue,
  entries: PdfDictionary,
  bounds: Bounds,
): RangeOver | undefined {
  switch (context.document.integer(entries.get('FunctionType'))) {
    case 0:
      return sampledResults(context, value, entries, bounds)
    case 2:
      return bounds.domain.length === 1 ? exponentialResults(context, entries, bounds) : undefined
    case 3:
      return bounds.domain.length === 1 ? stitchedResults(context, entries, bounds) : undefined
    case 4:
      return calculatorResults(context, value, bounds)
    default:
      return undefined
  }
}

/** Pairs of which the second is not smaller than the first; at least one. */
function readIntervals(
  context: GraphicsContext,
  value: PdfValue | undefined,
): readonly Interval[] | undefined {
  const numbers = readNumbers(context, value)
  if (!numbers || numbers.length === 0 || numbers.length % 2 !== 0) return undefined
  const intervals: Interval[] = []
  for (let index = 0; index < numbers.length; index += 2) {
    if (numbers[index] > numbers[index + 1]) return undefined
    intervals.push([numbers[index], numbers[index + 1]])
  }
  return intervals
}

/** 7.10.2. */
function sampledResults(
  context: GraphicsContext,
  value: PdfValue,
  entries: PdfDictionary,
  { domain, range }: Bounds,
): RangeOver | undefined {
  const { document } = context
  const size = readNumbers(context, entries.get('Size'))
  const bits = document.integer(entries.get('BitsPerSample')) ?? 0
  if (!(value instanceof PdfStream) || !range || size?.length !== domain.length) return undefined
  if (!size.every((count) => isInteger(count) && count > 0) || !SAMPLE_BITS.has(bits)) {
    return undefined
  }
  // Few readers interpolate with cubic splines.
  if ((document.resolve(entries.get('Order')) ?? 1) !== 1) return undefined
  const isMapped =
    isAbsentOrHas(context, entries.get('Encode'), domain.length * 2) &&
    isAbsentOrHas(context, entries.get('Decode'), range.length * 2)
  const samples = size.reduce((product, count) => product * count, range.length)
  if (!isMapped || samples > MAX_SAMPLES) return undefined
  const data = decodeTable(context, value)
  const isWhole = data !== undefined && data.length >= Math.ceil((samples * bits) / BITS_PER_BYTE)
  return isWhole ? () => range : undefined
}

function isAbsentOrHas(
  context: GraphicsContext,
  value: PdfValue | undefined,
  count: number,
): boolean {
  if (context.document.resolve(value) === null) return true
  return readNumbers(context, value)?.length === count
}

/** 7.10.3. Some readers do not limit the results to the range. */
function exponentialResults(
  context: GraphicsContext,
  entries: PdfDictionary,
  { range }: Bounds,
): RangeOver | undefined {
  const low = entries.has('C0') ? readNumbers(context, entries.get('C0')) : [0]
  const high = entries.has('C1') ? readNumbers(context, entries.get('C1')) : [1]
  const exponent = context.document.resolve(entries.get('N'))
  if (typeof exponent !== 'number' || exponent <= 0) return undefined
  if (!low || low.length === 0 || low.length !== high?.length) return undefined
  const isWithin = (value: number, index: number): boolean => {
    const [least, most] = range?.[index] ?? [-Infinity, Infinity]
    return least <= value && value <= most
  }
  if (!low.every(isWithin) || !high.every(isWithin)) return undefined
  return ([least, most]) => {
    const turn = least < 0 && most > 0 ? [0] : []
    return low.map((start, index) => {
      const ends = [least, most, ...turn].map((x) => start + x ** exponent * (high[index] - start))
      return [Math.min(...ends), Math.max(...ends)]
    })
  }
}

/** 7.10.4. */
function stitchedResults(
  context: GraphicsContext,
  entries: PdfDictionary,
  { domain: [[low, high]], depth }: Bounds & { domain: readonly Interval[] },
): RangeOver | undefined {
  const parts = context.document.array(entries.get('Functions')) ?? []
  const bounds = readNumbers(context, entries.get('Bounds'))
  const encode = readNumbers(context, entries.get('Encode'))
  if (parts.length === 0 || bounds?.length !== parts.length - 1) return undefined
  // Readers choose different parts where an end of the domain is a bound.
  const isAscending = bounds.every((bound, index) => {
    return low < bound && bound < high && (bounds[index - 1] ?? low) <= bound
  })
  if (!isAscending || encode?.length !== parts.length * 2) return undefined
  const ranges = parts.map((part, index) => {
    const ends = [encode[2 * index] ?? 0, encode[2 * index + 1] ?? 0]
    const shape = readFunction(context, part, depth + 1)
    const isCovered = shape?.inputs === 1 && ends.every((end) => coversAll(shape, end))
    // Programs repeat the domain of the whole for each part, of which Encode names what is used.
    return isCovered ? shape.rangeOver([Math.min(...ends), Math.max(...ends)]) : []
  })
  const results = ranges[0] ?? []
  const isAlike = ranges.every(({ length }) => length > 0 && length === results.length)
  return isAlike
    ? () => results.map((_, index) => unite(ranges.map((one) => one[index])))
    : undefined
}

/** The smallest interval that contains all others. */
const unite = (intervals: readonly Interval[]): Interval => [
  Math.min(...intervals.map(([low]) => low)),
  Math.max(...intervals.map(([, high]) => high)),
]

/** Whether a value is within the domain of each argument. */
export const coversAll = ({ domain }: FunctionShape, value: number): boolean =>
  domain.every(([low, high]) => low <= value && value <= high)

/** 7.10.5. */
function calculatorResults(
  context: GraphicsContext,
  value: PdfValue,
  { domain, range }: Bounds,
): RangeOver | undefined {
  const code = value instanceof PdfStream ? decodeTable(context, value) : undefined
  if (!code || !range) return undefined
  const isKnown = isKnownCalculator(code.toString('latin1'), domain.length, range.length)
  return isKnown ? () => range : undefined
}

/** Whether a value is a function, by the entry that every function has. */
export function isFunction({ document }: GraphicsContext, value: PdfValue): boolean {
  const entries = entriesOf(value)
  return (
    entries !== undefined &&
    !isArray(value) &&
    document.resolve(entries.get('FunctionType')) !== null
  )
}
