/** The operators of content streams and the kinds of their operands (ISO 32000-2, annex A). */
import type { Buffer } from 'node:buffer'
import {
  FULL_STOP,
  isDigit,
  LEFT_BRACKET,
  LEFT_PARENTHESIS,
  LESS_THAN,
  MINUS,
  PLUS,
  SOLIDUS,
} from '../pdf/characters.ts'

/** A number, a name, a string, an array of numbers and strings, or any other value. */
export type OperandKind = 'n' | '/' | '(' | '[' | '*'

/** Operators by the kinds of their operands. */
const OPERANDS: Readonly<Record<string, string>> = {
  '': 'b B b* B* BT BX EMC ET EX f F f* h n q Q s S T* W W*',
  n: 'G g i j J M Tc TL Tr Ts Tw Tz w',
  nn: 'd0 l m Td TD',
  nnn: 'RG rg',
  nnnn: 'K k re v y',
  nnnnnn: 'c cm d1 Tm',
  '/': 'BMC CS cs Do gs MP ri sh',
  '/n': 'Tf',
  '/*': 'BDC DP',
  '(': "Tj '",
  'nn(': '"',
  '[': 'TJ',
  '[n': 'd',
}
/** Their operands depend on the colour space: amounts, the name of a pattern, or both. */
const COLOUR_OPERATORS: ReadonlySet<string> = new Set(['SC', 'sc', 'SCN', 'scn'])
const COLOUR_KINDS = /^n*\/?$/
/** pdf.js ends the content at an operator with more operands. */
const MAX_IGNORED = 32

/** They show glyphs. */
export const SHOWING: ReadonlySet<string> = new Set(['Tj', 'TJ', "'", '"'])

const KINDS: ReadonlyMap<string, string> = new Map(
  Object.entries(OPERANDS).flatMap(([kinds, names]) =>
    names.split(' ').map((name) => [name, kinds] as const),
  ),
)
/** More than any operator takes; further operands are not kept. */
export const MAX_KINDS = 64

/** Whether an operator exists. */
export const isOperator = (name: string): boolean => KINDS.has(name) || COLOUR_OPERATORS.has(name)

const MOST_CHARACTERS = 3
const keyOf = (first: number, second = 0, third = 0) => first | (second << 8) | (third << 16)
/** Operators by their bytes, so that a page of a million operators makes no million strings. */
const BY_BYTES: ReadonlyMap<number, string> = new Map(
  [...KINDS.keys(), ...COLOUR_OPERATORS].map((name) => {
    const bytes = [...name].map((character) => character.charCodeAt(0))
    return [keyOf(...(bytes as [number])), name] as const
  }),
)

/** The operator that the bytes from `start` to `end` are; undefined when they are none. */
export function operatorAt(data: Buffer, start: number, end: number): string | undefined {
  const length = end - start
  if (length > MOST_CHARACTERS) return undefined
  const second = length > 1 ? data[start + 1] : 0
  const third = length > 2 ? data[start + 2] : 0
  return BY_BYTES.get(keyOf(data[start] as number, second, third))
}

/**
 * Judges the operands of an operator that exists.
 *
 * @param kinds of the operands, the first {@link MAX_KINDS} of them
 */
export function areRightOperands(name: string, kinds: string): boolean {
  const expected = KINDS.get(name)
  if (kinds.length > MAX_IGNORED + 1) return false
  if (expected === undefined) return COLOUR_KINDS.test(kinds)
  // Readers ignore operands before an operator that takes none.
  if (expected === '') return kinds.length <= MAX_IGNORED
  // Properties are a name or a dictionary.
  return expected === '/*' ? kinds === '/*' || kinds === '//' : kinds === expected
}

/** The kind of an operand by its first two bytes. */
export function kindOf(byte: number, next: number): OperandKind {
  if (byte === SOLIDUS) return '/'
  if (byte === LEFT_PARENTHESIS || (byte === LESS_THAN && next !== LESS_THAN)) return '('
  if (byte === LEFT_BRACKET) return '['
  const isNumber = isDigit(byte) || byte === PLUS || byte === MINUS || byte === FULL_STOP
  return isNumber ? 'n' : '*'
}
