/** Judges compact font programs (Adobe Technical Note 5176, the Compact Font Format). */
import type { Buffer } from 'node:buffer'

const HEADER_BYTES = 4
const MAX_OFFSET_BYTES = 4
const CHAR_STRINGS = 17
const ESCAPE = 12
const FIRST_NUMBER = 28
const REAL = 30
const REAL_END = 0x0f

/** Parts of an INDEX, and where it ends. */
interface Index {
  readonly parts: readonly Buffer[]
  readonly end: number
}

/** Whether every reader finds the glyphs of a program: one font with an INDEX of its outlines. */
export function isCompactFont(program: Buffer): boolean {
  if (program.length < HEADER_BYTES || program[0] !== 1) return false
  const names = readIndex(program, program[2])
  const dictionaries = names && readIndex(program, names.end)
  const strings = dictionaries && readIndex(program, dictionaries.end)
  if (!strings || !readIndex(program, strings.end)) return false
  // Readers choose differently among several fonts.
  if (names.parts.length !== 1 || dictionaries.parts.length !== 1) return false
  const offset = charStringsOffset(dictionaries.parts[0])
  const outlines = offset === undefined ? undefined : readIndex(program, offset)
  return outlines !== undefined && outlines.parts.length > 0
}

/**
 * @param at offset; a program can state a negative one
 * @returns undefined when a part lies beyond the end or before the part before it
 */
function readIndex(program: Buffer, at: number): Index | undefined {
  if (at < 0 || at + 2 > program.length) return undefined
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

/** The operand of CharStrings in a Top DICT (table 9). */
function charStringsOffset(dictionary: Buffer): number | undefined {
  let offset: number | undefined
  let operand: number | undefined
  for (let at = 0; at < dictionary.length;) {
    const byte = dictionary[at]
    if (byte < FIRST_NUMBER) {
      if (byte === CHAR_STRINGS) offset = operand
      operand = undefined
      at += byte === ESCAPE ? 2 : 1
    } else {
      const { value, length } = readOperand(dictionary, at)
      operand = value
      at += length
    }
  }
  return offset
}

/** Table 3. */
function readOperand(data: Buffer, at: number): { value: number | undefined; length: number } {
  const byte = data[at]
  if (byte === REAL) return { value: undefined, length: realLength(data, at) }
  if (byte >= 32 && byte <= 246) return { value: byte - 139, length: 1 }
  if (byte >= 247 && byte <= 250) {
    return { value: (byte - 247) * 256 + (data[at + 1] ?? 0) + 108, length: 2 }
  }
  if (byte >= 251 && byte <= 254) {
    return { value: -(byte - 251) * 256 - (data[at + 1] ?? 0) - 108, length: 2 }
  }
  const length = byte === FIRST_NUMBER ? 2 : 4
  const isWhole = at + 1 + length <= data.length
  return { value: isWhole ? data.readIntBE(at + 1, length) : undefined, length: 1 + length }
}

function realLength(data: Buffer, at: number): number {
  let end = at + 1
  while (end < data.length && (data[end] & REAL_END) !== REAL_END) end += 1
  return end - at + 1
}
