/** Slovak typography: a word of one letter does not end a line, and “e‑mail” is not broken. */

const SINGLE_LETTER = /(?<=^|[\s(„])([aikosuvzAIKOSUVZ]) /g
const E_MAIL = /(?<![\w@.-])(e)-(?=mail)/gi

/** The sentence with no-break spaces after such words, and U+2011 in “e‑mail”. */
export const bindWords = (text: string): string =>
  text.replace(SINGLE_LETTER, '$1\u00a0').replace(E_MAIL, '$1\u2011')

/**
 * Binds the words of all sentences in a tree of texts, also of those that functions make.
 *
 * @param texts strings, functions that return strings, and arrays and objects of them
 */
export function bindAllWords<T>(texts: T): T {
  if (typeof texts === 'string') return bindWords(texts) as T
  if (typeof texts === 'function') {
    return ((...values: unknown[]) => bindAllWords(texts(...values) as unknown)) as T
  }
  if (Array.isArray(texts)) return texts.map((one: unknown) => bindAllWords(one)) as T
  if (typeof texts !== 'object' || texts === null) return texts
  const entries = Object.entries(texts).map(([key, value]) => [key, bindAllWords(value as unknown)])
  return Object.fromEntries(entries) as T
}
