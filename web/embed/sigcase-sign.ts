/**
 * `<sigcase-sign src="signing link">`: a web component for sites of tenants. It shows the signing
 * page in a frame and dispatches `ready`, `signed` and `failed` (decision 192).
 */
import type { FrameMessage } from './messages.ts'
import {
  followHeight,
  isFromFrame,
  languageAround,
  READY_LIMIT_MS,
  SERVICE_URL,
  serviceFrame,
  styleFrame,
} from './service-frame.ts'

/** A participant and the token of a signing link. */
const PARTICIPANT_AND_TOKEN = /^([\w-]+)#([\w.-]+)$/
const LABELS: Readonly<Record<string, string>> = {
  en: 'Sign the document',
  sk: 'Podpísanie dokumentu',
}
/** What the page needs; it may not lead the site elsewhere. */
const SANDBOX =
  'allow-scripts allow-same-origin allow-forms allow-downloads allow-popups ' +
  'allow-popups-to-escape-sandbox'
/** @returns undefined for a text that is not a signing link of this service */
function frameUrl(link: string): string | undefined {
  const start = `${SERVICE_URL}/sign/`
  const [, participantId, token] = PARTICIPANT_AND_TOKEN.exec(link.slice(start.length)) ?? []
  if (!link.startsWith(start) || participantId === undefined) return undefined
  const origin = encodeURIComponent(window.location.origin)
  return `${SERVICE_URL}/embed/sign/${participantId}?origin=${origin}#${token}`
}

class SigcaseSign extends HTMLElement {
  static readonly observedAttributes = ['src', 'label']
  readonly #root = this.attachShadow({ mode: 'open', delegatesFocus: true })
  #frame: HTMLIFrameElement | undefined
  #readyTimer: number | undefined
  /** Attributes of the document change before the element is connected. */
  #isStarted = false

  connectedCallback(): void {
    styleFrame(this.#root)
    window.addEventListener('message', this.#onMessage)
    this.#isStarted = true
    this.#load()
  }

  disconnectedCallback(): void {
    window.removeEventListener('message', this.#onMessage)
    this.#isStarted = false
    this.#unload()
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (!this.#isStarted || before === now) return
    if (name === 'src') this.#load()
    else if (this.#frame) this.#frame.title = this.#label()
  }

  /** The accessible name of the frame. */
  #label(): string {
    return this.getAttribute('label') ?? LABELS[languageAround(this)] ?? 'Sign the document'
  }

  #unload(): void {
    window.clearTimeout(this.#readyTimer)
    this.#frame?.remove()
    this.#frame = undefined
  }

  #load(): void {
    this.#unload()
    const link = this.getAttribute('src')
    if (link === null || link === '') return
    const url = frameUrl(link)
    if (url === undefined) return this.#dispatch('failed', { code: 'LINK_INVALID' })
    const frame = serviceFrame(url, this.#label(), SANDBOX)
    this.#readyTimer = window.setTimeout(
      () => this.#dispatch('failed', { code: 'NO_ANSWER' }),
      READY_LIMIT_MS,
    )
    this.#frame = frame
    this.#root.append(frame)
  }

  /** Accepts messages only from the signing page in its own frame. */
  readonly #onMessage = (message: MessageEvent<FrameMessage | undefined>) => {
    const frame = this.#frame
    const { data } = message
    if (!isFromFrame(message, frame)) return
    if (data?.source !== 'sigcase') return
    if (data.type === 'resize') {
      followHeight(frame, Number(data.height))
      return
    }
    window.clearTimeout(this.#readyTimer)
    const { type, source: _source, ...detail } = data
    this.#dispatch(type, detail)
  }

  #dispatch(type: 'ready' | 'signed' | 'failed', detail: object): void {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }))
  }
}

if (!customElements.get('sigcase-sign')) customElements.define('sigcase-sign', SigcaseSign)
