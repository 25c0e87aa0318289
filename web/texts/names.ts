/** Several names in one sentence. */
import { pluralIn, type Language } from './plural.ts'

/** So many names are written out; the others are counted. */
const MAXIMUM_NAMES = 3
/** Characters without a shape, which could turn or hide the text around them. */
const INVISIBLE = /\p{Cf}/gu
/** What could make one name look like several. */
const LOOKS_LIKE_MORE = /[,;]|(?:^|\s)(?:[Aa]nd|AND|a|&)(?=\s|$)/u
/** They would end the quotes around a name too early. */
const DOUBLE_QUOTES = /["“”„‟«»]/gu
const QUOTES: Readonly<Record<Language, readonly [string, string]>> = {
  sk: ['„', '“'],
  en: ['“', '”'],
}

const SLOVAK_OTHERS = { one: 'ďalšia osoba', few: 'ďalšie osoby', other: 'ďalších osôb' }
const ENGLISH_OTHERS = { one: 'other', other: 'others' }
const OTHERS: Readonly<Record<Language, (count: number) => string>> = {
  sk: (count) => `${count} ${pluralIn('sk')(count, SLOVAK_OTHERS)}`,
  en: (count) => `${count} ${pluralIn('en')(count, ENGLISH_OTHERS)}`,
}

/**
 * The name as one unit: it does not turn the words around it, and is in quotes where it could be
 * read as several names.
 */
function oneName(language: Language, name: string): string {
  const visible = name.replace(INVISIBLE, '')
  if (!LOOKS_LIKE_MORE.test(visible)) return `\u2068${visible}\u2069`
  const [opening, closing] = QUOTES[language]
  return `${opening}\u2068${visible.replace(DOUBLE_QUOTES, '’')}\u2069${closing}`
}

/** Words between names: in Slovak `a` stays with the next name, in English the last comma goes. */
const LITERALS: Readonly<Record<Language, (literal: string) => string>> = {
  sk: (literal) => literal.replace(/ a $/, ' a\u00a0'),
  en: (literal) => literal.replace(', and ', ' and '),
}

/** `Jana Nováková, Peter Kráľ and 2 others`; each name is isolated (UAX 9, FSI and PDI). */
export function namesIn(language: Language, names: readonly string[]): string {
  const isLong = names.length > MAXIMUM_NAMES
  const shown = names
    .slice(0, isLong ? MAXIMUM_NAMES - 1 : MAXIMUM_NAMES)
    .map((name) => oneName(language, name))
  const all = isLong ? [...shown, OTHERS[language](names.length - shown.length)] : shown
  return new Intl.ListFormat(language, { type: 'conjunction' })
    .formatToParts(all)
    .map(({ type, value }) => (type === 'literal' ? LITERALS[language](value) : value))
    .join('')
}
