/** Sanitises untrusted names and titles for headers, text and HTML of a mail. */

const LINE_ENDS = /[\t\n\v\f\r\u0085\u2028\u2029]+/gu
/** Control characters, and format characters: direction overrides, zero-width characters, tags. */
const INVISIBLE = /[\p{Cc}\p{Cf}]/gu
/** Letters of right-to-left scripts. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
const FIRST_STRONG_ISOLATE = '\u2068'
const POP_ISOLATE = '\u2069'
/** Characters that are invalid in a plain address or end it early in a header (RFC 5322, 3.4.1). */
const NOT_IN_ADDRESS = /[\s\p{Cc}\p{Cf}<>()[\]",;:\\]/gu

/** Returns one line of visible characters in composed form (NFC). */
export function singleLine(text: string): string {
  return text
    .toWellFormed()
    .replace(LINE_ENDS, ' ')
    .replace(INVISIBLE, '')
    .replace(/ {2,}/g, ' ')
    .trim()
    .normalize('NFC')
}

/** Cuts the text to `maximum` characters; an ellipsis marks the cut. */
export function shortened(text: string, maximum: number): string {
  const characters = [...text]
  if (characters.length <= maximum) return text
  return `${characters
    .slice(0, maximum - 1)
    .join('')
    .trimEnd()}…`
}

/**
 * Prepares a value for a sentence: one line that cannot change the direction of the words around
 * it.
 */
export function inSentence(text: string): string {
  const line = singleLine(text)
  return RIGHT_TO_LEFT.test(line) ? `${FIRST_STRONG_ISOLATE}${line}${POP_ISOLATE}` : line
}

/**
 * Removes characters that could end the address early; an address that is valid by the schema stays
 * unchanged.
 */
export function plainAddress(address: string): string {
  return address.replace(NOT_IN_ADDRESS, '')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes the text for element content or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string)
}
