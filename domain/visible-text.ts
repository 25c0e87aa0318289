/** Rules for names and titles that are shown in mails, certificates and on screens. */

/** Control characters, other line ends, and characters that override the text direction. */
const FORBIDDEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u
const ALL_FORBIDDEN = new RegExp(FORBIDDEN.source, 'gu')
/** A visible character: neither white space nor a character without a glyph (Unicode, 5.21). */
const VISIBLE = /[^\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Description of the rules for the API reference. */
export const ONE_LINE = 'one line, not blank, without control characters and direction overrides'

export interface TextFault {
  keyword: 'pattern'
  params: { pattern: string }
  message: string
}

const fault = (pattern: string, message: string): TextFault[] => [
  { keyword: 'pattern', params: { pattern }, message },
]

/** Returns the fault of a name or title; `minLength` covers the empty text. */
export function visibleTextFaults(text: string): TextFault[] {
  if (FORBIDDEN.test(text)) {
    const message = 'must not contain control characters, line ends or direction overrides'
    return fault(`^[^${FORBIDDEN.source.slice(1)}*$`, message)
  }
  if (text === '' || VISIBLE.test(text)) return []
  return fault(VISIBLE.source, 'must not be blank')
}

/**
 * Returns the text without forbidden characters, or `other` when nothing visible is left. Cases
 * that were not created through the API may contain any text.
 */
export function visibleOr(text: string, other: string): string {
  const shown = text.toWellFormed().replace(ALL_FORBIDDEN, ' ').trim()
  return VISIBLE.test(shown) ? shown : other
}
