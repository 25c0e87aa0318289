/** `/console`: tenants create, follow and cancel their cases (decision 216). */
import { Speaking, start } from '../lib/start.tsx'
import type { Language } from '../texts/plural.ts'
import { App } from './app.tsx'
import './pages.css'

const LANGUAGE = 'console/language'

/** A choice of the language stays on the device; it is the only thing that outlives the tab. */
const chosen = localStorage.getItem(LANGUAGE) as Language | null

start(
  <Speaking
    chosen={chosen ?? undefined}
    onChoose={(language) => localStorage.setItem(LANGUAGE, language)}
  >
    <App />
  </Speaking>,
)
