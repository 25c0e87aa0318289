/** Shows the pages of a PDF from the device; loaded only once there is one to show. */
import {
  getDocument,
  GlobalWorkerOptions,
  type PDFDocumentProxy,
  type PDFPageProxy,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
// What the build makes of an address is its default export.
// oxlint-disable-next-line import/default
import workerUrl from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url'
import { canvasRatio, dropCanvas } from '../lib/canvas-ratio.ts'
import type { Painted } from '../lib/use-painted.ts'
import { provideFieldValues } from '../sign/field-values.ts'
import type { PageSize } from './places.ts'

GlobalWorkerOptions.workerSrc = workerUrl

const MAXIMUM_PIXEL_RATIO = 2

export interface LocalPdf {
  sizes: readonly PageSize[]
  /**
   * Paints a page.
   *
   * @param number from 1
   */
  paint(number: number, widthPx: number, signal: AbortSignal): Promise<Painted>
  close(): void
}

async function paint(
  pdf: PDFDocumentProxy,
  page: PDFPageProxy,
  widthPx: number,
  signal: AbortSignal,
): Promise<Painted> {
  const viewport = page.getViewport({ scale: widthPx / page.getViewport({ scale: 1 }).width })
  const { width, height } = viewport
  const ratio = canvasRatio(viewport, MAXIMUM_PIXEL_RATIO)
  const annotationMode = await provideFieldValues(pdf, page)
  signal.throwIfAborted()
  const canvas = document.createElement('canvas')
  canvas.width = Math.floor(width * ratio)
  canvas.height = Math.floor(height * ratio)
  canvas.ariaHidden = 'true'
  const transform = [ratio, 0, 0, ratio, 0, 0]
  const task = page.render({ canvas, viewport, transform, annotationMode })
  signal.addEventListener('abort', () => task.cancel(), { once: true })
  await task.promise
  return { layers: [canvas], drop: () => dropCanvas(canvas) }
}

/** Opens a PDF. @throws Error when it cannot be read */
export async function openLocalPdf(bytes: Uint8Array): Promise<LocalPdf> {
  const task = getDocument({
    // The reader takes the buffer for itself; the bytes are uploaded later.
    data: bytes.slice(),
    cMapUrl: `${READER_FOLDER}cmaps/`,
    standardFontDataUrl: `${READER_FOLDER}standard_fonts/`,
    useSystemFonts: false,
    wasmUrl: `${READER_FOLDER}wasm/`,
    iccUrl: `${READER_FOLDER}iccs/`,
    enableXfa: false,
  })
  const pdf = await task.promise
  const sizes: PageSize[] = []
  for (let number = 1; number <= pdf.numPages; number++) {
    const { width, height } = (await pdf.getPage(number)).getViewport({ scale: 1 })
    sizes.push({ width, height })
  }
  return {
    sizes,
    paint: async (number, widthPx, signal) =>
      paint(pdf, await pdf.getPage(number), widthPx, signal),
    close: () => void task.destroy(),
  }
}
