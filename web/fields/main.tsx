/** `/embed/fields?origin=…`: the field editor in a frame of another site (decision 192). */
import { isFramed } from '../lib/frame.ts'
import { observeHeight } from '../lib/observe-height.ts'
import { Speaking, start } from '../lib/start.tsx'
import { EmbeddedEditor } from './embedded-editor.tsx'
import type { EditorMessage } from './messages.ts'

/** The server allowed this origin to show the page; messages are delivered only to it. */
const siteOrigin = new URLSearchParams(window.location.search).get('origin') ?? ''

const post = (message: EditorMessage) => window.parent.postMessage(message, siteOrigin)

function openInFrame(): void {
  start(
    <Speaking>
      <EmbeddedEditor siteOrigin={siteOrigin} post={post} />
    </Speaking>,
  )
  const content = document.querySelector('#app')
  if (!content) return
  observeHeight(content, (height) => post({ source: 'sigcase-fields', type: 'resize', height }))
}

if (isFramed()) openInFrame()
else window.location.replace('/')
