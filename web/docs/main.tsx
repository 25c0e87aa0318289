/** `/docs`: the reference of the API, with our name and colours (decision 204). */
import { render } from 'preact'
import iconUrl from '../design/icon.svg'
import { keepAccessible } from './accessibility.ts'
import './docs.css'
import { prepareForPolicy } from './policy.ts'
import { showReference } from './scalar.ts'

const TITLE = 'sigcase API'
const FAILED = 'The reference could not be loaded. Reload the page, or read /openapi.json.'

/** The page around the reference. It is in English only, as the OpenAPI document is. */
function Reference() {
  return (
    <>
      <header class="reference-bar">
        <a class="brand" href="/">
          <img src={iconUrl} alt="" />
          sigcase
        </a>
        <nav aria-label="Documents">
          <a href="/openapi.json">openapi.json</a>
        </nav>
      </header>
      <div id="reference" />
    </>
  )
}

document.title = TITLE
prepareForPolicy()
const app = document.querySelector('#app')
app?.replaceChildren()
if (app) render(<Reference />, app)
const place = document.querySelector<HTMLElement>('#reference')
if (place) {
  keepAccessible(document.body)
  showReference(place).catch((error: unknown) => {
    console.error(error)
    place.textContent = FAILED
  })
}
