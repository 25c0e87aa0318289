/** The character classes of PDF syntax (ISO 32000-2, 7.2.3, tables 1 and 2). */

const WHITE_SPACE = [0x00, 0x09, 0x0a, 0x0c, 0x0d, 0x20]
const DELIMITERS = [...'()<>[]{}/%'].map((character) => character.charCodeAt(0))

export const REGULAR = 0
export const WHITE = 1
export const DELIMITER = 2

/** Class of each byte. */
export const CLASS_OF: Uint8Array = new Uint8Array(256)
for (const byte of WHITE_SPACE) CLASS_OF[byte] = WHITE
for (const byte of DELIMITERS) CLASS_OF[byte] = DELIMITER

/** In {@link HEX_VALUE}: the byte is not a hexadecimal digit. */
export const NO_DIGIT = 255

/** Value of each hexadecimal digit, {@link NO_DIGIT} for other bytes. */
export const HEX_VALUE: Uint8Array = new Uint8Array(256).fill(NO_DIGIT)
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  HEX_VALUE[digit.charCodeAt(0)] = value
  HEX_VALUE[digit.toUpperCase().charCodeAt(0)] = value
}

export const NUL = 0x00
export const TAB = 0x09
export const LF = 0x0a
export const FORM_FEED = 0x0c
export const CR = 0x0d
export const SPACE = 0x20
export const EXCLAMATION_MARK = 0x21
export const HASH = 0x23
export const PERCENT = 0x25
export const LEFT_PARENTHESIS = 0x28
export const RIGHT_PARENTHESIS = 0x29
export const PLUS = 0x2b
export const MINUS = 0x2d
export const FULL_STOP = 0x2e
export const SOLIDUS = 0x2f
export const DIGIT_ZERO = 0x30
export const LESS_THAN = 0x3c
export const GREATER_THAN = 0x3e
export const LETTER_E = 0x45
export const LETTER_R = 0x52
export const LEFT_BRACKET = 0x5b
export const BACKSLASH = 0x5c
export const RIGHT_BRACKET = 0x5d
export const LETTER_Z = 0x7a
export const TILDE = 0x7e

/** @param byte undefined beyond the end */
export function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= DIGIT_ZERO && byte <= DIGIT_ZERO + 9
}
