/** Downloads and prints the document before it is signed. */
import type { OpenPdf } from './pdf.ts'

/** Pictures of more pages need more memory than a phone has; they are printed from the file. */
export const MAXIMUM_PRINTED_PAGES = 60
/** An A4 page at 150 dots per inch. */
const PRINTED_WIDTH_PX = 1_240
const QUALITY = 0.9
/** A download, or printing, has begun by then. */
const RELEASE_MS = 60_000
const NOT_IN_NAMES = /[\\/:*?"<>|\p{Cc}]+/gu

/** Saves the file under the title of the case. @throws Error when it cannot be fetched */
export async function downloadDocument(pdf: OpenPdf, title: string): Promise<void> {
  const url = URL.createObjectURL(await pdf.file())
  const link = document.createElement('a')
  link.href = url
  link.download = `${title.replace(NOT_IN_NAMES, ' ').trim() || 'document'}.pdf`
  link.click()
  window.setTimeout(() => URL.revokeObjectURL(url), RELEASE_MS)
}

async function renderPicture(pdf: OpenPdf, number: number): Promise<HTMLImageElement> {
  const canvas = await pdf.picture(number, PRINTED_WIDTH_PX)
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', QUALITY))
  // Gives the memory of the pixels back before the next page.
  canvas.width = 0
  if (!blob) throw new Error('the page cannot be encoded')
  const image = new Image()
  image.src = URL.createObjectURL(blob)
  await image.decode()
  return image
}

/** Prints pictures of all pages, and nothing else of this page. @throws Error as pdf.js does */
export async function printDocument(pdf: OpenPdf): Promise<void> {
  const sheets = document.createElement('div')
  sheets.className = 'print-pages'
  for (let number = 1; number <= pdf.pageCount; number++) {
    sheets.append(await renderPicture(pdf, number))
  }
  const clear = () => {
    for (const image of sheets.querySelectorAll('img')) URL.revokeObjectURL(image.src)
    sheets.remove()
  }
  document.body.append(sheets)
  // In some browsers, `print` returns before printing has ended.
  window.addEventListener('afterprint', clear, { once: true })
  window.setTimeout(clear, RELEASE_MS)
  window.print()
}
