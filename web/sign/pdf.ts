/** Reads a PDF piece by piece; loaded only once there is one to show. */
import {
  getDocument,
  GlobalWorkerOptions,
  PDFDataRangeTransport,
  TextLayer,
  type PDFPageProxy,
  type PageViewport,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
// What the build makes of an address is its default export.
// oxlint-disable-next-line import/default
import workerUrl from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url'

GlobalWorkerOptions.workerSrc = workerUrl

const RANGE_BYTES = 128 * 1024
const FETCH_ATTEMPTS = 4
const RETRY_DELAY_MS = 1_500
/** A phone holds a few of these at once: 4096 by 1536 pixels. */
const MAXIMUM_CANVAS_PIXELS = 6_291_456
const MAXIMUM_PIXEL_RATIO = 3

export interface DocumentSource {
  sizeBytes: number
  /** A link that works; asked for again when one has run out. */
  link(isFresh: boolean): Promise<string>
}

const later = (delayMs: number) => new Promise((resolve) => window.setTimeout(resolve, delayMs))

async function fetchRange(source: DocumentSource, begin: number, end: number): Promise<Uint8Array> {
  for (let attempt = 1; ; attempt++) {
    try {
      const url = await source.link(attempt > 1)
      const headers = { range: `bytes=${begin}-${end - 1}` }
      // A shared screen keeps no part of it; each visit has links of its own anyway.
      const response = await fetch(url, { headers, cache: 'no-store' })
      if (!response.ok) throw new Error(`the document answered ${response.status}`)
      const bytes = new Uint8Array(await response.arrayBuffer())
      return response.status === 206 ? bytes : bytes.subarray(begin, end)
    } catch (error) {
      if (attempt >= FETCH_ATTEMPTS) throw error
      await later(attempt * RETRY_DELAY_MS)
    }
  }
}

class RangeTransport extends PDFDataRangeTransport {
  readonly #source: DocumentSource
  readonly #onFault: () => void

  constructor(source: DocumentSource, onFault: () => void) {
    super(source.sizeBytes, null)
    this.#source = source
    this.#onFault = onFault
  }

  override requestDataRange(begin: number, end: number): void {
    fetchRange(this.#source, begin, end).then(
      (bytes) => this.onDataRange(begin, bytes),
      () => this.#onFault(),
    )
  }
}

function newCanvas(viewport: PageViewport): HTMLCanvasElement {
  const { width, height } = viewport
  const wanted = Math.min(window.devicePixelRatio || 1, MAXIMUM_PIXEL_RATIO)
  const ratio = Math.min(wanted, Math.sqrt(MAXIMUM_CANVAS_PIXELS / (width * height)))
  const canvas = document.createElement('canvas')
  canvas.width = Math.floor(width * ratio)
  canvas.height = Math.floor(height * ratio)
  canvas.ariaHidden = 'true'
  return canvas
}

export interface PaintedPage {
  canvas: HTMLCanvasElement
  text: HTMLElement
  /** Points, as displayed. */
  size: { width: number; height: number }
  /** Gives its memory back. */
  drop(): void
}

async function paint(
  page: PDFPageProxy,
  widthPx: number,
  signal: AbortSignal,
): Promise<PaintedPage> {
  const { width, height } = page.getViewport({ scale: 1 })
  const scale = widthPx / width
  const viewport = page.getViewport({ scale })
  const canvas = newCanvas(viewport)
  const ratio = canvas.width / viewport.width
  const task = page.render({ canvas, viewport, transform: [ratio, 0, 0, ratio, 0, 0] })
  const text = document.createElement('div')
  text.className = 'textLayer'
  text.style.setProperty('--total-scale-factor', String(scale))
  const textContentSource = page.streamTextContent()
  const layer = new TextLayer({ textContentSource, container: text, viewport })
  const stop = () => {
    task.cancel()
    layer.cancel()
  }
  signal.addEventListener('abort', stop)
  try {
    await Promise.all([task.promise, layer.render()])
  } finally {
    signal.removeEventListener('abort', stop)
  }
  const drop = () => {
    canvas.width = 0
    canvas.height = 0
    page.cleanup()
  }
  return { canvas, text, size: { width, height }, drop }
}

/** A document of which pages can be painted. */
export interface OpenPdf {
  pageCount: number
  /** @param number from 1 */
  paint(number: number, widthPx: number, signal: AbortSignal): Promise<PaintedPage>
  /**
   * SHA-256 of the octets that the pages are painted from, hex; the rest of them is fetched for it.
   *
   * @returns undefined where browsers cannot take digests: without https
   * @throws Error when a part of the document cannot be had
   */
  digest(): Promise<string | undefined>
  close(): void
}

async function sha256Of(bytes: Uint8Array): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', Uint8Array.from(bytes)))
  return Array.from(digest, (octet) => octet.toString(16).padStart(2, '0')).join('')
}

/** @param onFault a part of the document cannot be had */
export async function openPdf(source: DocumentSource, onFault: () => void): Promise<OpenPdf> {
  let fail = () => {}
  const missing = new Promise<never>((_resolve, reject) => {
    fail = () => reject(new Error('a part of the document cannot be had'))
  })
  // Heard by whoever waits for all of it.
  missing.catch(() => undefined)
  const transport = new RangeTransport(source, () => {
    fail()
    onFault()
  })
  const task = getDocument({
    range: transport,
    rangeChunkSize: RANGE_BYTES,
    disableAutoFetch: true,
    disableStream: true,
    cMapUrl: `${READER_FOLDER}cmaps/`,
    standardFontDataUrl: `${READER_FOLDER}standard_fonts/`,
    wasmUrl: `${READER_FOLDER}wasm/`,
    iccUrl: `${READER_FOLDER}iccs/`,
    enableXfa: false,
  })
  const pdf = await task.promise
  return {
    pageCount: pdf.numPages,
    paint: async (number, widthPx, signal) => paint(await pdf.getPage(number), widthPx, signal),
    async digest() {
      if (!window.isSecureContext) return undefined
      return sha256Of(await Promise.race([pdf.getData(), missing]))
    },
    close: () => void task.destroy(),
  }
}
