/**
 * Finds numbers in a JSON text that this service could not send back as they came (RFC 8259, 6):
 * beyond the range of a double, so small that one holds 0, or with more digits than one holds.
 */

/** No other text can hold such a number: nearly all are read without a second look. */
const SUSPECT = /\d{16}|\d[eE]/
/** At least sixteen digits, perhaps with a point between them, or an exponent. */
const SUSPECT_FRACTION = /[\d.]{17}|\d[eE]/
/** A text, of which nothing is taken for a number, or a number; no two parts share an octet. */
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g
/** The same, and every character of structure. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|[{}[\],:]/g
const LONG_INTEGER = /^-?\d{16,}$/
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** A loop, because a regular expression takes the square of the length of a run of zeros. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length
  while (end > 0 && digits[end - 1] === '0') end -= 1
  return digits.slice(0, end)
}

/** A number as its digits and the power of ten of the last one: equal numbers have equal texts. */
function canonicalDecimal(source: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER.exec(source) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = withoutTrailingZeros(digits)
  if (significant === '') return '0'
  const power = Number(exponent) - fraction.length + digits.length - significant.length
  return `${sign}${significant}e${power}`
}

/** Whether the number can be sent back without a change, spelled in this way or another. */
const isKept = (source: string): boolean =>
  canonicalDecimal(source) === canonicalDecimal(String(Number(source)))

/** Digits that a fraction has too many are rounded, as every reader of JSON does. */
function isExact(source: string): boolean {
  const value = Number(source)
  if (!Number.isFinite(value)) return false
  if (value === 0) return canonicalDecimal(source) === '0'
  return !LONG_INTEGER.test(source) || isKept(source)
}

/** @param text valid JSON @returns the first such number as written, or undefined */
export function inexactNumber(text: string): string | undefined {
  if (!SUSPECT.test(text)) return undefined
  for (const [found] of text.matchAll(TEXT_OR_NUMBER)) {
    if (!found.startsWith('"') && !isExact(found)) return found
  }
  return undefined
}

/**
 * Finds a number that would come back changed, also a fraction with too many digits, in a part of
 * a body that is sent back as it came.
 *
 * @param text valid JSON in which no object has a name twice
 * @param path names of the objects that lead to the part
 * @returns the source text of the number, or undefined
 */
export function changedNumber(text: string, path: readonly string[]): string | undefined {
  if (!SUSPECT_FRACTION.test(text)) return undefined
  /** The name of the current member at each depth; of an array, undefined. */
  const names: (string | undefined)[] = []
  let lastText = ''
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') names.push(undefined)
    else if (token === '}' || token === ']') names.pop()
    else if (token === ':') names[names.length - 1] = JSON.parse(lastText) as string
    else if (token.startsWith('"')) lastText = token
    else if (token !== ',' && isWithin(names, path) && !isKept(token)) return token
  }
  return undefined
}

const isWithin = (names: readonly (string | undefined)[], path: readonly string[]): boolean =>
  path.every((name, depth) => names[depth] === name)
