/**
 * Reads values by the letter of ISO 32000-2, 7.2 and 7.3, and makes none: it says where a value
 * ends, what it refers to, and where the source departs from the grammar.
 */
import type { Buffer } from 'node:buffer'
import {
  CLASS_OF,
  CR,
  DIGIT_ZERO,
  EXCLAMATION_MARK,
  FORM_FEED,
  FULL_STOP,
  GREATER_THAN,
  HASH,
  HEX_VALUE,
  isDigit,
  LEFT_BRACKET,
  LEFT_PARENTHESIS,
  LESS_THAN,
  LETTER_R,
  LF,
  MINUS,
  NO_DIGIT,
  NUL,
  PERCENT,
  PLUS,
  REGULAR,
  RIGHT_BRACKET,
  SOLIDUS,
  TILDE,
  WHITE,
} from '../pdf/characters.ts'
import { isObjectNumber } from '../pdf/cross-reference.ts'
import { MAX_DEPTH } from '../pdf/limits.ts'
import { hashWith, knownName, newName } from '../pdf/names.ts'
import { INHERITABLE, INTEGERS, KnownKeys, UNSEEN } from './dictionary-keys.ts'
import { AmbiguousSyntax, type FaultCode } from './faults.ts'
import type { ScanListener } from './listener.ts'
import { scanHexString, scanLiteralString } from './strings.ts'

/** An entry of a dictionary, by offsets. */
export interface ScannedEntry {
  /** Decoded, one character for each byte. */
  readonly key: string
  /** Offset of the solidus. */
  readonly keyStart: number
  readonly valueStart: number
  readonly valueEnd: number
}

/** Receives an entry of a dictionary as the members of {@link ScannedEntry}. */
export type VisitEntry = (
  key: string,
  keyStart: number,
  valueStart: number,
  valueEnd: number,
) => void

/** Annex C of ISO 32000-1. */
const MAX_NAME_BYTES = 127
const MAX_INTEGER = 2_147_483_647
/** A double keeps fifteen; readers with single precision keep seven, and round. */
const MAX_NUMBER_CHARACTERS = 32
const MAX_GENERATION = 65_535
/**
 * A position in bytes and the strict reading of values from it.
 *
 * Every method leaves {@link position} behind what it read, or throws {@link AmbiguousSyntax}.
 */
export class StrictScanner {
  readonly #bytes: Buffer
  readonly #end: number
  readonly #listener: ScanListener
  position: number

  /** @param end offset at which the readable bytes end */
  constructor(bytes: Buffer, position: number, end: number, listener: ScanListener) {
    this.#bytes = bytes
    this.#end = Math.min(end, bytes.length)
    this.#listener = listener
    this.position = position
  }

  /** Whether nothing is left to read. */
  get isAtEnd(): boolean {
    return this.position >= this.#end
  }

  /** @throws AmbiguousSyntax */
  fail(code: FaultCode, offset = this.position): never {
    throw new AmbiguousSyntax(code, offset)
  }

  /** Steps over white space and comments. */
  skipWhiteSpace(): void {
    const bytes = this.#bytes
    const end = this.#end
    let at = this.position
    while (at < end) {
      const byte = bytes[at]
      if (CLASS_OF[byte] === WHITE) {
        if (byte === NUL || byte === FORM_FEED) this.#listener.tolerated('ODD_WHITE_SPACE', at)
        at += 1
        continue
      }
      if (byte !== PERCENT) break
      this.#listener.tolerated('COMMENT', at)
      while (at < end && bytes[at] !== LF && bytes[at] !== CR) at += 1
    }
    this.position = at
  }

