/** Sanitises untrusted names and titles for headers, text and HTML of a mail. */

const LINE_ENDS = /[\t\n\v\f\r\u0085\u2028\u2029]+/gu
/**
 * The signs of ten scripts of India and Sri Lanka that take the vowel from a letter (virama). A
 * joiner or non-joiner behind one chooses the form of the letters.
 */
const VIRAMA = String.raw`[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca]`
/** Arabic letters that do not join the letter behind them: a non-joiner there changes nothing. */
const NOT_JOINING = [
  String.raw`\u0621-\u0625\u0627\u0629\u062f-\u0632\u0648\u0671-\u0677\u0688-\u0699\u06c0`,
  String.raw`\u06c3-\u06cb\u06cd\u06cf\u06d2\u06d3\u06d5\u06ee\u06ef`,
].join('')
const ARABIC = String.raw`(?=\p{Script=Arabic})\p{L}`
/** Where a joiner is seen, so that it belongs to the spelling (RFC 5892, A.1 and A.2). */
const SPELT = [
  String.raw`(?<=${VIRAMA})[\u200c\u200d](?=\p{L})`,
  String.raw`(?<=(?![${NOT_JOINING}])${ARABIC}\p{Mn}*)\u200c(?=${ARABIC})`,
].join('|')
/**
 * Emoji, whose joiners and tags are seen (Unicode TR 51), and control and format characters:
 * direction overrides, zero-width characters, tags. Without the latter, names that look alike are
 * the same; joiners stay where they are seen.
 */
const EMOJI_OR_INVISIBLE = new RegExp(
  String.raw`\p{RGI_Emoji}|(?!(?=[\u200c\u200d])(?:${SPELT}))[\p{Cc}\p{Cf}]`,
  'gv',
)
const INVISIBLE = /^[\p{Cc}\p{Cf}]$/u
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
    .replace(EMOJI_OR_INVISIBLE, (found) => (INVISIBLE.test(found) ? '' : found))
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
