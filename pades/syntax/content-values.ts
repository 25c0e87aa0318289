/** Reads operands of content streams from their source (ISO 32000-2, 7.8.2 and 8.4.3). */

/** Only some readers draw the corners of lines that are sharper; producers state 10 at most. */
export const MOST_MITER_LIMIT = 100

/** Operands as numbers; a point alone is zero. */
export const numbersIn = (source: string): number[] =>
  (source.match(/[^\0\t\n\f\r ]+/g) ?? []).map((text) => (text === '.' ? 0 : Number(text)))

/** Whether a matrix maps everything to a line or a point. */
export const isFlat = ([a = 0, b = 0, c = 0, d = 0]: readonly number[]): boolean => a * d === b * c

/** A string that is empty, also one that only continues on further lines (7.3.4.2). */
const EMPTY_STRING = /\((?:\\(?:\r\n?|\n))*\)|<[\0\t\n\f\r ]*>/

/** Whether each of the strings has a character, and there is one. */
export const hasCharacters = (source: string): boolean =>
  /[(<]/.test(source) && !EMPTY_STRING.test(source)

/** Whether all readers draw corners up to a limit alike. */
export const isMiterLimit = (limit: number): boolean => limit >= 0 && limit <= MOST_MITER_LIMIT

/** A pattern of lengths that are not negative, and not all zero, which begins at its start. */
export function isDash(source: string): boolean {
  const [, inner = '', phase = ''] = /^\s*\[([^\]]*)\](.*)$/s.exec(source) ?? []
  const lengths = inner.trim()
  if (lengths === '') return true
  // MuPDF draws another part of the pattern.
  if (numbersIn(phase).some((start) => start < 0)) return false
  const numbers = numbersIn(lengths)
  // PDFium repeats the last of three lengths as a gap, others begin again with the first one.
  const isAlternating = numbers.length % 2 === 0 || new Set(numbers).size === 1
  if (!isAlternating) return false
  return numbers.every((length) => length >= 0) && numbers.some((length) => length > 0)
}
