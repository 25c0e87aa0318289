/**
 * Judges calibrated colour spaces (ISO 32000-2, 8.6.5.2 to 8.6.5.4). Some readers calculate with
 * their parameters and some do not, so these must make about the colours that all show.
 */
import type { PdfDictionary } from '../../pdf/values.ts'
import { areWithin, fractions, type Interval, LAB } from './amounts.ts'
import { type GraphicsContext, readNumbers } from './context.ts'
import { formula } from './profiles/curves.ts'
import { isPlainCurve, isPlainMatrix, WHITE } from './profiles/light.ts'

/** Readers that use it darken all colours; it is mostly zero. */
const BLACK: readonly Interval[] = [
  [0, 0.1],
  [0, 0.1],
  [0, 0.1],
]
/** Other readers do not limit colours to a smaller range. */
const LEAST_RANGE = 60

/**
 * Reads the ranges of the amounts of a calibrated space.
 *
 * @param entries its dictionary
 * @returns undefined when readers may show other colours
 */
export function readCalibratedRanges(
  context: GraphicsContext,
  family: string,
  entries: PdfDictionary,
): readonly Interval[] | undefined {
  const numbers = (key: string) => readNumbers(context, entries.get(key)) ?? []
  if (!areWithin(numbers('WhitePoint'), WHITE)) return undefined
  if (entries.has('BlackPoint') && !areWithin(numbers('BlackPoint'), BLACK)) return undefined
  switch (family) {
    case 'CalGray': {
      const gamma = context.document.resolve(entries.get('Gamma')) ?? 1
      return typeof gamma === 'number' && isPlainGamma(gamma) ? fractions(1) : undefined
    }
    case 'CalRGB': {
      const gammas = entries.has('Gamma') ? numbers('Gamma') : [1, 1, 1]
      const matrix = numbers('Matrix')
      const columns = [0, 3, 6].map((start) => matrix.slice(start, start + 3))
      const isPlain = gammas.length === 3 && gammas.every(isPlainGamma) && isPlainMatrix(columns)
      return isPlain ? fractions(3) : undefined
    }
    default: {
      // Ghostscript shows black or white without the entry.
      const range = numbers('Range')
      const isWide = range.every((end, index) =>
        index % 2 === 0 ? end <= -LEAST_RANGE : end >= LEAST_RANGE,
      )
      return range.length === 4 && isWide ? LAB : undefined
    }
  }
}

const isPlainGamma = (gamma: number): boolean =>
  isPlainCurve(
    formula((amount) => amount ** gamma),
    'XYZ',
  )
