/** Judges the curves and the matrix with which profiles and calibrated spaces define light. */
import { areWithin, type Interval } from '../amounts.ts'
import type { Curve } from './curves.ts'
import { isNear, lightnessOf, plainLightness } from './lightness.ts'
import type { Connection } from './tables.ts'

/** X, Y and Z of red, green and blue. */
const COLUMNS: readonly (readonly Interval[])[] = [
  [
    [0.3, 0.95],
    [0.15, 0.4],
    [-0.1, 0.2],
  ],
  [
    [0.1, 0.5],
    [0.5, 0.85],
    [-0.1, 0.3],
  ],
  [
    [0, 0.35],
    [-0.1, 0.2],
    [0.4, 1.2],
  ],
]
/** White of profiles (ICC.1:2022, 6.3.1), and daylight that is not adapted to it. */
export const WHITE: readonly Interval[] = [
  [0.85, 1.1],
  [0.9, 1.1],
  [0.7, 1.2],
]

/** Whether each grey has about the lightness that it has without the curve. */
export function isPlainCurve({ at, steps }: Curve, connection: Connection): boolean {
  for (let step = 0; step <= steps; step++) {
    const amount = step / steps
    const result = at(amount)
    const lightness = connection === 'Lab' ? result * 100 : lightnessOf(result)
    if (!isNear(lightness, plainLightness([amount]))) return false
  }
  return true
}

/**
 * Whether red is red, green is green and blue is blue, and all together are white.
 *
 * @param columns X, Y and Z of each
 */
export function isPlainMatrix(columns: readonly (readonly number[])[]): boolean {
  const sums = WHITE.map((_, index) =>
    columns.reduce((sum, column) => sum + (column[index] ?? Number.NaN), 0),
  )
  return (
    columns.every((column, index) => areWithin(column, COLUMNS[index] ?? [])) &&
    areWithin(sums, WHITE)
  )
}
