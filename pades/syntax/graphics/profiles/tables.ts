/** Reads transforms of ICC profiles by a table of colours (ICC.1:2022, 10.10 and 10.11). */
import type { Buffer } from 'node:buffer'
import { type Curve, tableCurve } from './curves.ts'
import { type Amounts, isNear, lightnessOf, plainLightness } from './lightness.ts'

/** What a transform makes of colours. */
export type Connection = 'Lab' | 'XYZ'

/** A table of colours between curves of the amounts and of the results. */
interface Transform {
  readonly inputs: readonly Curve[]
  /** Number of places of each amount. */
  readonly places: number
  /** The result that has the lightness, of one place after the other. */
  readonly table: readonly number[]
  /** @returns lightness of a value of the table, from 0 to 100 */
  lightness(value: number): number
}

const WORD = 65_535
const BYTE = 255
/** Lightness 100 in tables of words. */
const WHITE_WORD = 65_280
/** 1 in tables of XYZ. */
const ONE_WORD = 32_768
const RESULTS = 3
const MATRIX_START = 12
const MATRIX_END = 48
const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1]
const FIXED = 65_536
/** Parts of a curve between which amounts are distinguished. */
const LEAST_STEPS = 255
/** Parts of an amount at whose ends a transform is looked at, beside the places of its table. */
const SAMPLES = 8
/** Honest tables of four inks have 20 places for each at most. */
const MAX_PLACES = 300_000

/**
 * Whether a transform by a table gives all colours about the lightness that they have without it.
 *
 * @param tag of a profile
 * @param amounts number of amounts of a colour
 * @returns false also for something else, and for a table that is cut off
 */
export function isPlainTable(tag: Buffer, amounts: number, connection: Connection): boolean {
  const transform = readTransform(tag, amounts, connection)
  if (!transform) return false
  return hasNearPlaces(transform) && hasNearSamples(transform)
}

function readTransform(
  tag: Buffer,
  amounts: number,
  connection: Connection,
): Transform | undefined {
  const type = tag.toString('latin1', 0, 4)
  const isWords = type === 'mft2'
  if ((!isWords && type !== 'mft1') || tag.length < MATRIX_END + 4) return undefined
  if (!isWords && connection === 'XYZ') return undefined
  const [inputs, outputs, places] = [tag[8] ?? 0, tag[9] ?? 0, tag[10] ?? 0]
  const count = places ** amounts
  if (inputs !== amounts || outputs !== RESULTS || places < 2 || count > MAX_PLACES)
    return undefined
  if (!hasNoMatrix(tag)) return undefined
  const start = isWords ? MATRIX_END + 4 : MATRIX_END
  const [before, behind] = isWords
    ? [tag.readUInt16BE(MATRIX_END), tag.readUInt16BE(MATRIX_END + 2)]
    : [BYTE + 1, BYTE + 1]
  const size = isWords ? 2 : 1
  const length = amounts * before + count * RESULTS + RESULTS * behind
  if (before < 2 || behind < 2 || tag.length < start + length * size) return undefined
  const numbers = (from: number, many: number, step = 1) =>
    Array.from({ length: many }, (_, index) => {
      const at = start + (from + index * step) * size
      return isWords ? tag.readUInt16BE(at) / WORD : tag[at] / BYTE
    })
  const result = connection === 'Lab' ? 0 : 1
  const table = numbers(amounts * before + result, count, RESULTS)
  const results = numbers(amounts * before + count * RESULTS + result * behind, behind)
  if (descends(results)) return undefined
  const output = tableCurve(results)
  const white = isWords ? WHITE_WORD / WORD : 1
  return {
    inputs: Array.from({ length: amounts }, (_, index) =>
      tableCurve(numbers(index * before, before)),
    ),
    places,
    table,
    lightness: (value) =>
      connection === 'Lab'
        ? (output.at(value) / white) * 100
        : lightnessOf((output.at(value) * WORD) / ONE_WORD),
  }
}

/** Readers use the matrix for XYZ alone, or for every colour of three amounts. */
const hasNoMatrix = (tag: Buffer): boolean =>
  IDENTITY.every((one, index) => tag.readInt32BE(MATRIX_START + index * 4) / FIXED === one) &&
  MATRIX_START + IDENTITY.length * 4 === MATRIX_END

/** Whether each place of the table is near the colours that lead to it. */
function hasNearPlaces({ inputs, places, table, lightness }: Transform): boolean {
  const sources = inputs.map((curve) => sourcesOf(curve, places))
  if (sources.some((one) => one === undefined)) return false
  const low = inputs.map(() => 0)
  const high = inputs.map(() => 0)
  for (const [index, value] of table.entries()) {
    let rest = index
    for (let amount = inputs.length - 1; amount >= 0; amount--) {
      ;[low[amount], high[amount]] = sources[amount]?.[rest % places] ?? [0, 1]
      rest = Math.floor(rest / places)
    }
    if (!isNear(lightness(value), plainLightness(low), plainLightness(high))) return false
  }
  return true
}

/**
 * For each place of a table the amounts between which the colours lie that are drawn with it.
 *
 * @returns undefined when a curve descends
 */
function sourcesOf(
  curve: Curve,
  places: number,
): readonly (readonly [number, number])[] | undefined {
  const steps = Math.max(curve.steps, LEAST_STEPS)
  const values = Array.from({ length: steps + 1 }, (_, step) => curve.at(step / steps))
  if (descends(values)) return undefined
  return Array.from({ length: places }, (_, place) => {
    const position = place / (places - 1)
    const from = values.findLastIndex((value) => value < position)
    const to = values.findIndex((value) => value > position)
    return [Math.max(from, 0) / steps, (to === -1 ? steps : to) / steps]
  })
}

/** Between two values of a curve that ascends there is no lighter or darker one. */
const descends = (values: readonly number[]): boolean =>
  values.some((value, step) => value < (values[step - 1] ?? 0))

/** Whether colours at equal distances are near: curves can be steep between places. */
function hasNearSamples(transform: Transform): boolean {
  const { inputs } = transform
  const count = (SAMPLES + 1) ** inputs.length
  for (let index = 0; index < count; index++) {
    const amounts = inputs.map((_, place) => {
      const step = Math.floor(index / (SAMPLES + 1) ** place) % (SAMPLES + 1)
      return step / SAMPLES
    })
    if (!isNear(interpolated(transform, amounts), plainLightness(amounts))) return false
  }
  return true
}

/** Lightness of a colour between the places of the table. */
function interpolated({ inputs, places, table, lightness }: Transform, amounts: Amounts): number {
  const positions = inputs.map((curve, index) => curve.at(amounts[index]) * (places - 1))
  let value = 0
  for (let corner = 0; corner < 2 ** inputs.length; corner++) {
    let weight = 1
    let index = 0
    for (const [amount, position] of positions.entries()) {
      const place = Math.min(Math.floor(position), places - 2)
      const isNext = Math.floor(corner / 2 ** amount) % 2 === 1
      weight *= isNext ? position - place : 1 - position + place
      index = index * places + place + (isNext ? 1 : 0)
    }
    value += weight * table[index]
  }
  return lightness(value)
}
