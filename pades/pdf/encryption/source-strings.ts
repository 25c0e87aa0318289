/** Finds the strings in PDF source and replaces them (ISO 32000-2, 7.3.4, 7.6.2). */
import { Buffer } from 'node:buffer'
import { CR, GREATER_THAN, LEFT_PARENTHESIS, LESS_THAN, LF, PERCENT } from '../characters.ts'
import { hexStringBytes, literalStringEnd, unescapedString } from '../strings.ts'

/** A string in source. */
export interface SourceString {
  /** Offset of its opening delimiter. */
  readonly start: number
  /** Offset behind its closing delimiter. */
  readonly end: number
  readonly bytes: Uint8Array
}

/**
 * Calls back for every string, in order.
 *
 * @param source values whose syntax is right
 * @param start offset of the first byte to look at
 * @param end offset behind the last one
 */
export function forEachString(
  source: Buffer,
  start: number,
  end: number,
  visit: (string: SourceString) => void,
): void {
  let at = start
  while (at < end) {
    const byte = source[at]
    if (byte === PERCENT) {
      while (at < end && source[at] !== LF && source[at] !== CR) at += 1
    } else if (byte === LEFT_PARENTHESIS) {
      const { end: close, isPlain } = literalStringEnd(source, at + 1, end)
      const raw = source.subarray(at + 1, close)
      visit({ start: at, end: close + 1, bytes: isPlain ? raw : unescapedString(raw) })
      at = close + 1
    } else if (byte === LESS_THAN && source[at + 1] !== LESS_THAN) {
      const found = source.indexOf(GREATER_THAN, at)
      const close = found === -1 || found > end ? end : found
      visit({ start: at, end: close + 1, bytes: hexStringBytes(source, at + 1, close) })
      at = close + 1
    } else {
      at += byte === LESS_THAN ? 2 : 1
    }
  }
}

/**
 * Source with every string replaced by another one, in hexadecimal digits.
 *
 * @param source one character per byte; its syntax is right
 */
export function withStrings(source: string, replace: (bytes: Uint8Array) => Uint8Array): string {
  const buffer = Buffer.from(source, 'latin1')
  let replaced = ''
  let at = 0
  forEachString(buffer, 0, buffer.length, ({ start, end, bytes }) => {
    replaced += `${source.slice(at, start)}<${Buffer.from(replace(bytes)).toString('hex')}>`
    at = end
  })
  return replaced + source.slice(at)
}
