/** Several names in one sentence. */
import { pluralIn, type Language } from './plural.ts'

/** So many names are written out; the others are counted. */
const MAXIMUM_NAMES = 3
/** Letters of right-to-left scripts. */
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u

const SLOVAK_OTHERS = { one: 'ďalšia osoba', few: 'ďalšie osoby', other: 'ďalších osôb' }
const ENGLISH_OTHERS = { one: 'other', other: 'others' }
const OTHERS: Readonly<Record<Language, (count: number) => string>> = {
  sk: (count) => `${count} ${pluralIn('sk')(count, SLOVAK_OTHERS)}`,
  en: (count) => `${count} ${pluralIn('en')(count, ENGLISH_OTHERS)}`,
}

/** A name of letters that run from right to left does not turn the words around it. */
const isolated = (name: string) => (RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name)

/** `Jana Nováková, Peter Kráľ and 2 others`. */
export function namesIn(language: Language, names: readonly string[]): string {
  const isLong = names.length > MAXIMUM_NAMES
  const shown = names.slice(0, isLong ? MAXIMUM_NAMES - 1 : MAXIMUM_NAMES).map(isolated)
  const all = isLong ? [...shown, OTHERS[language](names.length - shown.length)] : shown
  const joined = new Intl.ListFormat(language, { type: 'conjunction' }).format(all)
  return language === 'sk'
    ? joined.replace(/ a (?=[^ ])/g, ' a\u00a0')
    : joined.replace(/, and /, ' and ')
}
