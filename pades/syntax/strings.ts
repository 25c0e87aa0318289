/** Scans the source of strings by the letter of ISO 32000-2, 7.3.4. */
import type { Buffer } from 'node:buffer'
import {
  BACKSLASH,
  CLASS_OF,
  CR,
  DIGIT_ZERO,
  GREATER_THAN,
  HEX_VALUE,
  LEFT_PARENTHESIS,
  LF,
  NO_DIGIT,
  RIGHT_PARENTHESIS,
  WHITE,
} from '../pdf/characters.ts'
import { AmbiguousSyntax } from './faults.ts'
import type { ScanListener } from './listener.ts'

/** Letters that follow a backslash (table 3). */
const ESCAPED = new Set([...'nrtbf()\\'].map((character) => character.charCodeAt(0)))

/**
 * Scans a hexadecimal string.
 *
 * @param start offset of the opening `<`
 * @param end offset at which the readable bytes end
 * @returns the offset behind the closing `>`
 * @throws AmbiguousSyntax `HEX_STRING_ODD`, `UNCLOSED`
 */
export function scanHexString(bytes: Buffer, start: number, end: number): number {
  let at = start + 1
  while (at < end && bytes[at] !== GREATER_THAN) {
    const byte = bytes[at]
    if (HEX_VALUE[byte] === NO_DIGIT && CLASS_OF[byte] !== WHITE) {
      throw new AmbiguousSyntax('HEX_STRING_ODD', at)
    }
    at += 1
  }
  if (at >= end) throw new AmbiguousSyntax('UNCLOSED', start)
  return at + 1
}

/**
 * Scans a literal string.
 *
 * @param start offset of the opening parenthesis
 * @param end offset at which the readable bytes end
 * @returns the offset behind the closing parenthesis
 * @throws AmbiguousSyntax `STRING_OCTAL_TOO_LARGE`, `UNCLOSED`
 */
export function scanLiteralString(
  bytes: Buffer,
  start: number,
  end: number,
  listener: ScanListener,
): number {
  let open = 1
  let at = start + 1
  while (at < end) {
    const byte = bytes[at]
    if (byte === BACKSLASH) at = escapeEnd(bytes, at, end, listener)
    else if (byte === CR) listener.tolerated('STRING_LINE_END', at)
    else if (byte === LEFT_PARENTHESIS) open += 1
    else if (byte === RIGHT_PARENTHESIS) open -= 1
    at += 1
    if (open === 0) return at
  }
  throw new AmbiguousSyntax('UNCLOSED', start)
}

/** @returns the offset of the last byte of the escape that begins at `at` */
function escapeEnd(bytes: Buffer, at: number, end: number, listener: ScanListener): number {
  const escaped = bytes[at + 1]
  const isOctal = (offset: number) =>
    offset < end && bytes[offset] >= DIGIT_ZERO && bytes[offset] <= DIGIT_ZERO + 7
  if (isOctal(at + 1)) {
    let last = at + 1
    while (last < at + 3 && isOctal(last + 1)) last += 1
    if (last === at + 3 && bytes[at + 1] > DIGIT_ZERO + 3) {
      throw new AmbiguousSyntax('STRING_OCTAL_TOO_LARGE', at)
    }
    return last
  }
  if (escaped === CR && bytes[at + 2] === LF) return at + 2
  if (!ESCAPED.has(escaped) && escaped !== CR && escaped !== LF) {
    listener.tolerated('STRING_ESCAPE_ODD', at)
  }
  return at + 1
}
