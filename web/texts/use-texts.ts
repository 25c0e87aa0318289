/** The sentences of the language that the page is read in. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { ENGLISH, type Texts } from './en.ts'
import type { Language } from './plural.ts'
import { SLOVAK } from './sk.ts'

export const TEXTS: Readonly<Record<Language, Texts>> = { en: ENGLISH, sk: SLOVAK }
export const LANGUAGES: readonly Language[] = ['sk', 'en']

export interface Speech {
  language: Language
  texts: Texts
  /** The reader chooses: that holds for the rest of the visit. */
  speak(language: Language): void
  /** What is known of the reader; counts until they choose. */
  suggest(language: Language): void
  /** Somebody else reads from now on: what the reader before chose is over. */
  changeReader(language: Language): void
}

export const SpeechContext = createContext<Speech>({
  language: 'en',
  texts: ENGLISH,
  speak: () => undefined,
  suggest: () => undefined,
  changeReader: () => undefined,
})

export const useSpeech = (): Speech => useContext(SpeechContext)
export const useTexts = (): Texts => useSpeech().texts

/** What the browser asks for; readers of Czech read Slovak. */
export function browserLanguage(): Language {
  const known: Readonly<Record<string, Language>> = { sk: 'sk', cs: 'sk', en: 'en' }
  const preferred = navigator.languages.map((tag) => known[tag.split('-')[0] ?? ''])
  return preferred.find((language) => language !== undefined) ?? 'en'
}
