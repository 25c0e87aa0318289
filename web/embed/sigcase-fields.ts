/**
 * `<sigcase-fields>`: a web component for sites of tenants. It shows the pages of a PDF, and people
 * place the signature fields of a case on them (decision 192).
 */
import type { EditorMessage, GivenPlace, ShowMessage, SitePlace } from '../fields/messages.ts'
import type { Signer } from '../fields/places.ts'
import {
  followHeight,
  isFromFrame,
  languageAround,
  READY_LIMIT_MS,
  SERVICE_ORIGIN,
  SERVICE_URL,
  serviceFrame,
  styleFrame,
} from './service-frame.ts'

type Pdf = Blob | ArrayBuffer | ArrayBufferView

const LABELS: Readonly<Record<string, string>> = {
  en: 'Places of the signatures',
  sk: 'Miesta podpisov',
}
const SANDBOX = 'allow-scripts allow-same-origin'
const PROPERTIES = ['pdf', 'people', 'places'] as const

/** Copies the bytes, because the copy is transferred to the frame. */
async function readCopy(pdf: Pdf): Promise<ArrayBuffer> {
  return new Response(pdf as BodyInit).arrayBuffer()
}

class SigcaseFields extends HTMLElement {
  static readonly observedAttributes = ['label', 'language']
  readonly #root = this.attachShadow({ mode: 'open', delegatesFocus: true })
  #frame: HTMLIFrameElement | undefined
  #readyTimer: number | undefined
  /** Whether the page in the frame accepts messages. */
  #isOpen = false
  #pdf: Pdf | null = null
  #people: readonly Signer[] = []
  #places: readonly GivenPlace[] = []
  /** How often the PDF was set; a copy of an older one is not sent. */
  #turn = 0

  /** The document; null shows none. It does not leave the browser. */
  get pdf(): Pdf | null {
    return this.#pdf
  }
  set pdf(pdf: Pdf | null | undefined) {
    this.#pdf = pdf ?? null
    void this.#sendPdf()
  }

  /** The people who sign: `key` identifies one, `name` is shown. */
  get people(): readonly Signer[] {
    return structuredClone(this.#people)
  }
  set people(people: readonly Signer[]) {
    this.#people = people.map(({ key, name }) => ({ key: String(key), name: String(name) }))
    this.#send()
  }

  /** The places now. */
  get places(): readonly GivenPlace[] {
    return structuredClone(this.#places)
  }
  set places(places: readonly GivenPlace[]) {
    this.#places = structuredClone(places)
    this.#send()
  }

  /** The `signatureFields` of one person, for `POST /cases`. */
  signatureFields(person: string): Omit<SitePlace, 'person'>[] {
    const own = this.#places.filter((place) => place.person === person)
    return own.map(({ person: _person, ...field }) => ({ unit: 'pt', ...field }) as SitePlace)
  }

  connectedCallback(): void {
    this.#takeEarlyProperties()
    styleFrame(this.#root)
    window.addEventListener('message', this.#onMessage)
    const origin = encodeURIComponent(window.location.origin)
    const url = `${SERVICE_URL}/embed/fields?origin=${origin}`
    this.#frame = serviceFrame(url, this.#label(), SANDBOX)
    this.#readyTimer = window.setTimeout(
      () => this.#dispatch('failed', { code: 'NO_ANSWER' }),
      READY_LIMIT_MS,
    )
    this.#root.append(this.#frame)
  }

  disconnectedCallback(): void {
    window.removeEventListener('message', this.#onMessage)
    window.clearTimeout(this.#readyTimer)
    this.#frame?.remove()
    this.#frame = undefined
    this.#isOpen = false
  }

  attributeChangedCallback(name: string): void {
    if (name === 'language') this.#send()
    else if (this.#frame) this.#frame.title = this.#label()
  }

  /** Properties that the site set before this script ran hide the accessors of the class. */
  #takeEarlyProperties(): void {
    for (const name of PROPERTIES) {
      const early = Object.getOwnPropertyDescriptor(this, name)
      if (!early) continue
      delete (this as Record<string, unknown>)[name]
      Object.assign(this, { [name]: early.value })
    }
  }

  #language(): string {
    return this.getAttribute('language') ?? languageAround(this)
  }

  /** The accessible name of the frame. */
  #label(): string {
    return this.getAttribute('label') ?? LABELS[this.#language()] ?? 'Places of the signatures'
  }

  #send(more: Pick<ShowMessage, 'pdf'> = {}): void {
    if (!this.#isOpen) return
    const state = { people: this.#people, places: this.#places, language: this.#language() }
    const message: ShowMessage = { source: 'sigcase-fields', type: 'show', ...state, ...more }
    const transfer = more.pdf ? [more.pdf] : []
    this.#frame?.contentWindow?.postMessage(message, SERVICE_ORIGIN, transfer)
  }

  async #sendPdf(): Promise<void> {
    const turn = ++this.#turn
    if (!this.#isOpen) return
    try {
      const pdf = this.#pdf === null ? null : await readCopy(this.#pdf)
      if (turn === this.#turn) this.#send({ pdf })
    } catch {
      this.#dispatch('failed', { code: 'PDF_UNREADABLE' })
    }
  }

  /** Accepts messages only from the editor in its own frame. */
  readonly #onMessage = (message: MessageEvent<EditorMessage | undefined>) => {
    const frame = this.#frame
    const { data } = message
    if (!isFromFrame(message, frame) || data?.source !== 'sigcase-fields') return
    switch (data.type) {
      case 'resize':
        followHeight(frame, Number(data.height))
        return
      case 'open':
        window.clearTimeout(this.#readyTimer)
        this.#isOpen = true
        return void this.#sendPdf()
      case 'change':
        this.#places = data.places
    }
    const { type, source: _source, ...detail } = data
    this.#dispatch(type, detail)
  }

  #dispatch(type: 'ready' | 'change' | 'failed', detail: object): void {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }))
  }
}

if (!customElements.get('sigcase-fields')) customElements.define('sigcase-fields', SigcaseFields)
