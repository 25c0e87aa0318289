/** From the source of a string to its bytes (ISO 32000-2, 7.3.4). */
import { Buffer } from 'node:buffer'
import {
  BACKSLASH,
  CR,
  DIGIT_ZERO,
  HEX_VALUE,
  LEFT_PARENTHESIS,
  LF,
  NO_DIGIT,
  RIGHT_PARENTHESIS,
} from './characters.ts'

/** Bytes that mean another byte after a backslash; every other byte means itself. */
const ESCAPES: Readonly<Record<number, number>> = {
  0x6e: LF,
  0x72: CR,
  0x74: 0x09,
  0x62: 0x08,
  0x66: 0x0c,
}

const MAXIMUM_OCTAL_DIGITS = 3

/** The bytes of `48 65 6C6` from `start` to before `end`: what is not a digit is passed over. */
export function hexStringBytes(bytes: Buffer, start: number, end: number): Uint8Array {
  const plain = Buffer.from(bytes.toString('latin1', start, end), 'hex')
  if (plain.length * 2 === end - start) return plain
  const decoded = Buffer.alloc((end - start + 1) >> 1)
  let digits = 0
  for (let at = start; at < end; at += 1) {
    const value = HEX_VALUE[bytes[at]]
    if (value === NO_DIGIT) continue
    decoded[digits >> 1] |= digits % 2 === 0 ? value << 4 : value
    digits += 1
  }
  return decoded.subarray(0, (digits + 1) >> 1)
}

/**
 * Finds the parenthesis that closes a string; those within it are in pairs or behind backslashes.
 *
 * @param start behind the opening parenthesis
 * @returns the offset of the closing one or `limit`, and whether every byte means itself
 */
export function literalStringEnd(
  bytes: Uint8Array,
  start: number,
  limit: number,
): { end: number; isPlain: boolean } {
  let open = 1
  let isPlain = true
  let at = start
  while (at < limit) {
    const byte = bytes[at]
    if (byte === BACKSLASH) {
      isPlain = false
      at += 1
    } else if (byte === LEFT_PARENTHESIS) {
      open += 1
    } else if (byte === RIGHT_PARENTHESIS) {
      open -= 1
      if (open === 0) break
    } else if (byte === CR) {
      isPlain = false
    }
    at += 1
  }
  return { end: Math.min(at, limit), isPlain }
}

const isOctal = (byte: number) => byte >= DIGIT_ZERO && byte <= DIGIT_ZERO + 7

/**
 * Takes the escapes away: a backslash before a letter, up to three octal digits or the end of a
 * line, which is then no part of the string; other ends of lines become LF.
 */
export function unescapedString(raw: Uint8Array): Uint8Array {
  const out = new Uint8Array(raw.length)
  let length = 0
  let at = 0
  while (at < raw.length) {
    const byte = raw[at]
    at += 1
    if (byte !== BACKSLASH) {
      out[length++] = byte === CR ? LF : byte
      if (byte === CR && raw[at] === LF) at += 1
      continue
    }
    const escaped = raw[at]
    if (escaped === undefined) break
    if (isOctal(escaped)) {
      let code = 0
      for (let digits = 0; digits < MAXIMUM_OCTAL_DIGITS && isOctal(raw[at]); digits += 1) {
        code = code * 8 + (raw[at] - DIGIT_ZERO)
        at += 1
      }
      out[length++] = code & 0xff
      continue
    }
    at += 1
    if (escaped === CR && raw[at] === LF) at += 1
    if (escaped !== CR && escaped !== LF) out[length++] = ESCAPES[escaped] ?? escaped
  }
  return out.subarray(0, length)
}

/**
 * The bytes of a string.
 *
 * @param start offset of its opening delimiter
 * @param end offset behind its closing one
 */
export function stringBytes(bytes: Buffer, start: number, end: number): Uint8Array {
  if (bytes[start] !== LEFT_PARENTHESIS) return hexStringBytes(bytes, start + 1, end - 1)
  const raw = bytes.subarray(start + 1, end - 1)
  return raw.includes(BACKSLASH) || raw.includes(CR) ? unescapedString(raw) : raw
}
