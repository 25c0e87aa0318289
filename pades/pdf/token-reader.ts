/**
 * Reads the tokens of PDF syntax that are not containers (ISO 32000-2, 7.2 and 7.3).
 */
import type { Buffer } from 'node:buffer'
import { PadesError } from '../errors.ts'
import {
  CLASS_OF,
  CR,
  DIGIT_ZERO,
  FULL_STOP,
  GREATER_THAN,
  isDigit,
  LETTER_R,
  LF,
  MINUS,
  PERCENT,
  PLUS,
  REGULAR,
  WHITE,
} from './characters.ts'
import { MAX_NAME_BYTES } from './limits.ts'
import { hashWith, knownName, newName } from './names.ts'
import { hexStringBytes, literalStringEnd, unescapedString } from './strings.ts'
import { PdfReference, type PdfName, PdfString, type PdfValue } from './values.ts'

/** Represents a keyword that is not a value: `endobj`, `stream`, an operator, garbage. */
export const KEYWORD = Symbol('keyword')
export const LONGEST_KEYWORD = 16

/** What a value takes of the memory, in units of a number. */
export const WEIGHT = {
  number: 1,
  name: 2,
  escapedName: 8,
  string: 4,
  reference: 2,
  array: 4,
  dictionary: 8,
} as const

/** A position in bytes and the reading of single tokens from it; the parser reads values. */
export class TokenReader {
  protected readonly bytes: Buffer
  protected readonly end: number
  position: number
  /** Sum of the weights of all values read. */
  weight = 0
  /** Whether a number with a point was read. */
  hasReals = false
  readonly #maxWeight: number

  /** @param maxWeight of all values that this parser may make */
  constructor(bytes: Buffer, position: number, end: number, maxWeight: number) {
    this.bytes = bytes
    this.end = Math.min(end, bytes.length)
    this.position = position
    this.#maxWeight = maxWeight
  }

  /** Steps over white space and comments. */
  skipWhiteSpace(): void {
    const bytes = this.bytes
    const end = this.end
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
    if (end > this.end) return false
    for (let index = 0; index < keyword.length; index += 1) {
      if (this.bytes[start + index] !== keyword.charCodeAt(index)) return false
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
    while (at < this.end && isDigit(this.bytes[at])) {
      value = value * 10 + (this.bytes[at] - DIGIT_ZERO)
      at += 1
    }
    if (at === start || !Number.isSafeInteger(value)) return undefined
    this.position = at
    return value
  }

  /** @throws PadesError `LIMIT_EXCEEDED` - the values weigh too much */
  protected weigh(weight: number): void {
    this.weight += weight
    if (this.weight > this.#maxWeight) throw new PadesError('LIMIT_EXCEEDED')
  }

  protected endOfToken(from: number): number {
    let at = from
    while (at < this.end && CLASS_OF[this.bytes[at]] === REGULAR) at += 1
    return at
  }

  protected readKeyword(): PdfValue | typeof KEYWORD {
    const start = this.position
    const end = this.endOfToken(start)
    this.position = end
    if (end - start > LONGEST_KEYWORD) return KEYWORD
    switch (this.bytes.toString('latin1', start, end)) {
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

  /** Reads a name; the position is at its solidus. */
  protected readName(): PdfName {
    const start = this.position + 1
    let end = start
    let hash = 0
    while (end < this.end && CLASS_OF[this.bytes[end]] === REGULAR) {
      hash = hashWith(hash, this.bytes[end])
      end += 1
    }
    this.position = end
    if (end - start > MAX_NAME_BYTES) throw new PadesError('LIMIT_EXCEEDED')
    this.weigh(WEIGHT.name)
    const known = knownName(this.bytes, start, end, hash)
    if (known) return known
    const raw = this.bytes.toString('latin1', start, end)
    if (raw.includes('#')) this.weigh(WEIGHT.escapedName)
    return newName(raw, hash)
  }

  /** A number, or the reference that it begins. */
  protected readNumber(): number | PdfReference {
    const bytes = this.bytes
    const end = this.end
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
    this.weigh(WEIGHT.number)
    if (at < end && bytes[at] === FULL_STOP) return this.#readFraction(at + 1, sign, value)
    const isPlain = digits === this.position && at > digits
    this.position = this.endOfToken(at)
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
    while (at < this.end && isDigit(this.bytes[at])) {
      if (scale < 1e15) {
        scale *= 10
        value += (this.bytes[at] - DIGIT_ZERO) / scale
      }
      at += 1
    }
    this.position = this.endOfToken(at)
    return roundedTo(sign * value, scale)
  }

  /** `3 R` after the number 12 makes the reference `12 3 R`; anything else is left unread. */
  #readReferenceAfter(number: number): PdfReference | undefined {
    const start = this.position
    if (CLASS_OF[this.bytes[start]] !== WHITE) return undefined
    this.skipWhiteSpace()
    if (isDigit(this.bytes[this.position]) && this.position < this.end) {
      const generation = this.takeInteger()
      this.skipWhiteSpace()
      const at = this.position
      const isReference =
        this.bytes[at] === LETTER_R &&
        at < this.end &&
        (at + 1 >= this.end || CLASS_OF[this.bytes[at + 1]] !== REGULAR)
      if (isReference && generation !== undefined) {
        this.position = at + 1
        this.weigh(WEIGHT.reference)
        return new PdfReference(number, generation)
      }
    }
    this.position = start
    return undefined
  }

  protected readHexString(): PdfString {
    const start = this.position + 1
    let close = this.bytes.indexOf(GREATER_THAN, start)
    if (close === -1 || close > this.end) close = this.end
    this.position = Math.min(close + 1, this.end)
    this.weigh(WEIGHT.string)
    return new PdfString(hexStringBytes(this.bytes, start, close))
  }

  protected readLiteralString(): PdfString {
    const start = this.position + 1
    const { end, isPlain } = literalStringEnd(this.bytes, start, this.end)
    this.position = Math.min(end + 1, this.end)
    this.weigh(WEIGHT.string)
    const raw = this.bytes.subarray(start, end)
    return new PdfString(isPlain ? raw : unescapedString(raw))
  }
}

/** Takes the error of adding up decimal digits off again. */
function roundedTo(value: number, scale: number): number {
  if (!Number.isFinite(value)) return 0
  return Math.abs(value) < 1e6 && scale <= 1e9 ? Math.round(value * scale) / scale : value
}
