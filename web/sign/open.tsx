/** Starts the signing page for the link in the address: `…/{participantId}#token`. */
import { tabKeep } from '../lib/keep.ts'
import { Speaking, start } from '../lib/start.tsx'
import { LANGUAGES } from '../texts/use-texts.ts'
import { SigningApp } from './app.tsx'
import './sign.css'
import type { View } from './view.ts'

const LANGUAGE = 'language'

interface OpenOptions {
  /** The origin of the site around the page, in a frame. */
  embeddingOrigin?: string
  /** Called with each view that the page shows. */
  onView?: (view: View) => void
}

/** The path segment of the signing link. */
export const addressedParticipant = (): string =>
  decodeURIComponent(window.location.pathname.split('/').at(-1) ?? '')

/** Opens the link in the address, and another one when the address changes. */
export function openSigningPage({ embeddingOrigin, onView }: OpenOptions = {}): void {
  // Another link to the same page is another visit.
  window.addEventListener('hashchange', () => window.location.reload())
  const participantId = addressedParticipant()
  const link = {
    participantId,
    token: window.location.hash.slice(1),
    ...(embeddingOrigin === undefined ? {} : { embeddingOrigin }),
  }
  // The reader and its worker load beside the first answer; the HTML names them as well.
  import('./pdf.ts').catch(() => undefined)
  const keep = tabKeep(participantId)
  const chosen = LANGUAGES.find((language) => language === keep.get(LANGUAGE))
  start(
    <Speaking chosen={chosen} onChoose={(language) => keep.set(LANGUAGE, language)}>
      <SigningApp link={link} keep={keep} {...(onView ? { onView } : {})} />
    </Speaking>,
  )
}
