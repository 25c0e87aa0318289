/**
 * Reads values of PDF syntax from bytes, forgiving what readers forgive (ISO 32000-2, 7.2 and 7.3).
 */
import type { Buffer } from 'node:buffer'

import { PadesError } from '../errors.ts'
import {
  CLASS_OF,
  CR,
  DELIMITER,
  DIGIT_ZERO,
  FULL_STOP,
  GREATER_THAN,
  isDigit,
  LEFT_BRACKET,
  LEFT_PARENTHESIS,
  LESS_THAN,
  LETTER_R,
  LF,
  MINUS,
  PERCENT,
  PLUS,
  REGULAR,
  RIGHT_BRACKET,
  SOLIDUS,
  SPACE,
  TAB,
  WHITE,
} from './characters.ts'
import { MAX_DEPTH, MAX_NAME_BYTES } from './limits.ts'
import { hashWith, knownName, newName } from './names.ts'
import { hexStringBytes, literalStringEnd, unescapedString } from './strings.ts'
import { PdfReference, PdfStream, type PdfName, PdfString, type PdfValue } from './values.ts'

/** Represents a keyword that is not a value: `endobj`, `stream`, an operator, garbage. */
const KEYWORD = Symbol('keyword')
/** These end a container that was never closed. */
const ENDING_KEYWORDS = new Set([
  'endobj',
  'obj',
  'stream',
  'endstream',
  'xref',
  'trailer',
  'startxref',
])
const LONGEST_KEYWORD = 16

/** What a value takes of the memory, in units of a number. */
const WEIGHT = {
  number: 1,
  name: 2,
  escapedName: 8,
  string: 4,
  reference: 2,
  array: 4,
  dictionary: 8,
} as const

export interface IndirectObject {
  readonly number: number
  readonly generation: number
  readonly value: PdfValue
  /** Offset of `number`. */
  readonly start: number
  /** Offset after the value (for a stream: of its first encoded byte). */
  readonly end: number
}

/**
 * A position in bytes and the reading of values from it.
 *
 * Damage never throws: what readers show, it reads. A container that is not closed ends at the next
 * keyword of the file's own structure, a bracket that closes nothing and a word that means nothing
 * are null. Only what would take too much memory is refused, by weight:
 *
 * ```ts
 * const bytes = Buffer.from('12 0 obj << /Kids [3 0 R (a\\)b)] /Broken [1 2 endobj')
 * const parser = new Parser(bytes, 0, bytes.length, 10_000)
 * parser.readIndirectObject()
 * // { number: 12, generation: 0, start: 0, value: Map {
 * //   'Kids' => [PdfReference 3 0, PdfString 'a)b'], 'Broken' => [1, 2] } … }
 * parser.takeKeyword('endobj') // true
 * ```
 */
export class Parser {
  readonly #bytes: Buffer
  readonly #end: number
  position: number
  /** Sum of the weights of all values read. */
  weight = 0
  /** Whether a number with a point was read. */
  hasReals = false
  readonly #maxWeight: number

  /** @param maxWeight of all values that this parser may make */
  constructor(bytes: Buffer, position: number, end: number, maxWeight: number) {
    this.#bytes = bytes
    this.#end = Math.min(end, bytes.length)
    this.position = position
    this.#maxWeight = maxWeight
  }

  /** Steps over white space and comments. */
  skipWhiteSpace(): void {
    const bytes = this.#bytes
    const end = this.#end
    let at = this.position
    while (at < end) {
      const byte = bytes[at]
      if (CLASS_OF[byte] === WHITE) {
        at += 1
        continue
      }
      if (byte !== PERCENT) break
      while (at < end && bytes[at] !== LF && bytes[at] !== CR) at += 1
    }
    this.position = at
  }

