/** Slovak typography: a word of one letter does not end a line, and “e‑mail” is not broken. */

const SINGLE_LETTER = /(?<=^|[\s(„])([aikosuvzAIKOSUVZ]) /g
const E_MAIL = /(?<![\w@.-])(e)-(?=mail)/gi

const bound = (text: string) => text.replace(SINGLE_LETTER, '$1\u00a0').replace(E_MAIL, '$1\u2011')

/** The same sentences with such words tied to the next; also where the sentence is made later. */
export function withBoundWords<T extends object>(texts: T): T {
  const entries = Object.entries(texts).map(([key, text]) => {
    if (typeof text === 'string') return [key, bound(text)]
    return [
      key,
      (...values: unknown[]) => bound((text as (...all: unknown[]) => string)(...values)),
    ]
  })
  return Object.fromEntries(entries) as T
}
