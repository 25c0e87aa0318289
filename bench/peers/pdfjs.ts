/** The peer pdf.js. */
import { load, type ReadingPeer } from './peer.ts'

interface Viewport {
  width: number
  height: number
}

interface Document {
  numPages: number
  getPage(number: number): Promise<{ getViewport(options: { scale: number }): Viewport }>
}

interface LoadingTask {
  promise: Promise<Document>
  destroy(): Promise<void>
}

interface PdfJs {
  getDocument(options: { data: Uint8Array; verbosity: number }): LoadingTask
}

/** @returns undefined when it is not installed */
export async function pdfJs(): Promise<ReadingPeer | undefined> {
  const module = await load<PdfJs>('pdfjs-dist/legacy/build/pdf.mjs')
  return (
    module && {
      name: 'pdf.js',
      async pageSizes(file) {
        // pdf.js detaches the buffer, so it gets a copy.
        const task = module.getDocument({ data: file.slice(), verbosity: 0 })
        const document = await task.promise
        const sizes: Viewport[] = []
        for (let number = 1; number <= document.numPages; number++) {
          const { width, height } = (await document.getPage(number)).getViewport({ scale: 1 })
          sizes.push({ width, height })
        }
        await task.destroy()
        return sizes
      },
    }
  )
}
