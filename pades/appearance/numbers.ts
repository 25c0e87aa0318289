/** Numbers as PDF source (ISO 32000-2, 7.3.3: no exponents). */

/** Hundredths of a point are finer than any printer. */
const DECIMALS = 2

/** Writes numbers with at most two decimals, separated by spaces. */
export function pdfNumbers(...values: readonly number[]): string {
  return values.map((value) => String(Number(value.toFixed(DECIMALS)) || 0)).join(' ')
}
