/** The sentences of the console in the language of the page. */
import { CONSOLE_ENGLISH, type ConsoleTexts } from '../texts/console-en.ts'
import { CONSOLE_SLOVAK } from '../texts/console-sk.ts'
import type { Language } from '../texts/plural.ts'
import { useSpeech } from '../texts/use-texts.ts'

const CONSOLE_TEXTS: Readonly<Record<Language, ConsoleTexts>> = {
  en: CONSOLE_ENGLISH,
  sk: CONSOLE_SLOVAK,
}

export const useConsoleTexts = (): ConsoleTexts => CONSOLE_TEXTS[useSpeech().language]
