/** Puts a page on the screen, in the reader's language. */
import { render, type ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import '../design/base.css'
import type { Language } from '../texts/plural.ts'
import { browserLanguage, SpeechContext, TEXTS } from '../texts/use-texts.ts'

interface SpeakingProps {
  /** Chosen before, in this visit. */
  chosen?: Language | undefined
  onChoose?(language: Language): void
  children: ComponentChildren
}

/** Gives the sentences of one language to everything inside. */
export function Speaking({ chosen, onChoose, children }: SpeakingProps) {
  const [language, setLanguage] = useState<Language>(() => chosen ?? browserLanguage())
  useLayoutEffect(() => {
    document.documentElement.lang = language
  }, [language])
  const isChosen = useRef(chosen !== undefined)
  const speak = (next: Language) => {
    isChosen.current = true
    setLanguage(next)
    onChoose?.(next)
  }
  const suggest = (next: Language) => {
    if (!isChosen.current) setLanguage(next)
  }
  const changeReader = (next: Language) => {
    isChosen.current = false
    setLanguage(next)
  }
  const speech = { language, texts: TEXTS[language], speak, suggest, changeReader }
  return <SpeechContext.Provider value={speech}>{children}</SpeechContext.Provider>
}

/** Puts the page into its document, instead of the text for a page whose script has not come. */
export function start(page: ComponentChildren): void {
  const place = document.querySelector('#app')
  if (!place) return
  place.replaceChildren()
  render(page, place)
}
