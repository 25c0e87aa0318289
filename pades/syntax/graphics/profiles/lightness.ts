/**
 * How light readers without colour management show amounts of light or ink: with a profile that
 * differs much, they show what other readers hide.
 */

/** Amounts of one colour: of grey, of red, green and blue, or of four inks. */
export type Amounts = readonly number[]

/** Shares of red, green and blue in the luminance of white (IEC 61966-2-1). */
const LUMINANCE = [0.2126, 0.7152, 0.0722] as const
/** Luminance of paper under cyan, magenta, yellow and black, as usual printing inks have it. */
const INKS = [0.24, 0.17, 0.74, 0.02] as const

/** Ink spreads on paper: less of it leaves this power of the rest. */
const DOT_GAIN = 1.6

/**
 * Bounds of the lightness with a profile, of that without one. Black may be as light as on a
 * newspaper, and paper as dark as light grey; but what differs much without it still differs.
 */
const LIGHTEST = { ofBlack: 45, slope: 0.65 }
const DARKEST = { ofBlack: -35, slope: 1.2 }

/** IEC 61966-2-1, 5.2. */
const linear = (amount: number): number =>
  amount <= 0.04045 ? amount / 12.92 : ((amount + 0.055) / 1.055) ** 2.4

/**
 * Lightness L* of a luminance (ISO/CIE 11664-4).
 *
 * @param luminance from 0 to 1
 * @returns from 0 to 100
 */
export const lightnessOf = (luminance: number): number =>
  luminance > 216 / 24389 ? 116 * Math.cbrt(luminance) - 16 : (luminance * 24389) / 27

/** Lightness of amounts of light (one or three) or ink (four) without a profile, from 0 to 100. */
export function plainLightness(amounts: Amounts): number {
  if (amounts.length === INKS.length) {
    const luminance = amounts.reduce((product, ink, index) => {
      const covered = 1 - (1 - ink) ** DOT_GAIN
      return product * (1 - (1 - INKS[index]) * covered)
    }, 1)
    return lightnessOf(luminance)
  }
  const parts = amounts.length === 1 ? Array<number>(3).fill(amounts[0]) : amounts
  const luminances = parts.map((part, index) => LUMINANCE[index] * linear(part))
  return lightnessOf(luminances.reduce((sum, part) => sum + part, 0))
}

/** Whether a lightness is near one of those that lie between two others. */
export function isNear(lightness: number, first: number, second = first): boolean {
  const [low, high] = [Math.min(first, second), Math.max(first, second)]
  return (
    lightness >= DARKEST.ofBlack + DARKEST.slope * low &&
    lightness <= LIGHTEST.ofBlack + LIGHTEST.slope * high
  )
}
