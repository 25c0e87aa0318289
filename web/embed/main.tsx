/**
 * `/embed/sign/{participantId}?origin=…#token`: the signing page in a frame of another site
 * (decision 192).
 */
import { isFramed, ownWindowUrl } from '../lib/frame.ts'
import { observeHeight } from '../lib/observe-height.ts'
import { addressedParticipant, openSigningPage } from '../sign/open.tsx'
import './embed.css'
import { reportViews, type FrameMessage } from './messages.ts'

function openInFrame(): void {
  // The server allowed this origin to show the page; the browser delivers to no other.
  const embeddingOrigin = new URLSearchParams(window.location.search).get('origin') ?? ''
  const participantId = addressedParticipant()
  const post = (message: FrameMessage) => window.parent.postMessage(message, embeddingOrigin)
  document.documentElement.classList.add('framed')
  openSigningPage({ embeddingOrigin, onView: reportViews(participantId, post) })
  const content = document.querySelector('#app')
  if (!content) return
  observeHeight(content, (height) =>
    post({ source: 'sigcase', type: 'resize', participantId, height }),
  )
}

if (isFramed()) openInFrame()
else window.location.replace(ownWindowUrl())
