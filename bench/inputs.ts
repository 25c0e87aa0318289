/**
 * Generates PDFs for the benchmarks, the same in every run, with a given size and number of
 * objects.
 */
import { Buffer } from 'node:buffer'

const MEBIBYTE = 1024 * 1024
/**
 * Approximate bytes of an object without its stream; the size of the result is off by these.
 */
const OBJECT_OVERHEAD_BYTES = 200
const PAGE_TREE_OBJECT = 2

export interface PdfShape {
  pages: number
  /** Number of indirect objects, at least two for each page and two more. */
  objects: number
  /** Approximate size of the file. */
  bytes: number
}

export const LARGE: PdfShape = { pages: 100, objects: 5_000, bytes: 25 * MEBIBYTE - 64 * 1024 }
export const SMALL: PdfShape = { pages: 2, objects: 40, bytes: 100 * 1024 }

/**
 * Makes incompressible bytes with a linear congruential generator (Numerical Recipes' constants).
 */
function noise(length: number, seed: number): Buffer {
  const words = new Uint32Array(Math.ceil(length / 4))
  let state = seed
  for (let index = 0; index < words.length; index++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    words[index] = state
  }
  return Buffer.from(words.buffer, 0, length)
}

const stream = (dictionary: string, content: Buffer) =>
  Buffer.concat([
    Buffer.from(`<< ${dictionary} /Length ${content.length} >>\nstream\n`),
    content,
    Buffer.from('\nendstream'),
  ])

/** Builds the objects from number 1: catalogue, page tree, pages with contents, images. */
function bodies({ pages, objects, bytes }: PdfShape): Buffer[] {
  const firstPage = PAGE_TREE_OBJECT + 1
  const firstImage = firstPage + 2 * pages
  const images = objects - firstImage + 1
  const side = Math.floor(Math.sqrt(bytes / images - OBJECT_OVERHEAD_BYTES))
  const numbers = Array.from({ length: pages }, (_, index) => firstPage + 2 * index)
  const kids = numbers.map((number) => `${number} 0 R`).join(' ')
  const image = '/Type /XObject /Subtype /Image /ColorSpace /DeviceGray /BitsPerComponent 8'
  return [
    Buffer.from(`<< /Type /Catalog /Pages ${PAGE_TREE_OBJECT} 0 R >>`),
    Buffer.from(`<< /Type /Pages /Count ${pages} /Kids [${kids}] >>`),
    ...numbers.flatMap((number, index) => {
      const picture = firstImage + (index % images)
      const content = Buffer.from('q 200 0 0 200 50 500 cm /Im0 Do Q\n')
      return [
        Buffer.from(
          `<< /Type /Page /Parent ${PAGE_TREE_OBJECT} 0 R /MediaBox [0 0 595 842]` +
            ` /Resources << /XObject << /Im0 ${picture} 0 R >> >> /Contents ${number + 1} 0 R >>`,
        ),
        stream('', content),
      ]
    }),
    ...Array.from({ length: images }, (_, index) =>
      stream(`${image} /Width ${side} /Height ${side}`, noise(side * side, index + 1)),
    ),
  ]
}

/** Builds a PDF 1.7 with one cross-reference table. */
export function makePdf(shape: PdfShape): Uint8Array<ArrayBuffer> {
  const chunks: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
  let offset = chunks[0]?.length ?? 0
  const offsets: number[] = []
  const add = (chunk: Buffer) => {
    chunks.push(chunk)
    offset += chunk.length
  }
  for (const [index, body] of bodies(shape).entries()) {
    offsets.push(offset)
    add(Buffer.from(`${index + 1} 0 obj\n`))
    add(body)
    add(Buffer.from('\nendobj\n'))
  }
  const size = offsets.length + 1
  const entries = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  const start = offset
  add(Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${entries}`))
  add(Buffer.from(`trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`))
  return Uint8Array.from(Buffer.concat(chunks))
}
