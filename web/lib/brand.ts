/** The look that the tenant of a case chose, for all parts of its pages (decision 226). */
import { createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import type { BrandingAnswer } from '../../domain/contract/participant-answers.ts'
import type { ParticipantClient } from './client.ts'

/** Absent: the look of the service. */
export const BrandContext = createContext<BrandingAnswer | undefined>(undefined)
/** What the tenant chose; undefined for the look of the service. */
export const useBrand = (): BrandingAnswer | undefined => useContext(BrandContext)

/** The custom properties of the buttons in both themes; `tokens.css` has their defaults. */
const PROPERTIES = {
  '--brand-light': ({ light }) => light.background,
  '--brand-light-ink': ({ light }) => light.text,
  '--brand-dark': ({ dark }) => dark.background,
  '--brand-dark-ink': ({ dark }) => dark.text,
} as const satisfies Record<string, (colours: NonNullable<BrandingAnswer['colours']>) => string>

/** Colours the buttons of the whole page; the next case on a kiosk has its own colours. */
export function useColours(colours: BrandingAnswer['colours']): void {
  useEffect(() => {
    if (!colours) return undefined
    const { style } = document.documentElement
    for (const [name, colourOf] of Object.entries(PROPERTIES)) {
      style.setProperty(name, colourOf(colours))
    }
    return () => {
      for (const name of Object.keys(PROPERTIES)) style.removeProperty(name)
    }
  }, [colours])
}

/** Reads the look once. The page does not wait for it, and works without it. */
export function useBranding(client: ParticipantClient): BrandingAnswer | undefined {
  const [branding, setBranding] = useState<BrandingAnswer | undefined>(undefined)
  useEffect(() => {
    let isOver = false
    void client.branding().then((outcome) => {
      if (!isOver && outcome.kind === 'answered') setBranding(outcome.value)
    })
    return () => void (isOver = true)
  }, [client])
  useColours(branding?.colours)
  return branding
}
