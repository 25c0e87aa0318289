/**
 * Finds numbers in a JSON text that this service could not send back as they came: beyond the range
 * of a double, or whole with more digits than one holds (RFC 8259, 6).
 */

/** No other text can hold such a number: nearly all are read without a second look. */
const SUSPECT = /\d{16}|\d[eE]/
/** A text, of which nothing is taken for a number, or a number; no two parts share an octet. */
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g
const LONG_INTEGER = /^-?\d{16,}$/

/** Digits that a fraction has too many are rounded, as every reader of JSON does. */
function isExact(source: string): boolean {
  const value = Number(source)
  if (!Number.isFinite(value)) return false
  return !LONG_INTEGER.test(source) || String(value) === source
}

/** @param text valid JSON @returns the first such number as it stands there, or undefined */
export function inexactNumber(text: string): string | undefined {
  if (!SUSPECT.test(text)) return undefined
  for (const [found] of text.matchAll(TEXT_OR_NUMBER)) {
    if (!found.startsWith('"') && !isExact(found)) return found
  }
  return undefined
}
