/**
 * Composes a plain, readable PDF from a content model (ISO 32000-2; close to ISO 19005-3, which
 * it does not claim).
 */
import { cleanText } from '../appearance/text.ts'
import { PadesError } from '../errors.ts'
import { writeAttachments } from './attachments.ts'
import { setBlock, setTitle } from './blocks.ts'
import type { Canvas } from './canvas.ts'
import { FileWriter } from './file-writer.ts'
import { Layout } from './layout.ts'
import { writeMetadata } from './metadata.ts'
import type { Block, DocumentContent, Language } from './model.ts'
import { COLOUR, MARGIN, PAGE, STYLE, TEXT_WIDTH } from './style.ts'

/**
 * Rows of all blocks together; beyond that nobody reads, and laying out would stall the process.
 */
const MAX_ROWS = 20_000
/** Characters of all blocks together. */
const MAX_CHARACTERS = 4_000_000

const PAGE_OF: Record<Language, (page: number, count: number) => string> = {
  sk: (page, count) => `Strana ${page} z ${count}`,
  en: (page, count) => `Page ${page} of ${count}`,
}

/**
 * Composes an A4 document: title, blocks, running lines, attachments.
 *
 * Texts may come from anybody: control characters and direction overrides are dropped, characters
 * that the fonts lack are shown as the replacement character. Equal content gives equal bytes on
 * one runtime (runtimes differ in how they deflate).
 *
 * @returns the file, unsigned
 * @throws PadesError `CONTENT_TOO_LARGE` - more rows, characters or pages than fit the limits
 * @throws PadesError `BAD_ATTACHMENT` - see `writeAttachments`
 */
export async function composeDocument(content: DocumentContent): Promise<Uint8Array> {
  refuseExcess(content.blocks)
  const layout = new Layout(content.language)
  setTitle(layout, content.title, content.subject)
  for (const [index, block] of content.blocks.entries()) {
    setBlock(layout, block, content.blocks[index + 1])
  }
  setRunningLines(layout.canvas, content)

  const writer = new FileWriter()
  const pages = layout.canvas.writeTo(writer)
  const attachments = writeAttachments(writer, content.attachments)
  const { info, metadata } = writeMetadata(writer, content)
  const root = writer.add(
    `<< /Type /Catalog /Pages ${pages} 0 R /Lang (${content.language}) /Metadata ${metadata} 0 R`
      + ` /ViewerPreferences << /DisplayDocTitle true >>${attachments} >>`,
  )
  return writer.finish(root, info)
}

function refuseExcess(blocks: readonly Block[]): void {
  let rows = 0
  let characters = 0
  for (const block of blocks) {
    const texts = textsOf(block)
    rows += texts.length
    for (const text of texts) characters += text.length
    if (rows > MAX_ROWS || characters > MAX_CHARACTERS) {
      throw new PadesError('CONTENT_TOO_LARGE', 'shorten its texts')
    }
  }
}

/** One text per row. */
function textsOf(block: Block): string[] {
  switch (block.kind) {
    case 'keyValues': return block.rows.map(row => row.label + row.value)
    case 'table': return block.rows.map(row => row.join(''))
    case 'timeline': return block.events.map(event => event.title + (event.detail ?? ''))
    case 'heading':
    case 'paragraph':
    case 'callout': return [block.text]
    case 'spacer':
    case 'pageBreak': return ['']
  }
}

function setRunningLines(canvas: Canvas, { language, header, footer }: DocumentContent): void {
  const right = MARGIN.left + TEXT_WIDTH
  const footerY = PAGE.height - MARGIN.bottom + 34
  for (let page = 0; page < canvas.pageCount; page += 1) {
    const number = PAGE_OF[language](page + 1, canvas.pageCount)
    const numberWidth = canvas.widthOf(number, STYLE.running)
    const footerWidth = TEXT_WIDTH - numberWidth - 20
    const headerLine = firstRow(canvas, header, TEXT_WIDTH)
    const footerLine = firstRow(canvas, footer, footerWidth)
    canvas.text(headerLine, STYLE.running, MARGIN.left, 46, page)
    canvas.line(COLOUR.rule, [MARGIN.left, footerY - 14], [right, footerY - 14], page)
    canvas.text(footerLine, STYLE.running, MARGIN.left, footerY, page)
    canvas.text(number, STYLE.running, right - numberWidth, footerY, page)
  }
}

/** A running line is one line: what does not fit ends in an ellipsis. */
function firstRow(canvas: Canvas, text: string | undefined, width: number): string {
  if (text === undefined) return ''
  const style = STYLE.running
  const cleaned = cleanText(text).trim()
  if (canvas.widthOf(cleaned, style) <= width) return cleaned
  const [row] = canvas.wrap(cleaned, style, width - canvas.widthOf('…', style))
  return `${row}…`
}
