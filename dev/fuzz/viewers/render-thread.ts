/** Draws PDFs with pdf.js or PDFium, which run in a thread that can be terminated. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { provideFieldValues } from '../../../web/sign/field-values.ts'
import { grayOf, type Raster } from './raster.ts'

/** Request to the thread: a document and a resolution. */
export interface RenderTask {
  id: number
  path: string
  dotsPerInch: number
  maximumPages: number
}

/** Response of the thread; without rasters, the viewer refused the document. */
export interface RenderAnswer {
  id: number
  rasters?: Raster[]
}

type Draw = (task: RenderTask) => Promise<Raster[]>

const POINTS_PER_INCH = 72

async function openPdfium(): Promise<Draw> {
  const { PDFiumLibrary } = await import('@hyzyla/pdfium')
  const library = await PDFiumLibrary.init()
  return async ({ path, dotsPerInch, maximumPages }) => {
    const document = await library.loadDocument(readFileSync(path))
    try {
      const rasters: Raster[] = []
      const count = Math.min(document.getPageCount(), maximumPages)
      for (let index = 0; index < count; index++) {
        const { data, width, height } = await document.getPage(index).render({
          scale: dotsPerInch / POINTS_PER_INCH,
          render: 'bitmap',
          renderFormFields: true,
        })
        rasters.push(grayOf(data, width, height))
      }
      return rasters
    } finally {
      document.destroy()
    }
  }
}

/** Canvas factory of pdf.js outside a browser. */
interface CanvasFactory {
  create(
    width: number,
    height: number,
  ): {
    canvas: object
    context: {
      getImageData(x: number, y: number, width: number, height: number): { data: Uint8ClampedArray }
    }
  }
}

async function openPdfJs(): Promise<Draw> {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const require = createRequire(import.meta.url)
  const folder = dirname(require.resolve('pdfjs-dist/package.json'))
  return async ({ path, dotsPerInch, maximumPages }) => {
    const task = getDocument({
      data: new Uint8Array(readFileSync(path)),
      standardFontDataUrl: join(folder, 'standard_fonts/'),
      cMapUrl: join(folder, 'cmaps/'),
      wasmUrl: join(folder, 'wasm/'),
      verbosity: 0,
    })
    try {
      const document = await task.promise
      const factory = document.canvasFactory as CanvasFactory
      const rasters: Raster[] = []
      for (let number = 1; number <= Math.min(document.numPages, maximumPages); number++) {
        const page = await document.getPage(number)
        const viewport = page.getViewport({ scale: dotsPerInch / POINTS_PER_INCH })
        const [width, height] = [Math.ceil(viewport.width), Math.ceil(viewport.height)]
        const { canvas, context } = factory.create(width, height)
        await page.render({
          canvas: canvas as never,
          viewport,
          annotationMode: await provideFieldValues(document, page),
        }).promise
        const { data } = context.getImageData(0, 0, width, height)
        rasters.push(grayOf(new Uint8Array(data.buffer), width, height))
      }
      return rasters
    } finally {
      await task.destroy()
    }
  }
}

const ENGINES = { pdfium: openPdfium, 'pdf.js': openPdfJs } as const

const draw = await ENGINES[(workerData as { engine: keyof typeof ENGINES }).engine]()
parentPort?.on('message', async (task: RenderTask) => {
  const rasters = await draw(task).catch(() => undefined)
  parentPort?.postMessage({ id: task.id, ...(rasters && { rasters }) } satisfies RenderAnswer)
})
