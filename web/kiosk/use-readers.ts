/** The languages of a kiosk: that of each visitor, and that of the idle screen. */
import { useRef } from 'preact/hooks'
import type { Language } from '../texts/plural.ts'
import { useSpeech } from '../texts/use-texts.ts'

export interface Readers {
  /** @param language of the visitor; absent when it is unknown */
  begin(language: Language | undefined): void
  /** The idle screen is as it was before the visit. */
  end(): void
}

/** Neither the next visitor nor the idle screen gets the language that a visitor chose. */
export function useReaders(): Readers {
  const { language: shown, changeReader } = useSpeech()
  const idle = useRef(shown)
  const isVisit = useRef(false)
  // The language can be chosen on the idle screen, too.
  if (!isVisit.current) idle.current = shown
  return {
    begin(language) {
      isVisit.current = true
      changeReader(language ?? idle.current)
    },
    end() {
      if (!isVisit.current) return
      changeReader(idle.current)
      isVisit.current = false
    },
  }
}
