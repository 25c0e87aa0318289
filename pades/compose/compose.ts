/** Composes a plain, readable PDF from a content model (ISO 32000-2). */
import { createHash } from 'node:crypto'

import { PDFDocument, PDFHexString, PDFRawStream, PDFStreamWriter } from 'pdf-lib'

import { shaperFor } from '../appearance/font.ts'
import { cleanText } from '../appearance/text.ts'
import { PadesError } from '../errors.ts'
import { attachFiles } from './attachments.ts'
import { setBlock, setTitle } from './blocks.ts'
import type { Canvas } from './canvas.ts'
import { Layout } from './layout.ts'
import type { Block, DocumentContent, Language } from './model.ts'
import { writeMetadata } from './metadata.ts'
import { writeStructure } from './structure.ts'
import { COLOUR, MARGIN, PAGE, STYLE, TEXT_WIDTH } from './style.ts'

/**
 * Rows of all blocks together; readers need fewer, and laying out more would stall the process.
 */
const MAX_ROWS = 20_000
/** Characters of all blocks together. */
const MAX_CHARACTERS = 4_000_000
const PRODUCER = 'sigcase'
/** An evidence of two participants has some 300. */
const OBJECTS_PER_STREAM = 1_000
/** Objects after which other work of the process gets a turn. */
const OBJECTS_PER_TURN = 1_000
/** Headings in a row stay with what follows them. */
const LOOK_AHEAD_BLOCKS = 4

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
 * @throws PadesError `BAD_ATTACHMENT` - see `attachFiles`
 */
export async function composeDocument(content: DocumentContent): Promise<Uint8Array> {
  refuseExcess(content.blocks)
  const shaper = await shaperFor(allTexts(content))
  const layout = new Layout(content.language, shaper)
  setTitle(layout, content.title, content.subject)
  for (const [index, block] of content.blocks.entries()) {
    setBlock(layout, block, content.blocks.slice(index + 1, index + 1 + LOOK_AHEAD_BLOCKS))
  }
  setRunningLines(layout.canvas, content)

  const document = await PDFDocument.create({ updateMetadata: false })
  describe(document, content)
  layout.canvas.writeTo(document)
  writeStructure(document, layout.root)
  writeMetadata(document, content, PRODUCER)
  attachFiles(document, content.attachments)
  identify(document)
  return write(document)
}

/** Writes the file, with most objects in streams (ISO 32000-2, 7.5.7). */
function write({ context }: PDFDocument): Promise<Uint8Array> {
  // `save` makes streams of 50 objects: each costs time and space.
  const writer = PDFStreamWriter.forContext(context, OBJECTS_PER_TURN, true, OBJECTS_PER_STREAM)
  return writer.serializeToBuffer()
}

/** Says what the document is (ISO 32000-2, 14.3.3). */
function describe(document: PDFDocument, content: DocumentContent): void {
  const { language, title, subject, author, createdAt } = content
  document.setTitle(cleanText(title), { showInWindowTitleBar: true })
  if (subject !== undefined) document.setSubject(cleanText(subject))
  document.setAuthor(cleanText(author))
  document.setCreator(PRODUCER)
  document.setProducer(PRODUCER)
  document.setCreationDate(createdAt)
  document.setModificationDate(createdAt)
  document.setLanguage(language)
}

/**
 * Gives the file an identifier that follows from its content (ISO 32000-2, 14.4): from its streams,
 * which are pages, fonts, pictures, metadata and attachments.
 */
function identify({ context }: PDFDocument): void {
  const digest = createHash('sha256')
  for (const [, object] of context.enumerateIndirectObjects()) {
    if (object instanceof PDFRawStream) digest.update(object.getContents())
  }
  const id = PDFHexString.of(digest.digest('hex').slice(0, 32))
  context.trailerInfo.ID = context.obj([id, id])
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

function allTexts({ title, subject, header, footer, blocks }: DocumentContent): string[] {
  const running = [title, subject, header, footer].filter((text) => text !== undefined)
  return [...running, ...blocks.flatMap(textsOf)]
}

/** One text per row. */
function textsOf(block: Block): string[] {
  switch (block.kind) {
    case 'keyValues':
      return block.rows.map((row) => row.label + row.value)
    case 'table':
      return block.rows.map((row) => row.join(''))
    case 'timeline':
      return block.events.map((event) => event.title + (event.detail ?? ''))
    case 'heading':
    case 'paragraph':
    case 'callout':
      return [block.text]
    case 'figure':
      return [...block.lines]
    case 'spacer':
    case 'pageBreak':
      return ['']
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
    const running = { purpose: 'pagination', page } as const
    canvas.text(headerLine, STYLE.running, { x: MARGIN.left, y: 46, ...running })
    canvas.line(COLOUR.rule, [MARGIN.left, footerY - 14], [right, footerY - 14], page)
    canvas.text(footerLine, STYLE.running, { x: MARGIN.left, y: footerY, ...running })
    canvas.text(number, STYLE.running, { x: right - numberWidth, y: footerY, ...running })
  }
}

/** A running line is one line: what does not fit ends in an ellipsis. */
function firstRow(canvas: Canvas, text: string | undefined, width: number): string {
  if (text === undefined) return ''
  const style = STYLE.running
  const cleaned = cleanText(text).trim()
  if (canvas.widthOf(cleaned, style) <= width) return cleaned
  const [row] = canvas.wrap(cleaned, style, width - canvas.widthOf('…', style))
  return `${row.trimEnd()}…`
}
