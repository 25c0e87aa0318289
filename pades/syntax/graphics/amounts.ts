/**
 * Amounts of colours (ISO 32000-2, 8.6) that every reader takes alike. A reader is to take the
 * nearest that exists, and readers differ: with ink beyond 1, pdf.js paints white, others black.
 */

export type Interval = readonly [low: number, high: number]

/** Rounding makes a little more than 1 or less than 0. */
const INK: Interval = [-0.05, 1.05]
/** Every reader takes darkness below 0 as 0; Acrobat writes it for buttons that are pressed. */
const LIGHT: Interval = [-1, 1.05]
const LIGHTNESS: Interval = [-1, 101]
/** A component of Lab, from green to red or from blue to yellow, as profiles hold it. */
const HUE: Interval = [-128, 127]

const repeated = (range: Interval, count: number): readonly Interval[] =>
  Array.from({ length: count }, () => range)

export const GREY = repeated(LIGHT, 1)
export const RGB = repeated(LIGHT, 3)
export const CMYK = repeated(INK, 4)
export const LAB: readonly Interval[] = [LIGHTNESS, HUE, HUE]
/** Amounts of inks, or of light that a profile or a calibration defines. */
export const fractions = (count: number): readonly Interval[] => repeated(INK, count)

/** Whether there is an amount for each range, and within it. */
export const areWithin = (amounts: readonly number[], ranges: readonly Interval[]): boolean =>
  amounts.length === ranges.length &&
  ranges.every(([low, high], index) => {
    const amount = amounts[index] ?? Number.NaN
    return low <= amount && amount <= high
  })

/** Whether all that is in the first ranges is within the others. */
export const fits = (ranges: readonly Interval[], others: readonly Interval[]): boolean =>
  [0, 1].every((end) =>
    areWithin(
      ranges.map((range) => range[end]),
      others,
    ),
  )