  /** Steps over a keyword, or reports that it is missing. */
  takeKeyword(keyword: string): boolean {
    this.skipWhiteSpace()
    const start = this.position
    const end = start + keyword.length
    if (end > this.#end) return false
    for (let index = 0; index < keyword.length; index += 1) {
      if (this.#bytes[start + index] !== keyword.charCodeAt(index)) return false
    }
    this.position = end
    return true
  }

  /** Reads a number without sign and fraction, or says that there is none. */
  takeInteger(): number | undefined {
    this.skipWhiteSpace()
    const start = this.position
    let at = start
    let value = 0
    while (at < this.#end && isDigit(this.#bytes[at])) {
      value = value * 10 + (this.#bytes[at] - DIGIT_ZERO)
      at += 1
    }
    if (at === start || !Number.isSafeInteger(value)) return undefined
    this.position = at
    return value
  }

  /** Reads `1 0 obj` and the value behind it, or says that no object begins here. */
  readIndirectObject(): IndirectObject | undefined {
    this.skipWhiteSpace()
    const start = this.position
    const number = this.takeInteger()
    const generation = number === undefined ? undefined : this.takeInteger()
    if (number === undefined || generation === undefined || !this.takeKeyword('obj')) {
      this.position = start
      return undefined
    }
    const value = this.readValue()
    if (!(value instanceof Map)) return { number, generation, value, start, end: this.position }
    const end = this.position
    if (!this.takeKeyword('stream')) return { number, generation, value, start, end }
    this.#skipSpacesBeforeLineEnd()
    if (this.#bytes[this.position] === CR) this.position += 1
    if (this.#bytes[this.position] === LF) this.position += 1
    const stream = new PdfStream(value, this.position)
    return { number, generation, value: stream, start, end: this.position }
  }

  #skipSpacesBeforeLineEnd(): void {
    let at = this.position
    while (at < this.#end && (this.#bytes[at] === SPACE || this.#bytes[at] === TAB)) at += 1
    if (this.#bytes[at] === CR || this.#bytes[at] === LF) this.position = at
  }

  /**
   * Reads one value; what is not a value reads as null.
   *
   * @throws PadesError `LIMIT_EXCEEDED` - nested too deeply or too many values
   */
  readValue(): PdfValue {
    const value = this.#read(0)
    return value === KEYWORD ? null : value
  }

  /** @param depth containers around the value */
  #read(depth: number): PdfValue | typeof KEYWORD {
    this.skipWhiteSpace()
    if (this.position >= this.#end) return null
    const byte = this.#bytes[this.position]
    switch (byte) {
      case SOLIDUS:
        return this.#readName()
      case LEFT_PARENTHESIS:
        return this.#readLiteralString()
      case LEFT_BRACKET:
        return this.#readArray(depth)
      case LESS_THAN:
        return this.#bytes[this.position + 1] === LESS_THAN
          ? this.#readDictionary(depth)
          : this.#readHexString()
      default:
    }
    if (isDigit(byte) || byte === PLUS || byte === MINUS || byte === FULL_STOP)
      return this.#readNumber()
    if (CLASS_OF[byte] === DELIMITER) {
      // A bracket that closes nothing.
      this.position += 1
      return null
    }
    return this.#readKeyword()
  }

  #weigh(weight: number): void {
    this.weight += weight
    if (this.weight > this.#maxWeight) throw new PadesError('LIMIT_EXCEEDED')
  }

  #endOfToken(from: number): number {
    let at = from
    while (at < this.#end && CLASS_OF[this.#bytes[at]] === REGULAR) at += 1
    return at
  }

  #readKeyword(): PdfValue | typeof KEYWORD {
    const start = this.position
    const end = this.#endOfToken(start)
    this.position = end
    if (end - start > LONGEST_KEYWORD) return KEYWORD
    switch (this.#bytes.toString('latin1', start, end)) {
      case 'true':
        return true
      case 'false':
        return false
      case 'null':
        return null
      default:
        return KEYWORD
    }
  }

  /** After a keyword within a container: whether it ends the container, which stays unclosed. */
  #endsContainer(start: number): boolean {
    const end = Math.min(this.position, start + LONGEST_KEYWORD)
    const keyword = this.#bytes.toString('latin1', start, end)
    if (!ENDING_KEYWORDS.has(keyword)) return false
    this.position = start
    return true
  }

  #readName(): PdfName {
    const start = this.position + 1
    let end = start
    let hash = 0
    while (end < this.#end && CLASS_OF[this.#bytes[end]] === REGULAR) {
      hash = hashWith(hash, this.#bytes[end])
      end += 1
    }
    this.position = end
    if (end - start > MAX_NAME_BYTES) throw new PadesError('LIMIT_EXCEEDED')
    this.#weigh(WEIGHT.name)
    const known = knownName(this.#bytes, start, end, hash)
    if (known) return known
    const raw = this.#bytes.toString('latin1', start, end)
    if (raw.includes('#')) this.#weigh(WEIGHT.escapedName)
    return newName(raw, hash)
  }

  /** A number, or the reference that it begins. */
  #readNumber(): number | PdfReference {
    const bytes = this.#bytes
    const end = this.#end
    let at = this.position
    let sign = 1
    while (at < end && (bytes[at] === MINUS || bytes[at] === PLUS)) {
      if (bytes[at] === MINUS) sign = -1
      at += 1
    }
    const digits = at
    let value = 0
    while (at < end && isDigit(bytes[at])) {
      value = value * 10 + (bytes[at] - DIGIT_ZERO)
      at += 1
    }
    this.#weigh(WEIGHT.number)
    if (at < end && bytes[at] === FULL_STOP) return this.#readFraction(at + 1, sign, value)
    const isPlain = digits === this.position && at > digits
    this.position = this.#endOfToken(at)
    // `12abc` is 12 to readers, and begins no reference.
    if (!isPlain || this.position !== at || value > Number.MAX_SAFE_INTEGER) {
      return Number.isFinite(value) ? sign * value : 0
    }
    return this.#readReferenceAfter(value) ?? value
  }

  /** What follows the point of a number; digits beyond the fifteenth are too small to count. */
  #readFraction(from: number, sign: number, whole: number): number {
    this.hasReals = true
    let at = from
    let value = whole
    let scale = 1
    while (at < this.#end && isDigit(this.#bytes[at])) {
      if (scale < 1e15) {
        scale *= 10
        value += (this.#bytes[at] - DIGIT_ZERO) / scale
      }
      at += 1
    }
    this.position = this.#endOfToken(at)
    return roundedTo(sign * value, scale)
  }

  /** `3 R` after the number 12 makes the reference `12 3 R`; anything else is left unread. */
  #readReferenceAfter(number: number): PdfReference | undefined {
    const start = this.position
    if (CLASS_OF[this.#bytes[start]] !== WHITE) return undefined
    this.skipWhiteSpace()
    if (isDigit(this.#bytes[this.position]) && this.position < this.#end) {
      const generation = this.takeInteger()
      this.skipWhiteSpace()
      const at = this.position
      const isReference =
        this.#bytes[at] === LETTER_R &&
        at < this.#end &&
        (at + 1 >= this.#end || CLASS_OF[this.#bytes[at + 1]] !== REGULAR)
      if (isReference && generation !== undefined) {
        this.position = at + 1
        this.#weigh(WEIGHT.reference)
        return new PdfReference(number, generation)
      }
    }
    this.position = start
    return undefined
  }

  #readArray(depth: number): PdfValue[] {
    if (depth >= MAX_DEPTH) throw new PadesError('LIMIT_EXCEEDED')
    this.position += 1
    this.#weigh(WEIGHT.array)
    const items: PdfValue[] = []
    for (;;) {
      this.skipWhiteSpace()
      const start = this.position
      if (start >= this.#end) return items
      if (this.#bytes[start] === RIGHT_BRACKET) {
        this.position += 1
        return items
      }
      // `[1 2 >>`: the bracket was forgotten.
      if (this.#bytes[start] === GREATER_THAN) return items
      const item = this.#read(depth + 1)
      if (item === KEYWORD && this.#endsContainer(start)) return items
      this.#weigh(WEIGHT.number)
      items.push(item === KEYWORD ? null : item)
    }
  }

  #readDictionary(depth: number): Map<string, PdfValue> {
    if (depth >= MAX_DEPTH) throw new PadesError('LIMIT_EXCEEDED')
    this.position += 2
    this.#weigh(WEIGHT.dictionary)
    const entries = new Map<string, PdfValue>()
    for (;;) {
      this.skipWhiteSpace()
      const start = this.position
      if (start >= this.#end) return entries
      const byte = this.#bytes[start]
      if (byte === GREATER_THAN) {
        this.position += this.#bytes[start + 1] === GREATER_THAN ? 2 : 1
        return entries
      }
      if (byte !== SOLIDUS) {
        if (this.#read(depth + 1) === KEYWORD && this.#endsContainer(start)) return entries
        continue
      }
      const key = this.#readName().value
      this.skipWhiteSpace()
      const valueStart = this.position
      if (this.#bytes[valueStart] === GREATER_THAN) continue
      const value = this.#read(depth + 1)
      if (value === KEYWORD && this.#endsContainer(valueStart)) return entries
      // A null value is as good as no entry (7.3.7); of two equal keys readers take the last.
      if (value !== KEYWORD && value !== null) entries.set(key, value)
    }
  }

  #readHexString(): PdfString {
    const start = this.position + 1
    let close = this.#bytes.indexOf(GREATER_THAN, start)
    if (close === -1 || close > this.#end) close = this.#end
    this.position = Math.min(close + 1, this.#end)
    this.#weigh(WEIGHT.string)
    return new PdfString(hexStringBytes(this.#bytes, start, close))
  }

  #readLiteralString(): PdfString {
    const start = this.position + 1
    const { end, isPlain } = literalStringEnd(this.#bytes, start, this.#end)
    this.position = Math.min(end + 1, this.#end)
    this.#weigh(WEIGHT.string)
    const raw = this.#bytes.subarray(start, end)
    return new PdfString(isPlain ? raw : unescapedString(raw))
  }
}

/** Takes the error of adding up decimal digits off again. */
function roundedTo(value: number, scale: number): number {
  if (!Number.isFinite(value)) return 0
  return Math.abs(value) < 1e6 && scale <= 1e9 ? Math.round(value * scale) / scale : value
}
