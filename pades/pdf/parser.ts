/**
 * Reads values of PDF syntax from bytes, forgiving what readers forgive (ISO 32000-2, 7.2 and 7.3).
 */
import { PadesError } from '../errors.ts'
import {
  CLASS_OF,
  CR,
  DELIMITER,
  FULL_STOP,
  GREATER_THAN,
  isDigit,
  LEFT_BRACKET,
  LEFT_PARENTHESIS,
  LESS_THAN,
  LF,
  MINUS,
  PLUS,
  RIGHT_BRACKET,
  SOLIDUS,
  SPACE,
  TAB,
} from './characters.ts'
import { MAX_DEPTH } from './limits.ts'
import { PdfStream, type PdfValue } from './values.ts'
import { KEYWORD, LONGEST_KEYWORD, TokenReader, WEIGHT } from './token-reader.ts'

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
export class Parser extends TokenReader {
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
    if (this.bytes[this.position] === CR) this.position += 1
    if (this.bytes[this.position] === LF) this.position += 1
    const stream = new PdfStream(value, this.position)
    return { number, generation, value: stream, start, end: this.position }
  }

  #skipSpacesBeforeLineEnd(): void {
    let at = this.position
    while (at < this.end && (this.bytes[at] === SPACE || this.bytes[at] === TAB)) at += 1
    if (this.bytes[at] === CR || this.bytes[at] === LF) this.position = at
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
    if (this.position >= this.end) return null
    const byte = this.bytes[this.position]
    switch (byte) {
      case SOLIDUS:
        return this.readName()
      case LEFT_PARENTHESIS:
        return this.readLiteralString()
      case LEFT_BRACKET:
        return this.#readArray(depth)
      case LESS_THAN:
        return this.bytes[this.position + 1] === LESS_THAN
          ? this.#readDictionary(depth)
          : this.readHexString()
      default:
    }
    if (isDigit(byte) || byte === PLUS || byte === MINUS || byte === FULL_STOP)
      return this.readNumber()
    if (CLASS_OF[byte] === DELIMITER) {
      // A bracket that closes nothing.
      this.position += 1
      return null
    }
    return this.readKeyword()
  }

  /** After a keyword within a container: whether it ends the container, which stays unclosed. */
  #endsContainer(start: number): boolean {
    const end = Math.min(this.position, start + LONGEST_KEYWORD)
    const keyword = this.bytes.toString('latin1', start, end)
    if (!ENDING_KEYWORDS.has(keyword)) return false
    this.position = start
    return true
  }

  #readArray(depth: number): PdfValue[] {
    if (depth >= MAX_DEPTH) throw new PadesError('LIMIT_EXCEEDED')
    this.position += 1
    this.weigh(WEIGHT.array)
    const items: PdfValue[] = []
    for (;;) {
      this.skipWhiteSpace()
      const start = this.position
      if (start >= this.end) return items
      if (this.bytes[start] === RIGHT_BRACKET) {
        this.position += 1
        return items
      }
      // `[1 2 >>`: the bracket was forgotten.
      if (this.bytes[start] === GREATER_THAN) return items
      const item = this.#read(depth + 1)
      if (item === KEYWORD && this.#endsContainer(start)) return items
      this.weigh(WEIGHT.number)
      items.push(item === KEYWORD ? null : item)
    }
  }

  #readDictionary(depth: number): Map<string, PdfValue> {
    if (depth >= MAX_DEPTH) throw new PadesError('LIMIT_EXCEEDED')
    this.position += 2
    this.weigh(WEIGHT.dictionary)
    const entries = new Map<string, PdfValue>()
    for (;;) {
      this.skipWhiteSpace()
      const start = this.position
      if (start >= this.end) return entries
      const byte = this.bytes[start]
      if (byte === GREATER_THAN) {
        this.position += this.bytes[start + 1] === GREATER_THAN ? 2 : 1
        return entries
      }
      if (byte !== SOLIDUS) {
        if (this.#read(depth + 1) === KEYWORD && this.#endsContainer(start)) return entries
        continue
      }
      const key = this.readName().value
      this.skipWhiteSpace()
      const valueStart = this.position
      if (this.bytes[valueStart] === GREATER_THAN) continue
      const value = this.#read(depth + 1)
      if (value === KEYWORD && this.#endsContainer(valueStart)) return entries
      // A null value is as good as no entry (7.3.7); of two equal keys readers take the last.
      if (value !== KEYWORD && value !== null) entries.set(key, value)
    }
  }
}
