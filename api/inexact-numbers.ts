/**
 * Finds numbers in a JSON text that a double cannot hold (RFC 8259, 6): beyond its range, or so
 * small that it is 0. In a part of the text, also those with more digits than it has.
 */
import { pointerTo } from './duplicate-names.ts'

/** No other text can hold such a number: nearly all are read without a second look. */
const SUSPECT = /\d{16}|[\d.]{17}|\d[eE]/
/** A text, a number, or a character of structure; no two parts share an octet. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|[{}[\],:]/g
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

/** Digits that a number has too many are rounded, as every reader of JSON does. */
function isInRange(source: string): boolean {
  const value = Number(source)
  return Number.isFinite(value) && (value !== 0 || canonicalDecimal(source) === '0')
}

/** Name of the current member of an object, undefined before the first; position in an array. */
interface Level {
  at: string | number | undefined
}

const isWithin = (levels: readonly Level[], path: readonly string[]): boolean =>
  path.every((name, depth) => levels[depth]?.at === name)

export interface InexactNumber {
  /** As written. */
  number: string
  /** JSON pointer. */
  instancePath: string
}

/**
 * @param text valid JSON in which no object has a name twice
 * @param exactPath names of the objects that lead to the part whose numbers may not change at all,
 *   because they are sent back as they came
 * @returns the first such number, or undefined
 */
export function findInexactNumber(
  text: string,
  exactPath: readonly string[],
): InexactNumber | undefined {
  if (!SUSPECT.test(text)) return undefined
  const levels: Level[] = []
  let lastText = ''
  for (const [token] of text.matchAll(TOKEN)) {
    const level = levels.at(-1)
    if (token === '{') levels.push({ at: undefined })
    else if (token === '[') levels.push({ at: 0 })
    else if (token === '}' || token === ']') levels.pop()
    else if (token === ',') {
      if (typeof level?.at === 'number') level.at += 1
    } else if (token.startsWith('"')) lastText = token
    else if (token === ':') {
      if (level) level.at = JSON.parse(lastText) as string
    } else if (!(isWithin(levels, exactPath) ? isKept(token) : isInRange(token))) {
      return { number: token, instancePath: pointerTo(levels.map(({ at = '' }) => at)) }
    }
  }
  return undefined
}
