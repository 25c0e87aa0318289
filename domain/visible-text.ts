/** Names and titles that people read on mails, certificates and screens: what cannot be there. */

/** Controls, other ends of lines, and characters that turn the direction of what follows. */
const FORBIDDEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u
const ALL_FORBIDDEN = new RegExp(FORBIDDEN.source, 'gu')
/** Something that leaves ink: neither space nor a character without a shape (Unicode, 5.21). */
const VISIBLE = /[^\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u

/** The same in words of the documentation. */
export const ONE_LINE = 'one line, not blank, without control characters and direction overrides'

export interface TextFault {
  keyword: 'pattern'
  params: { pattern: string }
  message: string
}

const fault = (pattern: string, message: string): TextFault[] => [
  { keyword: 'pattern', params: { pattern }, message },
]

/** What is wrong with a name or title; an empty one is the business of its least length. */
export function visibleTextFaults(text: string): TextFault[] {
  if (FORBIDDEN.test(text)) {
    const message = 'must not hold control characters, line ends or direction overrides'
    return fault(`^[^${FORBIDDEN.source.slice(1)}*$`, message)
  }
  if (text === '' || VISIBLE.test(text)) return []
  return fault(VISIBLE.source, 'must not be blank')
}

/**
 * The text as it can be shown, or else the other one: a case that was not made through the API may
 * hold anything.
 */
export function visibleOr(text: string, other: string): string {
  const shown = text.toWellFormed().replace(ALL_FORBIDDEN, ' ').trim()
  return VISIBLE.test(shown) ? shown : other
}
