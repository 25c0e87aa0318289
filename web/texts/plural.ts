/** Words by number, by the rules of the language (Unicode CLDR). */
import type { CaseDefinitionAnswer } from '../../domain/contract/participant-answers.ts'

export type Language = CaseDefinitionAnswer['language']
export type Forms = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>

/** @returns the form of the word that goes with a number */
export function pluralIn(language: Language): (count: number, forms: Forms) => string {
  const rules = new Intl.PluralRules(language)
  return (count, forms) => forms[rules.select(count)] ?? forms.other
}