  /** Whether a keyword is next and ends there; the position then is behind it. */
  takeKeyword(keyword: string): boolean {
    const end = this.position + keyword.length
    if (end > this.#end) return false
    for (let index = 0; index < keyword.length; index += 1) {
      if (this.#bytes[this.position + index] !== keyword.charCodeAt(index)) return false
    }
    if (end < this.#end && CLASS_OF[this.#bytes[end]] === REGULAR) return false
    this.position = end
    return true
  }

  /** Digits alone, ended by what is not regular; undefined when there is no such number. */
  takeInteger(): number | undefined {
    const bytes = this.#bytes
    let at = this.position
    let value = 0
    while (at < this.#end && isDigit(bytes[at])) {
      value = value * 10 + (bytes[at] - DIGIT_ZERO)
      at += 1
    }
    const isEnded = at >= this.#end || CLASS_OF[bytes[at]] !== REGULAR
    if (at === this.position || !isEnded || at - this.position > 10) return undefined
    this.position = at
    return value
  }

  /**
   * Reads one value.
   *
   * @param depth containers around it
   * @throws AmbiguousSyntax
   */
  scanValue(depth = 0): void {
    if (this.position >= this.#end) this.fail('UNCLOSED')
    const byte = this.#bytes[this.position]
    if (byte === SOLIDUS) this.#skipName()
    else if (byte === LESS_THAN) {
      if (this.#bytes[this.position + 1] === LESS_THAN) this.scanDictionary(undefined, depth)
      else this.#scanString(byte)
    } else if (byte === LEFT_BRACKET) this.#scanArray(depth)
    else if (byte === LEFT_PARENTHESIS) this.#scanString(byte)
    else if (isDigit(byte)) this.#scanNumberOrReference()
    else if (byte === PLUS || byte === MINUS || byte === FULL_STOP) this.#scanNumber()
    else if (!this.takeKeyword('true') && !this.takeKeyword('false') && !this.takeKeyword('null')) {
      this.fail('STRAY_TOKEN')
    }
  }

  /**
   * Reads a dictionary.
   *
   * @param visit receives the entries in the order of the source
   * @throws AmbiguousSyntax
   */
  scanDictionary(visit?: VisitEntry, depth = 0): void {
    if (depth >= MAX_DEPTH) this.fail('NESTED_TOO_DEEPLY')
    const start = this.position
    this.position += 2
    const known = new KnownKeys()
    for (;;) {
      this.skipWhiteSpace()
      const keyStart = this.position
      if (keyStart >= this.#end) this.fail('UNCLOSED', start)
      if (this.#takeDictionaryEnd()) return
      if (this.#bytes[keyStart] !== SOLIDUS) this.fail('STRAY_TOKEN')
      const key = this.scanName()
      this.skipWhiteSpace()
      const valueStart = this.position
      this.#scanEntryValue(key, depth)
      const valueEnd = this.position
      const before = known.add(key, valueStart, valueEnd)
      if (before) this.#checkRepeated(before, { key, keyStart, valueStart, valueEnd })
      visit?.(key, keyStart, valueStart, valueEnd)
    }
  }

  #takeDictionaryEnd(): boolean {
    const at = this.position
    const isEnd =
      this.#bytes[at] === GREATER_THAN && this.#bytes[at + 1] === GREATER_THAN && at + 1 < this.#end
    if (isEnd) this.position = at + 2
    return isEnd
  }

  #scanEntryValue(key: string, depth: number): void {
    const start = this.position
    if (this.#bytes[start] === GREATER_THAN) this.fail('KEY_WITHOUT_VALUE')
    if (!this.takeKeyword('null')) {
      this.scanValue(depth + 1)
      this.#noteWholeReal(key, start)
      return
    }
    if (INHERITABLE.has(key)) this.fail('NULL_INHERITABLE', start)
    this.#listener.tolerated('NULL_ENTRY', start)
  }

  /** Some readers take `90.0` for no integer, and then for the default. */
  #noteWholeReal(key: string, start: number): void {
    const byte = this.#bytes[start]
    const mayBeNumber = isDigit(byte) || byte === PLUS || byte === MINUS || byte === FULL_STOP
    if (!mayBeNumber || !this.#hasPoint(start)) return
    const source = this.#bytes.toString('latin1', start, this.position)
    if (!Number.isInteger(Number(source))) return
    if (INTEGERS.has(key)) this.fail('INTEGER_AS_REAL', start)
    this.#listener.wholeReal?.(key)
  }

  #hasPoint(start: number): boolean {
    for (let at = start; at < this.position; at += 1) {
      if (this.#bytes[at] === FULL_STOP) return true
    }
    return false
  }

  /** Some readers take the first of two equal keys, some the last. */
  #checkRepeated([start, end]: readonly [number, number], entry: ScannedEntry): void {
    const isAlike = this.#bytes
      .subarray(start, end)
      .equals(this.#bytes.subarray(entry.valueStart, entry.valueEnd))
    if (!isAlike && !UNSEEN.has(entry.key)) this.fail('KEY_REPEATED', entry.keyStart)
    this.#listener.tolerated(isAlike ? 'KEY_REPEATED_ALIKE' : 'KEY_REPEATED_UNSEEN', entry.keyStart)
  }

  /** @returns the name without its solidus, escapes resolved */
  scanName(): string {
    const start = this.position + 1
    const hash = this.#skipName()
    const end = this.position
    const known = knownName(this.#bytes, start, end, hash)
    return (known ?? newName(this.#bytes.toString('latin1', start, end), hash)).value
  }

  /** Reads a name that need not be known. @returns its hash */
  #skipName(): number {
    const bytes = this.#bytes
    const start = this.position + 1
    let at = start
    let hash = 0
    while (at < this.#end && CLASS_OF[bytes[at]] === REGULAR) {
      const byte = bytes[at]
      hash = hashWith(hash, byte)
      if (byte === HASH) this.#checkEscape(at)
      else if (byte > TILDE || byte < EXCLAMATION_MARK) {
        this.#listener.tolerated('NAME_NOT_ASCII', at)
      }
      at += 1
    }
    this.position = at
    if (at - start > MAX_NAME_BYTES) this.fail('NAME_TOO_LONG', start)
    return hash
  }

  /** An escape is for what cannot be written otherwise (7.3.5). */
  #checkEscape(at: number): void {
    const high = HEX_VALUE[this.#bytes[at + 1]]
    const low = HEX_VALUE[this.#bytes[at + 2]]
    const isEscape = at + 2 < this.#end && high !== NO_DIGIT && low !== NO_DIGIT
    if (!isEscape || high * 16 + low === 0) this.fail('NAME_ESCAPE', at)
    const byte = high * 16 + low
    const isOrdinary = CLASS_OF[byte] === REGULAR && byte !== HASH
    const isLetterOrDigit = /[A-Za-z0-9]/.test(String.fromCharCode(byte))
    if (isOrdinary && isLetterOrDigit) this.fail('NAME_ESCAPED_NEEDLESSLY', at)
  }

  /** @param opening the byte at the position */
  #scanString(opening: number): void {
    const start = this.position
    this.position =
      opening === LEFT_PARENTHESIS
        ? scanLiteralString(this.#bytes, start, this.#end, this.#listener)
        : scanHexString(this.#bytes, start, this.#end)
    this.#listener.string?.(start, this.position)
  }

  #scanArray(depth: number): void {
    if (depth >= MAX_DEPTH) this.fail('NESTED_TOO_DEEPLY')
    const start = this.position
    this.position += 1
    for (;;) {
      this.skipWhiteSpace()
      if (this.position >= this.#end) this.fail('UNCLOSED', start)
      if (this.#bytes[this.position] === RIGHT_BRACKET) {
        this.position += 1
        return
      }
      this.scanValue(depth + 1)
    }
  }

  #scanNumber(): void {
    const bytes = this.#bytes
    const start = this.position
    let at = start
    if (bytes[at] === PLUS || bytes[at] === MINUS) at += 1
    let digits = 0
    let whole = 0
    while (at < this.#end && isDigit(bytes[at])) {
      whole = whole * 10 + (bytes[at] - DIGIT_ZERO)
      digits += 1
      at += 1
    }
    if (at < this.#end && bytes[at] === FULL_STOP) {
      at += 1
      while (at < this.#end && isDigit(bytes[at])) {
        digits += 1
        at += 1
      }
    }
    const isEnded = at >= this.#end || CLASS_OF[bytes[at]] !== REGULAR
    if (digits === 0 || !isEnded) this.fail('NUMBER_ODD', start)
    if (whole > MAX_INTEGER) this.fail('NUMBER_TOO_LARGE', start)
    if (at - start > MAX_NUMBER_CHARACTERS) this.#listener.tolerated('NUMBER_LONG', start)
    this.position = at
  }

  /** `12` or `12 0 R`. */
  #scanNumberOrReference(): void {
    const start = this.position
    const number = this.takeInteger()
    if (number === undefined) {
      this.#scanNumber()
      return
    }
    const end = this.position
    if (this.#takeReferenceAfter(number, start)) return
    this.position = end
    if (number > MAX_INTEGER) this.fail('NUMBER_TOO_LARGE', start)
  }

  #takeReferenceAfter(number: number, start: number): boolean {
    const bytes = this.#bytes
    let at = this.position
    if (CLASS_OF[bytes[at]] !== WHITE) return false
    while (at < this.#end && CLASS_OF[bytes[at]] === WHITE) at += 1
    this.position = at
    const generation = at < this.#end && isDigit(bytes[at]) ? this.takeInteger() : undefined
    if (generation === undefined) return false
    at = this.position
    while (at < this.#end && CLASS_OF[bytes[at]] === WHITE) at += 1
    if (at === this.position || at >= this.#end || bytes[at] !== LETTER_R) return false
    if (at + 1 < this.#end && CLASS_OF[bytes[at + 1]] === REGULAR) return false
    if (!isObjectNumber(number) || generation > MAX_GENERATION) this.fail('REFERENCE_ODD', start)
    this.position = at + 1
    this.#listener.reference(number, generation)
    return true
  }
}
