/** Names and titles of untrusted people made harmless for headers, text and HTML of a mail. */

const LINE_ENDS = /[\t\n\v\f\r\u0085\u2028\u2029]+/gu
/** Controls, and format characters: direction overrides, zero-width characters, tags. */
const INVISIBLE = /[\p{Cc}\p{Cf}]/gu
/** Letters that are written from right to left. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
const FIRST_STRONG_ISOLATE = '\u2068'
const POP_ISOLATE = '\u2069'
/** What can neither stand in a plain address nor end it early in a header (RFC 5322, 3.4.1). */
const NOT_IN_ADDRESS = /[\s\p{Cc}\p{Cf}<>()[\]",;:\\]/gu

/** One line of visible characters in their composed form (NFC). */
export function singleLine(text: string): string {
  return text
    .toWellFormed()
    .replace(LINE_ENDS, ' ')
    .replace(INVISIBLE, '')
    .replace(/ {2,}/g, ' ')
    .trim()
    .normalize('NFC')
}

/** The text cut to `maximum` characters, the cut shown by an ellipsis. */
export function shortened(text: string, maximum: number): string {
  const characters = [...text]
  if (characters.length <= maximum) return text
  return `${characters
    .slice(0, maximum - 1)
    .join('')
    .trimEnd()}…`
}

/** A value within a sentence: one line that cannot turn the words around it. */
export function inSentence(text: string): string {
  const line = singleLine(text)
  return RIGHT_TO_LEFT.test(line) ? `${FIRST_STRONG_ISOLATE}${line}${POP_ISOLATE}` : line
}

/** An address without anything that could end it early; one of the schema stays as it is. */
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

/** The text for the content of an element or of a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string)
}
