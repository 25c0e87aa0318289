/** Judges compact font programs (Adobe Technical Note 5176, the Compact Font Format). */
import type { Buffer } from 'node:buffer'
import { type BuiltInNames, NOT_DEFINED } from './built-in-names.ts'
import { STANDARD_STRINGS, standardName } from './standard-strings.ts'

const HEADER_BYTES = 4
const MAX_OFFSET_BYTES = 4
const [CHARSET, ENCODING, CHAR_STRINGS] = [15, 16, 17]
const ESCAPE = 12
/** First of the operators behind an escape. */
const ESCAPED = 1_000
const [FONT_MATRIX, REGISTRY] = [ESCAPED + 7, ESCAPED + 30]
const DEFAULT_UNIT = 0.001
const CODES = 256
const SUPPLEMENT = 0x80
const FIRST_NUMBER = 28
const REAL = 30
const REAL_END = 0x0f

/** Parts of an INDEX, and where it ends. */
interface Index {
  readonly parts: readonly Buffer[]
  readonly end: number
}

/** Parts of a compact font with one font. */
interface CompactFont {
  /** Operands of the Top DICT by operator. */
  readonly entries: Entries
  readonly strings: readonly Buffer[]
  readonly glyphs: number
}

/** Whether every reader finds the glyphs of a program: one font with an INDEX of its outlines. */
export const isCompactFont = (program: Buffer): boolean => readCompactFont(program) !== undefined

function readCompactFont(program: Buffer): CompactFont | undefined {
  if (program.length < HEADER_BYTES || program[0] !== 1) return undefined
  const names = readIndex(program, program[2])
  const dictionaries = names && readIndex(program, names.end)
  const strings = dictionaries && readIndex(program, dictionaries.end)
  if (!strings || !readIndex(program, strings.end)) return undefined
  // Readers choose differently among several fonts.
  if (names.parts.length !== 1 || dictionaries.parts.length !== 1) return undefined
  const entries = readEntries(dictionaries.parts[0])
  const arePlaced = [CHARSET, ENCODING].every((operator) => {
    const at = entries.get(operator)?.at(-1) ?? 0
    return Number.isInteger(at) && at >= 0 && at < program.length
  })
  if (!arePlaced) return undefined
  const offset = entries.get(CHAR_STRINGS)?.at(-1)
  const outlines = offset === undefined ? undefined : readIndex(program, offset)
  if (!outlines || outlines.parts.length === 0 || !hasKnownMatrix(entries)) return undefined
  return { entries, strings: strings.parts, glyphs: outlines.parts.length }
}

/** Sizes of a unit of the outlines; readers limit or replace others. */
const [LEAST_UNIT, MOST_UNIT] = [0.00001, 0.1]

/** Whether the matrix of the outlines is one that all readers apply. */
function hasKnownMatrix(entries: Entries): boolean {
  const matrix = entries.get(FONT_MATRIX)
  if (!matrix) return true
  const [a = 0, b = 0, c = 0, d = 0] = matrix.map(Math.abs)
  return [Math.max(a, b), Math.max(c, d)].every((unit) => unit >= LEAST_UNIT && unit <= MOST_UNIT)
}

/** Units of the em square by the matrix of the outlines. */
export function compactUnitsPerEm(program: Buffer): number {
  const [unit = DEFAULT_UNIT] = readCompactFont(program)?.entries.get(FONT_MATRIX) ?? []
  return 1 / unit
}

/**
 * Reads the names of the glyphs and the encoding of a program.
 *
 * @returns undefined when its glyphs have no names that are judged
 */
export function readCompactNames(program: Buffer): BuiltInNames | undefined {
  const font = readCompactFont(program)
  if (!font || font.entries.has(REGISTRY)) return undefined
  const numbers = readCharset(program, font)
  const names = numbers?.map((number) => stringOf(font, number))
  const codes = names && readCodes(program, font, names)
  return names && codes && { names: new Set(names), namesOf: (code) => [codes.get(code)] }
}

function stringOf({ strings }: CompactFont, number: number): string {
  const own = strings[number - STANDARD_STRINGS.length]?.toString('latin1')
  return STANDARD_STRINGS[number] ?? own ?? NOT_DEFINED
}

/** Clause 13. @returns the number of the name of each glyph */
function readCharset(program: Buffer, { entries, glyphs }: CompactFont): number[] | undefined {
  const at = entries.get(CHARSET)?.at(-1) ?? 0
  if (at === 0) return Array.from({ length: glyphs }, (_, glyph) => glyph)
  // Those of experts.
  if (at <= 2) return undefined
  const format = program[at]
  const numbers = [0]
  const leftBytes = format === 2 ? 2 : 1
  for (let next = at + 1; numbers.length < glyphs;) {
    if (format > 2 || next + 2 + leftBytes > program.length) return undefined
    const first = program.readUInt16BE(next)
    const left = format === 0 ? 0 : program.readUIntBE(next + 2, leftBytes)
    for (let index = 0; index <= left; index += 1) numbers.push(first + index)
    next += format === 0 ? 2 : 2 + leftBytes
  }
  return numbers.slice(0, glyphs)
}

