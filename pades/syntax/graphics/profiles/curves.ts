/** Reads curves of ICC profiles (ICC.1:2022, 10.6 and 10.18). */
import type { Buffer } from 'node:buffer'

/** A function of one amount from 0 to 1. */
export interface Curve {
  /** @returns what readers compute by linear interpolation, from 0 to 1 */
  at(amount: number): number
  /** Number of steps at whose ends the curve is to be looked at. */
  readonly steps: number
}

const HEADER_BYTES = 12
/** Steps of a curve with a formula. */
const STEPS = 1_024
const WORD = 65_535
const FIXED = 65_536
/** Numbers of each kind of formula. */
const PARAMETERS = [1, 3, 4, 5, 7] as const

/**
 * Reads a curve.
 *
 * @param tag of a profile
 * @returns undefined for something else, and for a curve that is cut off
 */
export function readCurve(tag: Buffer | undefined): Curve | undefined {
  if (!tag || tag.length < HEADER_BYTES) return undefined
  const type = tag.toString('latin1', 0, 4)
  if (type === 'para') return readFormula(tag)
  return type === 'curv' ? readTable(tag) : undefined
}

/** A curve of values at equal distances. */
export function tableCurve(values: readonly number[]): Curve {
  const steps = values.length - 1
  return {
    steps,
    at(amount) {
      const place = clamped(amount) * steps
      const index = Math.min(Math.floor(place), steps - 1)
      return values[index] + (place - index) * (values[index + 1] - values[index])
    },
  }
}

function readTable(tag: Buffer): Curve | undefined {
  const count = tag.readUInt32BE(8)
  if (count === 0) return { steps: 1, at: clamped }
  if (tag.length < HEADER_BYTES + count * 2) return undefined
  if (count === 1) {
    const gamma = tag.readUInt16BE(HEADER_BYTES) / 256
    return formula((amount) => amount ** gamma)
  }
  const values = Array.from(
    { length: count },
    (_, index) => tag.readUInt16BE(HEADER_BYTES + index * 2) / WORD,
  )
  return tableCurve(values)
}

/** Table 68. */
function readFormula(tag: Buffer): Curve | undefined {
  const kind = tag.readUInt16BE(8)
  const count = PARAMETERS[kind]
  if (count === undefined || tag.length < HEADER_BYTES + count * 4) return undefined
  const numbers = Array.from(
    { length: count },
    (_, index) => tag.readInt32BE(HEADER_BYTES + index * 4) / FIXED,
  )
  const [gamma = 1, a = 1, b = 0] = numbers
  const [, , , c = 0, d = 0, e = 0, f = 0] = kind === 2 ? [] : numbers
  const offset = kind === 2 ? (numbers[3] ?? 0) : e
  const power = (amount: number) => Math.max(a * amount + b, 0) ** gamma + offset
  switch (kind) {
    case 0:
    case 1:
    case 2:
      return formula(power)
    default:
      return formula((amount) => (amount >= d ? power(amount) : c * amount + f))
  }
}

/** @param run a function of an amount from 0 to 1 */
export const formula = (run: (amount: number) => number): Curve => ({
  steps: STEPS,
  at: (amount) => clamped(run(clamped(amount))),
})

const clamped = (amount: number): number => Math.min(Math.max(amount, 0), 1)
