/** Rules of PDF/UA-1 for the glyphs that pages show (ISO 14289-1, 7.21.5, 7.21.7 and 7.21.8). */
import { Buffer } from 'node:buffer'
import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFName,
  PDFNumber,
  PDFRawStream,
  type PDFObject,
  type PDFPage,
} from 'pdf-lib'

/** Widths may differ by rounding; thousandths of the font size. */
const TOLERANCE = 1
const CODE_DIGITS = 4

const at = (dictionary: PDFDict, key: string) => dictionary.lookup(PDFName.of(key))
const streamText = (stream: PDFObject | undefined): string =>
  stream instanceof PDFRawStream
    ? Buffer.from(decodePDFRawStream(stream).decode()).toString('latin1')
    : ''

/** Advances of a TrueType program by glyph, in thousandths of the font size. */
function advancesOf(program: Buffer): number[] {
  const tables = new Map<string, number>()
  for (let index = 0; index < program.readUInt16BE(4); index++) {
    const entry = 12 + 16 * index
    tables.set(program.toString('latin1', entry, entry + 4), program.readUInt32BE(entry + 8))
  }
  const [head, hhea, hmtx, maxp] = ['head', 'hhea', 'hmtx', 'maxp'].map(
    (tag) => tables.get(tag) ?? 0,
  )
  const unitsPerEm = program.readUInt16BE((head ?? 0) + 18)
  const metrics = program.readUInt16BE((hhea ?? 0) + 34)
  const glyphs = program.readUInt16BE((maxp ?? 0) + 4)
  return Array.from({ length: glyphs }, (_, glyph) => {
    const offset = (hmtx ?? 0) + 4 * Math.min(glyph, metrics - 1)
    return (program.readUInt16BE(offset) * 1_000) / unitsPerEm
  })
}

/** The codes that each font of a page shows, by the name of the font. */
function shownCodes({ node }: PDFPage): Map<string, Set<number>> {
  const shown = new Map<string, Set<number>>()
  let font = ''
  const source = streamText(at(node, 'Contents'))
  for (const [, name, codes] of source.matchAll(/\/(\w+) [\d.]+ Tf|<([0-9a-f]+)>/gi)) {
    if (name !== undefined) font = name
    const set = shown.get(font) ?? new Set()
    for (let index = 0; index < (codes?.length ?? 0); index += CODE_DIGITS) {
      set.add(Number.parseInt(codes?.slice(index, index + CODE_DIGITS) ?? '', 16))
    }
    shown.set(font, set)
  }
  return shown
}

/** What a font says of its glyphs: widths, the program's advances, codes that have a text. */
function glyphsOf(font: PDFDict) {
  const cid = (at(font, 'DescendantFonts') as PDFArray).lookup(0, PDFDict)
  const descriptor = cid.lookup(PDFName.of('FontDescriptor'), PDFDict)
  const [first, list] = (at(cid, 'W') as PDFArray | undefined)?.asArray() ?? []
  const start = first instanceof PDFNumber ? first.asNumber() : 0
  const widths = new Map<number, number>()
  if (list instanceof PDFArray) {
    list
      .asArray()
      .forEach((width, index) => widths.set(start + index, (width as PDFNumber).asNumber()))
  }
  const file = at(descriptor, 'FontFile2')
  const program = file instanceof PDFRawStream ? decodePDFRawStream(file).decode() : undefined
  const map = streamText(at(font, 'ToUnicode'))
  const texts = [...map.matchAll(/<([0-9A-F]{4})>\s+<[0-9A-F]+>\s*$/gim)].map(([, code = '']) =>
    Number.parseInt(code, 16),
  )
  return { widths, advances: program && advancesOf(Buffer.from(program)), texts: new Set(texts) }
}

/** What is wrong with the glyphs that the pages show. */
export function glyphFaults(document: PDFDocument): string[] {
  const faults = new Set<string>()
  for (const page of document.getPages()) {
    const fonts = page.node.Resources()?.lookup(PDFName.of('Font'), PDFDict)
    for (const [name, codes] of shownCodes(page)) {
      const font = fonts?.lookup(PDFName.of(name))
      if (!(font instanceof PDFDict)) {
        faults.add(`a page uses the font ${name}, which it does not have`)
        continue
      }
      const { widths, advances, texts } = glyphsOf(font)
      for (const code of codes) {
        if (code === 0) faults.add(`7.21.8: ${name} shows the glyph .notdef`)
        if (!texts.has(code)) faults.add(`7.21.7: ${name} shows the code ${code} without text`)
        const difference = Math.abs((widths.get(code) ?? 0) - (advances?.[code] ?? Infinity))
        if (difference > TOLERANCE) faults.add(`7.21.5: ${name} has another width for ${code}`)
      }
    }
  }
  return [...faults]
}