/** Clause 12. @returns names by codes */
function readCodes(
  program: Buffer,
  font: CompactFont,
  names: readonly string[],
): ReadonlyMap<number, string> | undefined {
  const at = font.entries.get(ENCODING)?.at(-1) ?? 0
  const codes = new Map<number, string>()
  if (at === 0) {
    const known = new Set(names)
    for (let code = 0; code < CODES; code += 1) {
      const name = standardName(code)
      if (name !== undefined && known.has(name)) codes.set(code, name)
    }
    return codes
  }
  const format = program[at]
  const count = program[at + 1]
  if (at === 1 || count === undefined || (format & ~SUPPLEMENT) > 1) return undefined
  let glyph = 1
  let next = at + 2
  for (let index = 0; index < count; index += 1) {
    const isRange = (format & ~SUPPLEMENT) === 1
    const left = isRange ? (program[next + 1] ?? 0) : 0
    for (let more = 0; more <= left; more += 1) {
      codes.set((program[next] ?? 0) + more, names[glyph] ?? NOT_DEFINED)
      glyph += 1
    }
    next += isRange ? 2 : 1
  }
  // Codes that a supplement adds have another glyph for some readers.
  return (format & SUPPLEMENT) === 0 ? codes : undefined
}

/**
 * @param at offset; a program can state a negative one
 * @returns undefined when a part lies beyond the end or before the part before it
 */
function readIndex(program: Buffer, at: number): Index | undefined {
  if (!Number.isInteger(at) || at < 0 || at + 2 > program.length) return undefined
  const count = program.readUInt16BE(at)
  if (count === 0) return { parts: [], end: at + 2 }
  const size = program[at + 2] ?? 0
  const first = at + 3 + (count + 1) * size
  if (size < 1 || size > MAX_OFFSET_BYTES || first > program.length) return undefined
  const offsetOf = (index: number) => first - 1 + program.readUIntBE(at + 3 + index * size, size)
  const parts: Buffer[] = []
  let start = offsetOf(0)
  if (start !== first) return undefined
  for (let index = 1; index <= count; index += 1) {
    const end = offsetOf(index)
    if (end < start || end > program.length) return undefined
    parts.push(program.subarray(start, end))
    start = end
  }
  return { parts, end: start }
}

type Entries = ReadonlyMap<number, readonly number[]>

/** The entries of a Top DICT (table 9); operators behind an escape from {@link ESCAPED} on. */
function readEntries(dictionary: Buffer): Entries {
  const entries = new Map<number, readonly number[]>()
  let operands: number[] = []
  for (let at = 0; at < dictionary.length;) {
    const byte = dictionary[at]
    if (byte < FIRST_NUMBER) {
      const isEscaped = byte === ESCAPE
      entries.set(isEscaped ? ESCAPED + (dictionary[at + 1] ?? 0) : byte, operands)
      operands = []
      at += isEscaped ? 2 : 1
    } else {
      const { value, length } = readOperand(dictionary, at)
      operands.push(value)
      at += length
    }
  }
  return entries
}

/** Table 3. */
function readOperand(data: Buffer, at: number): { value: number; length: number } {
  const byte = data[at]
  if (byte === REAL) return readReal(data, at)
  if (byte >= 32 && byte <= 246) return { value: byte - 139, length: 1 }
  if (byte >= 247 && byte <= 250) {
    return { value: (byte - 247) * 256 + (data[at + 1] ?? 0) + 108, length: 2 }
  }
  if (byte >= 251 && byte <= 254) {
    return { value: -(byte - 251) * 256 - (data[at + 1] ?? 0) - 108, length: 2 }
  }
  const length = byte === FIRST_NUMBER ? 2 : 4
  const isWhole = at + 1 + length <= data.length
  return { value: isWhole ? data.readIntBE(at + 1, length) : NaN, length: 1 + length }
}

const REAL_DIGITS = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '.', 'E', 'E-', '', '-']

/** Table 5. */
function readReal(data: Buffer, at: number): { value: number; length: number } {
  let source = ''
  for (let end = at + 1; end < data.length; end += 1) {
    for (const digit of [data[end] >> 4, data[end] & REAL_END]) {
      if (digit === REAL_END) return { value: Number(source), length: end - at + 1 }
      source += REAL_DIGITS[digit]
    }
  }
  return { value: NaN, length: data.length - at }
}
