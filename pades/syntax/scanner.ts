/**
 * Reads values by the letter of ISO 32000-2, 7.2 and 7.3, and makes none: it says where a value
 * ends, what it refers to, and where the source departs from the grammar.
 */
import {
  FULL_STOP,
  GREATER_THAN,
  isDigit,
  LEFT_BRACKET,
  LEFT_PARENTHESIS,
  LESS_THAN,
  MINUS,
  PLUS,
  RIGHT_BRACKET,
  SOLIDUS,
} from '../pdf/characters.ts'
import { INHERITABLE, INTEGERS, KnownKeys, UNSEEN } from './dictionary-keys.ts'
import { StrictTokens } from './strict-tokens.ts'

/** PDFium reads no object in which more than 64 arrays and dictionaries are nested. */
const MOST_NESTED = 50

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

/**
 * A position in bytes and the strict reading of values from it.
 *
 * Every method leaves {@link position} behind what it read, or throws {@link AmbiguousSyntax}.
 */
export class StrictScanner extends StrictTokens {
  /**
   * Reads one value.
   *
   * @param depth containers around it
   * @throws AmbiguousSyntax
   */
  scanValue(depth = 0): void {
    if (this.position >= this.end) this.fail('UNCLOSED')
    const byte = this.bytes[this.position]
    if (byte === SOLIDUS) this.skipName()
    else if (byte === LESS_THAN) {
      if (this.bytes[this.position + 1] === LESS_THAN) this.scanDictionary(undefined, depth)
      else this.scanString(byte)
    } else if (byte === LEFT_BRACKET) this.#scanArray(depth)
    else if (byte === LEFT_PARENTHESIS) this.scanString(byte)
    else if (isDigit(byte)) this.scanNumberOrReference()
    else if (byte === PLUS || byte === MINUS || byte === FULL_STOP) this.scanNumber()
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
    if (depth >= MOST_NESTED) this.fail('NESTED_TOO_DEEPLY')
    const start = this.position
    this.position += 2
    const known = new KnownKeys()
    for (;;) {
      this.skipWhiteSpace()
      const keyStart = this.position
      if (keyStart >= this.end) this.fail('UNCLOSED', start)
      if (this.#takeDictionaryEnd()) return
      if (this.bytes[keyStart] !== SOLIDUS) this.fail('STRAY_TOKEN')
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
      this.bytes[at] === GREATER_THAN && this.bytes[at + 1] === GREATER_THAN && at + 1 < this.end
    if (isEnd) this.position = at + 2
    return isEnd
  }

  #scanEntryValue(key: string, depth: number): void {
    const start = this.position
    if (this.bytes[start] === GREATER_THAN) this.fail('KEY_WITHOUT_VALUE')
    if (!this.takeKeyword('null')) {
      this.scanValue(depth + 1)
      this.#noteWholeReal(key, start)
      return
    }
    if (INHERITABLE.has(key)) this.fail('NULL_INHERITABLE', start)
    this.listener.tolerated('NULL_ENTRY', start)
  }

  /** Some readers take `90.0` for no integer, and then for the default. */
  #noteWholeReal(key: string, start: number): void {
    const byte = this.bytes[start]
    const mayBeNumber = isDigit(byte) || byte === PLUS || byte === MINUS || byte === FULL_STOP
    if (!mayBeNumber || !this.#hasPoint(start)) return
    const source = this.bytes.toString('latin1', start, this.position)
    if (!Number.isInteger(Number(source))) return
    if (INTEGERS.has(key)) this.fail('INTEGER_AS_REAL', start)
    this.listener.wholeReal?.(key)
  }

  #hasPoint(start: number): boolean {
    for (let at = start; at < this.position; at += 1) {
      if (this.bytes[at] === FULL_STOP) return true
    }
    return false
  }

  /** Some readers take the first of two equal keys, some the last. */
  #checkRepeated([start, end]: readonly [number, number], entry: ScannedEntry): void {
    const isAlike = this.bytes
      .subarray(start, end)
      .equals(this.bytes.subarray(entry.valueStart, entry.valueEnd))
    if (!isAlike && !UNSEEN.has(entry.key)) this.fail('KEY_REPEATED', entry.keyStart)
    this.listener.tolerated(isAlike ? 'KEY_REPEATED_ALIKE' : 'KEY_REPEATED_UNSEEN', entry.keyStart)
  }

  #scanArray(depth: number): void {
    if (depth >= MOST_NESTED) this.fail('NESTED_TOO_DEEPLY')
    const start = this.position
    this.position += 1
    for (;;) {
      this.skipWhiteSpace()
      if (this.position >= this.end) this.fail('UNCLOSED', start)
      if (this.bytes[this.position] === RIGHT_BRACKET) {
        this.position += 1
        return
      }
      this.scanValue(depth + 1)
    }
  }
}
