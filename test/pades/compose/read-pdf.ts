/** Reads back what a composed PDF shows, for tests: page by page, in the order of drawing. */
import { Buffer } from 'node:buffer'
import { decodePDFRawStream, type PDFDict, PDFDocument, PDFName, type PDFRawStream } from 'pdf-lib'

export interface ShownText {
  /** Without the space after a word that goes on in the next row. */
  readonly text: string
  readonly endsInSpace: boolean
  readonly x: number
  /** Baseline above the lower edge of the page. */
  readonly y: number
  readonly sizePt: number
  readonly font: string
}

export interface ReadPdf {
  readonly document: PDFDocument
  readonly pages: readonly (readonly ShownText[])[]
}

const TEXT = /\/(\w+) ([\d.]+) Tf ([-\d.]+) ([-\d.]+) Td ([^]*?) ET/g
/** Codes, in the font that was set last. */
const PART = /\/(\w+) [\d.]+ Tf|<([0-9a-f]*)> Tj/g

export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  const document = await PDFDocument.load(bytes, { updateMetadata: false })
  const fontsOf = new Map<PDFDict | undefined, Map<string, Map<string, string>>>()
  const pages = document.getPages().map(({ node }) => {
    const resources = node.Resources()
    const fonts = fontsOf.get(resources) ?? readFonts(resources)
    fontsOf.set(resources, fonts)
    const shown = (font: string, operators: string) => {
      let selected = font
      return Array.from(operators.matchAll(PART), ([, name, codes]) => {
        selected = name ?? selected
        const letters = codes?.match(/.{4}/g) ?? []
        return letters.map((code) => fonts.get(selected)?.get(code) ?? '?').join('')
      }).join('')
    }
    return [...sourceOf(node, 'Contents').matchAll(TEXT)].map(
      ([, font, size, x, y, operators]) => ({
        text: shown(font, operators).trimEnd(),
        endsInSpace: shown(font, operators).endsWith(' '),
        x: Number(x),
        y: Number(y),
        sizePt: Number(size),
        font,
      }),
    )
  })
  return { document, pages }
}

/** All rows of a page, one per line. */
export function textOf(page: readonly ShownText[]): string {
  return page.map(({ text }) => text).join('\n')
}

/** Characters by code, by the name of their font. */
function readFonts(resources: PDFDict | undefined): Map<string, Map<string, string>> {
  const fonts = resources?.lookup(PDFName.of('Font')) as PDFDict
  return new Map(
    fonts.keys().map((name) => {
      const lines = sourceOf(fonts.lookup(name) as PDFDict, 'ToUnicode').matchAll(
        /<(\w{4})> <(\w+)>\n?/g,
      )
      return [
        name.decodeText(),
        new Map(
          [...lines].map(([, code, units]) => [
            code,
            Buffer.from(units, 'hex').swap16().toString('utf16le'),
          ]),
        ),
      ]
    }),
  )
}

function sourceOf(dictionary: PDFDict, key: string): string {
  const stream = dictionary.lookup(PDFName.of(key)) as PDFRawStream
  return Buffer.from(decodePDFRawStream(stream).decode()).toString('latin1')
}
