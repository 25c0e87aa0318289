/** Reads the tokens that are not containers by the letter of ISO 32000-2, 7.2 and 7.3. */
import type { Buffer } from 'node:buffer'
import {
  CLASS_OF,
  CR,
  DIGIT_ZERO,
  EXCLAMATION_MARK,
  FORM_FEED,
  FULL_STOP,
  HASH,
  HEX_VALUE,
  isDigit,
  LEFT_PARENTHESIS,
  LETTER_R,
  LF,
  MINUS,
  NO_DIGIT,
  NUL,
  PERCENT,
  PLUS,
  REGULAR,
  TILDE,
  WHITE,
} from '../pdf/characters.ts'
import { isObjectNumber } from '../pdf/cross-reference.ts'
import { hashWith, knownName, newName } from '../pdf/names.ts'
import { AmbiguousSyntax, type FaultCode } from './faults.ts'
import type { ScanListener } from './listener.ts'
import { scanHexString, scanLiteralString } from './strings.ts'

/** Annex C of ISO 32000-1. */
const MAX_NAME_BYTES = 127
const MAX_INTEGER = 2_147_483_647
/** A double keeps fifteen; readers with single precision keep seven, and round. */
const MAX_NUMBER_CHARACTERS = 32
/** Some readers take the first 255 characters of a longer number, zeros included, or none. */
const MOST_NUMBER_CHARACTERS = 128
const MAX_GENERATION = 65_535
/**
 * A position in bytes and the strict reading of single tokens from it.
 *
 * Every method leaves {@link position} behind what it read, or throws {@link AmbiguousSyntax}.
 */
export class StrictTokens {
  protected readonly bytes: Buffer
  protected readonly end: number
  protected readonly listener: ScanListener
  position: number

  /** @param end offset at which the readable bytes end */
  constructor(bytes: Buffer, position: number, end: number, listener: ScanListener) {
    this.bytes = bytes
    this.end = Math.min(end, bytes.length)
    this.listener = listener
    this.position = position
  }

  /** Whether nothing is left to read. */
  get isAtEnd(): boolean {
    return this.position >= this.end
  }

  /** @throws AmbiguousSyntax */
  fail(code: FaultCode, offset = this.position): never {
    throw new AmbiguousSyntax(code, offset)
  }

  /** Steps over white space and comments. */
  skipWhiteSpace(): void {
    const bytes = this.bytes
    const end = this.end
    let at = this.position
    while (at < end) {
      const byte = bytes[at]
      if (CLASS_OF[byte] === WHITE) {
        if (byte === NUL || byte === FORM_FEED) this.listener.tolerated('ODD_WHITE_SPACE', at)
        at += 1
        continue
      }
      if (byte !== PERCENT) break
      this.listener.tolerated('COMMENT', at)
      while (at < end && bytes[at] !== LF && bytes[at] !== CR) at += 1
    }
    this.position = at
  }

  /** Whether a keyword is next and ends there; the position then is behind it. */
  takeKeyword(keyword: string): boolean {
    const end = this.position + keyword.length
    if (end > this.end) return false
    for (let index = 0; index < keyword.length; index += 1) {
      if (this.bytes[this.position + index] !== keyword.charCodeAt(index)) return false
    }
    if (end < this.end && CLASS_OF[this.bytes[end]] === REGULAR) return false
    this.position = end
    return true
  }

  /** Digits alone, ended by what is not regular; undefined when there is no such number. */
  takeInteger(): number | undefined {
    const bytes = this.bytes
    let at = this.position
    let value = 0
    while (at < this.end && isDigit(bytes[at])) {
      value = value * 10 + (bytes[at] - DIGIT_ZERO)
      at += 1
    }
    const isEnded = at >= this.end || CLASS_OF[bytes[at]] !== REGULAR
    if (at === this.position || !isEnded || at - this.position > 10) return undefined
    this.position = at
    return value
  }

  /** @returns the name without its solidus, escapes resolved */
  scanName(): string {
    const start = this.position + 1
    const hash = this.skipName()
    const end = this.position
    const known = knownName(this.bytes, start, end, hash)
    return (known ?? newName(this.bytes.toString('latin1', start, end), hash)).value
  }

