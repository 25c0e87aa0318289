/** Reads a PDF piece by piece; loaded only once there is one to show. */
import {
  getDocument,
  GlobalWorkerOptions,
  PDFDataRangeTransport,
  PDFWorker,
  TextLayer,
  type PDFDocumentProxy,
  type PDFPageProxy,
  type PageViewport,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
// What the build makes of an address is its default export.
// oxlint-disable-next-line import/default
import workerUrl from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url'
import type { Rectangle } from '../../domain/cases/rectangle.ts'
import { canvasRatio, dropCanvas } from '../lib/canvas-ratio.ts'
import type { Painted } from '../lib/use-painted.ts'
import { type DocumentBytes, PART_BYTES } from './document-bytes.ts'
import { provideFieldValues } from './field-values.ts'
import type { PageWithPlaces } from './place.ts'

GlobalWorkerOptions.workerSrc = workerUrl
/** Starts with this module, so that it is ready when the document is. */
let firstWorker: PDFWorker | undefined = new PDFWorker()

/** The worker that was started ahead; another one for each further document. */
function nextWorker(): PDFWorker {
  const worker = firstWorker ?? new PDFWorker()
  firstWorker = undefined
  return worker
}

const MAXIMUM_PIXEL_RATIO = 3

class RangeTransport extends PDFDataRangeTransport {
  readonly #bytes: DocumentBytes
  readonly #onFault: () => void

  constructor(bytes: DocumentBytes, sizeBytes: number, onFault: () => void) {
    super(sizeBytes, null)
    this.#bytes = bytes
    this.#onFault = onFault
  }

  override requestDataRange(begin: number, end: number): void {
    this.#bytes.read(begin, end).then(
      (bytes) => this.onDataRange(begin, bytes),
      () => this.#onFault(),
    )
  }
}

function newCanvas(viewport: PageViewport): HTMLCanvasElement {
  const { width, height } = viewport
  const ratio = canvasRatio(viewport, MAXIMUM_PIXEL_RATIO)
  const canvas = document.createElement('canvas')
  canvas.width = Math.floor(width * ratio)
  canvas.height = Math.floor(height * ratio)
  canvas.ariaHidden = 'true'
  return canvas
}

/** The layers are the picture and the text. */
export interface PaintedPage extends Painted {
  /** Points, as displayed. */
  size: { width: number; height: number }
}

async function paint(
  pdf: PDFDocumentProxy,
  page: PDFPageProxy,
  widthPx: number,
  signal: AbortSignal,
): Promise<PaintedPage> {
  const { width, height } = page.getViewport({ scale: 1 })
  const scale = widthPx / width
  const viewport = page.getViewport({ scale })
  const canvas = newCanvas(viewport)
  const ratio = canvas.width / viewport.width
  const annotationMode = await provideFieldValues(pdf, page)
  const transform = [ratio, 0, 0, ratio, 0, 0]
  const task = page.render({ canvas, viewport, transform, annotationMode })
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
    dropCanvas(canvas)
    page.cleanup()
  }
  return { layers: [canvas, text], size: { width, height }, drop }
}

/** The text of a page as its text layer has it, with a line break where a line ends. */
async function readText(page: PDFPageProxy): Promise<string> {
  const { items } = await page.getTextContent()
  return items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')
}

/** Paints a page without its text layer. @param widthPx pixels of the canvas */
async function picture(
  pdf: PDFDocumentProxy,
  page: PDFPageProxy,
  widthPx: number,
): Promise<HTMLCanvasElement> {
  const { width } = page.getViewport({ scale: 1 })
  const viewport = page.getViewport({ scale: widthPx / width })
  const canvas = document.createElement('canvas')
  canvas.width = Math.floor(viewport.width)
  canvas.height = Math.floor(viewport.height)
  const annotationMode = await provideFieldValues(pdf, page)
  await page.render({ canvas, viewport, annotationMode }).promise
  return canvas
}

/** Where the form fields of a page are, in points of the page as displayed. */
async function readFields(page: PDFPageProxy): Promise<Rectangle[]> {
  const viewport = page.getViewport({ scale: 1 })
  const annotations = (await page.getAnnotations({ intent: 'any' })) as {
    subtype: string
    rect: number[]
  }[]
  const widgets = annotations.filter(({ subtype }) => subtype === 'Widget')
  return widgets.map(({ rect: [x1 = 0, y1 = 0, x2 = 0, y2 = 0] }) => {
    const [left, top] = viewport.convertToViewportPoint(x1, y1) as [number, number]
    const [right, bottom] = viewport.convertToViewportPoint(x2, y2) as [number, number]
    return {
      page: page.pageNumber,
      x: Math.min(left, right),
      y: Math.min(top, bottom),
      width: Math.abs(right - left),
      height: Math.abs(bottom - top),
      unit: 'pt',
    }
  })
}

/** A document of which pages can be painted. */
export interface OpenPdf {
  pageCount: number
  /** The size of a page, and where its form fields are. @param number from 1 */
  page(number: number): Promise<PageWithPlaces>
  /** @param number from 1 */
  paint(number: number, widthPx: number, signal: AbortSignal): Promise<PaintedPage>
  /** @param widthPx pixels of the canvas, which belongs to the caller */
  picture(number: number, widthPx: number): Promise<HTMLCanvasElement>
  text(number: number): Promise<string>
  /** @throws Error when a part cannot be fetched, or these are other bytes */
  file(): Promise<Blob>
  /**
   * Whether the bytes that pages are painted from are the document that is signed.
   *
   * @throws Error when a part of the document cannot be fetched; another call tries again
   */
  isGenuine(): Promise<boolean>
  close(): void
}

/**
 * Opens a document, and checks it once a page is painted, so that the check does not delay it.
 *
 * @param onFault a part of the document cannot be fetched
 * @param onOther the bytes are not the document that is signed
 */
export async function openPdf(
  bytes: DocumentBytes,
  onFault: () => void,
  onOther: () => void,
): Promise<OpenPdf> {
  const isGenuine = async () => {
    const isSame = await bytes.isGenuine()
    if (!isSame) onOther()
    return isSame
  }
  const worker = nextWorker()
  const task = getDocument({
    worker,
    range: new RangeTransport(bytes, bytes.sizeBytes, onFault),
    rangeChunkSize: PART_BYTES,
    disableAutoFetch: true,
    disableStream: true,
    cMapUrl: `${READER_FOLDER}cmaps/`,
    standardFontDataUrl: `${READER_FOLDER}standard_fonts/`,
    // Everybody sees the same fonts, whatever the device has: intake draws fields with them.
    useSystemFonts: false,
    wasmUrl: `${READER_FOLDER}wasm/`,
    iccUrl: `${READER_FOLDER}iccs/`,
    enableXfa: false,
  })
  const pdf = await task.promise
  return {
    pageCount: pdf.numPages,
    async page(number) {
      const page = await pdf.getPage(number)
      const { width, height } = page.getViewport({ scale: 1 })
      return { number, size: { width, height }, taken: await readFields(page) }
    },
    async paint(number, widthPx, signal) {
      const painted = await paint(pdf, await pdf.getPage(number), widthPx, signal)
      // What cannot be fetched now is fetched before the signature is sent.
      isGenuine().catch(() => undefined)
      return painted
    },
    picture: async (number, widthPx) => picture(pdf, await pdf.getPage(number), widthPx),
    text: async (number) => readText(await pdf.getPage(number)),
    file: async () => new Blob([await bytes.all()], { type: 'application/pdf' }),
    isGenuine,
    close() {
      bytes.close()
      void task.destroy().finally(() => worker.destroy())
    },
  }
}
