/** `/sign/{participantId}#token`: opens the link that this page was called by. */
import { tabKeep } from '../lib/keep.ts'
import { Speaking, start } from '../lib/start.tsx'
import { LANGUAGES } from '../texts/use-texts.ts'
import { SigningApp } from './app.tsx'
import './sign.css'

const LANGUAGE = 'language'

function open(): void {
  const participantId = decodeURIComponent(window.location.pathname.split('/').at(-1) ?? '')
  const link = { participantId, token: window.location.hash.slice(1) }
  const keep = tabKeep(participantId)
  const chosen = LANGUAGES.find((language) => language === keep.get(LANGUAGE))
  start(
    <Speaking chosen={chosen} onChoose={(language) => keep.set(LANGUAGE, language)}>
      <SigningApp link={link} keep={keep} />
    </Speaking>,
  )
}

// Another link to the same page is another visit.
window.addEventListener('hashchange', () => window.location.reload())
open()