  /** Reads a name that need not be known. @returns its hash */
  protected skipName(): number {
    const bytes = this.bytes
    const start = this.position + 1
    let at = start
    let hash = 0
    while (at < this.end && CLASS_OF[bytes[at]] === REGULAR) {
      const byte = bytes[at]
      hash = hashWith(hash, byte)
      if (byte === HASH) this.#checkEscape(at)
      else if (byte > TILDE || byte < EXCLAMATION_MARK) {
        this.listener.tolerated('NAME_NOT_ASCII', at)
      }
      at += 1
    }
    this.position = at
    if (at - start > MAX_NAME_BYTES) this.fail('NAME_TOO_LONG', start)
    return hash
  }

  /** An escape is for what cannot be written otherwise (7.3.5). */
  #checkEscape(at: number): void {
    const high = HEX_VALUE[this.bytes[at + 1]]
    const low = HEX_VALUE[this.bytes[at + 2]]
    const isEscape = at + 2 < this.end && high !== NO_DIGIT && low !== NO_DIGIT
    if (!isEscape || high * 16 + low === 0) this.fail('NAME_ESCAPE', at)
    const byte = high * 16 + low
    const isOrdinary = CLASS_OF[byte] === REGULAR && byte !== HASH
    const isLetterOrDigit = /[A-Za-z0-9]/.test(String.fromCharCode(byte))
    if (isOrdinary && isLetterOrDigit) this.fail('NAME_ESCAPED_NEEDLESSLY', at)
  }

  /** @param opening the byte at the position */
  protected scanString(opening: number): void {
    const start = this.position
    this.position =
      opening === LEFT_PARENTHESIS
        ? scanLiteralString(this.bytes, start, this.end, this.listener)
        : scanHexString(this.bytes, start, this.end)
    this.listener.string?.(start, this.position)
  }

  protected scanNumber(): void {
    const bytes = this.bytes
    const start = this.position
    let at = start
    if (bytes[at] === PLUS || bytes[at] === MINUS) at += 1
    let digits = 0
    let whole = 0
    while (at < this.end && isDigit(bytes[at])) {
      whole = whole * 10 + (bytes[at] - DIGIT_ZERO)
      digits += 1
      at += 1
    }
    if (at < this.end && bytes[at] === FULL_STOP) {
      at += 1
      while (at < this.end && isDigit(bytes[at])) {
        digits += 1
        at += 1
      }
    }
    const isEnded = at >= this.end || CLASS_OF[bytes[at]] !== REGULAR
    if (digits === 0 || !isEnded) this.fail('NUMBER_ODD', start)
    if (whole > MAX_INTEGER) this.fail('NUMBER_TOO_LARGE', start)
    if (at - start > MOST_NUMBER_CHARACTERS) this.fail('NUMBER_TOO_LONG', start)
    if (at - start > MAX_NUMBER_CHARACTERS) this.listener.tolerated('NUMBER_LONG', start)
    this.position = at
  }

  /** `12` or `12 0 R`. */
  protected scanNumberOrReference(): void {
    const start = this.position
    const number = this.takeInteger()
    if (number === undefined) {
      this.scanNumber()
      return
    }
    const end = this.position
    if (this.#takeReferenceAfter(number, start)) return
    this.position = end
    if (number > MAX_INTEGER) this.fail('NUMBER_TOO_LARGE', start)
  }

  #takeReferenceAfter(number: number, start: number): boolean {
    const bytes = this.bytes
    let at = this.position
    if (CLASS_OF[bytes[at]] !== WHITE) return false
    while (at < this.end && CLASS_OF[bytes[at]] === WHITE) at += 1
    this.position = at
    const generation = at < this.end && isDigit(bytes[at]) ? this.takeInteger() : undefined
    if (generation === undefined) return false
    at = this.position
    while (at < this.end && CLASS_OF[bytes[at]] === WHITE) at += 1
    if (at === this.position || at >= this.end || bytes[at] !== LETTER_R) return false
    if (at + 1 < this.end && CLASS_OF[bytes[at + 1]] === REGULAR) return false
    if (!isObjectNumber(number) || generation > MAX_GENERATION) this.fail('REFERENCE_ODD', start)
    this.position = at + 1
    this.listener.reference(number, generation)
    return true
  }
}
