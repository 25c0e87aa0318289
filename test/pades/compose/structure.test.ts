import { Buffer } from 'node:buffer'
import { encode } from 'uqr'
import {
  decodePDFRawStream,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFString,
  type PDFRawStream,
} from 'pdf-lib'
import t from 'tap'
import { composeDocument } from '../../../pades/compose/compose.ts'
import type { Block, DocumentContent } from '../../../pades/compose/model.ts'
import { readDrawing } from '../../../pades/appearance/drawing.ts'
import { readPdf } from './read-pdf.ts'
import { taggingFaults } from './tagged.ts'

const { data: modules } = encode('https://podpis.example.com/verify', { ecc: 'M', border: 4 })
const drawing = readDrawing('M0 40 C20 0 40 0 60 40')
const columns = [
  { title: 'Term', weight: 1 },
  { title: 'Meaning', weight: 3 },
]
const tableOf = (count: number): Block => ({
  kind: 'table',
  columns,
  rows: Array.from({ length: count }, (_, index) => [`t${index}`, 'word '.repeat(30)]),
})
const figure = (picture: Extract<Block, { kind: 'figure' }>['picture']): Block => ({
  kind: 'figure',
  picture,
  alt: 'A picture',
  widthPt: 92,
  heightPt: 92,
  lines: ['First', 'word '.repeat(40)],
})

const BLOCKS: readonly Block[] = [
  { kind: 'callout', title: 'About', text: 'One.\nTwo.' },
  { kind: 'heading', level: 1, text: 'Rows' },
  { kind: 'keyValues', rows: [{ label: 'a', value: '1' }] },
  { kind: 'heading', level: 2, text: 'More' },
  { kind: 'paragraph', text: 'word '.repeat(900) },
  tableOf(60),
  figure({ modules }),
  figure({ drawing }),
  { kind: 'timeline', events: [{ time: 'now\nthen', title: 'x', detail: 'y', digest: 'z' }] },
  { kind: 'keyValues', rows: [] },
]

const content = (blocks: readonly Block[]): DocumentContent => ({
  language: 'sk',
  title: 'Záznam <1>',
  author: 'sigcase',
  createdAt: new Date('2026-11-21T10:00:00Z'),
  header: 'Header',
  footer: 'Footer',
  blocks,
  attachments: [],
})

t.test('every block is tagged as PDF/UA-1 asks, across pages too', async (t) => {
  const bytes = await composeDocument(content(BLOCKS))
  t.strictSame(await taggingFaults(bytes), [])
  t.ok((await readPdf(bytes)).pages.length > 3)
})

t.test('the walk finds what is missing', async (t) => {
  const bytes = await composeDocument(content(BLOCKS))
  const changed = async (type: string, change: (element: PDFDict) => void) => {
    const document = await PDFDocument.load(bytes, { updateMetadata: false })
    for (const [, object] of document.context.enumerateIndirectObjects()) {
      const isMeant =
        object instanceof PDFDict && String(object.get(PDFName.of('S'))) === `/${type}`
      if (isMeant) change(object)
    }
    return taggingFaults(await document.save())
  }
  const without = (type: string, key: string) =>
    changed(type, (element) => void element.delete(PDFName.of(key)))
  const speak = (element: PDFDict) => element.set(PDFName.of('Lang'), PDFString.of('?'))
  t.match((await changed('P', speak)).join(), '7.2: ? is not a language')
  t.match((await without('Figure', 'Alt')).join(), '7.3: no Alt')
  t.match((await without('TH', 'A')).join(), '7.5: TH without scope')
  t.match((await without('LBody', 'K')).join(), '7.1: ')
  const document = await PDFDocument.load(bytes, { updateMetadata: false })
  document.catalog.delete(PDFName.of('MarkInfo'))
  t.match((await taggingFaults(await document.save())).join(), '6.2: not marked')
  t.match((await without('LI', 'P')).join(), 'does not know its parent')
})

/** Changes each object of a type in a composed file. @returns what the file lacks then */
async function faultsAfter(type: string, change: (object: PDFDict) => void): Promise<string> {
  const attachment = {
    name: 'a.txt',
    mediaType: 'text/plain',
    bytes: new Uint8Array(1),
    description: 'A note',
    createdAt: new Date('2026-11-21T10:00:00Z'),
    relationship: 'Data',
  } as const
  const attachments = [attachment]
  const bytes = await composeDocument({ ...content(BLOCKS), attachments })
  const document = await PDFDocument.load(bytes, { updateMetadata: false })
  for (const [, object] of document.context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFDict)) continue
    if (String(object.get(PDFName.of('Type'))) === `/${type}`) change(object)
  }
  return (await taggingFaults(await document.save())).join()
}

t.test('rules for fonts, attachments, annotations and the catalogue are checked', async (t) => {
  const set = (key: string, value: unknown) => (object: PDFDict) =>
    object.set(PDFName.of(key), object.context.obj(value as never))
  const remove = (key: string) => (object: PDFDict) => object.delete(PDFName.of(key))
  t.equal(await faultsAfter('Catalog', () => undefined), '')
  t.match(await faultsAfter('Font', remove('ToUnicode')), '7.21.7')
  t.match(await faultsAfter('Font', remove('W')), '7.21.5')
  t.match(await faultsAfter('Font', remove('CIDToGIDMap')), '7.21.3.2')
  t.match(await faultsAfter('Font', set('W', [0, [600]])), '7.21.5: Sans has another width')
  t.match(await faultsAfter('Catalog', remove('Metadata')), '5: the metadata do not name')
  t.match(await faultsAfter('Font', set('Encoding', 'UniGB-UCS2-H')), '7.21.3.3')
  t.match(await faultsAfter('Filespec', remove('UF')), '7.11')
  t.match(await faultsAfter('Catalog', set('Outlines', {})), '7.2: bookmarks')
  t.match(await faultsAfter('Catalog', set('Lang', PDFString.of('Slovak language'))), '7.2: Slovak')
  t.match(await faultsAfter('FontDescriptor', set('CIDSet', {})), '7.21.4.2')
  t.match(await faultsAfter('Catalog', set('OCProperties', {})), '7.10')
  t.match(await faultsAfter('Catalog', set('MarkInfo', { Marked: true, Suspects: true })), '6.2')
  const seen = { Type: 'Annot', Subtype: 'Widget', Rect: [9, 9, 99, 99] }
  t.match(await faultsAfter('Page', set('Annots', [seen])), '7.18.1: Widget is not tagged')
  const field = { ...seen, FT: 'Sig', F: 2 }
  const unnamed = (object: PDFDict) =>
    void object.context.register(object.context.obj(field as never))
  t.match(await faultsAfter('Catalog', unnamed), '7.18.1: a form field without a name')
  const outside = { ...seen, Rect: [-9, -9, -9, -9] }
  t.equal(await faultsAfter('Page', set('Annots', [outside])), '')
})

const HEADING_SIZES_PT = [12, 9.5]

t.test('a heading is never the last text of a page, and small tables stay whole', async (t) => {
  const following: readonly (readonly Block[])[] = [
    [{ kind: 'heading', level: 2, text: 'Below' }, figure({ modules })],
    [{ kind: 'paragraph', text: 'word' }, tableOf(3)],
    [{ kind: 'paragraph', text: 'word '.repeat(80) }],
    [tableOf(6)],
    [{ kind: 'timeline', events: [{ time: 'now', title: 'x', detail: 'y', digest: 'z' }] }],
  ]
  for (const blocks of following) {
    for (let lines = 18; lines < 42; lines += 2) {
      const filler = Array.from(
        { length: lines },
        () => ({ kind: 'paragraph', text: 'line' }) as const,
      )
      const heading = { kind: 'heading', level: 1, text: 'Above' } as const
      const { pages } = await readPdf(
        await composeDocument(content([...filler, heading, ...blocks])),
      )
      const last = pages.map((page) => page.findLast(({ sizePt }) => sizePt > 7.6))
      const isHeading = last.some(
        (text) => text?.font === 'Bold' && HEADING_SIZES_PT.includes(text.sizePt),
      )
      t.notOk(isHeading, `${blocks[0]?.kind} after ${lines} lines`)
      const withRows = pages.filter((page) => page.some(({ text }) => /^t\d$/.test(text)))
      t.ok(withRows.length <= 1, 'the table is on one page')
    }
  }
})

t.test('rows say where words end', async (t) => {
  const text = `${'word '.repeat(30)}${'x'.repeat(200)}`
  const { pages } = await readPdf(await composeDocument(content([{ kind: 'paragraph', text }])))
  const rows = (pages[0] ?? []).filter((row) => /word|xx/.test(row.text))
  t.ok(rows.length > 3)
  for (const [index, { text: row, endsInSpace }] of rows.entries()) {
    const isWithin = row.endsWith('x') || index === rows.length - 1
    t.equal(endsInSpace, !isWithin, row)
  }
})

t.test('the QR code is drawn module by module', async (t) => {
  const { document } = await readPdf(await composeDocument(content([figure({ modules })])))
  const source = contentsOf(document)
  const drawn = modules.map((row) => row.map(() => false))
  for (const [, x, y, width] of source.matchAll(/^(\d+) (\d+) (\d+) 1 re$/gm)) {
    const row = drawn[modules.length - 1 - Number(y)]
    row?.fill(true, Number(x), Number(x) + Number(width))
  }
  t.strictSame(drawn, modules)
})

t.test('a paragraph names its language when it is not that of the document', async (t) => {
  const { document } = await readPdf(
    await composeDocument(
      content([
        { kind: 'paragraph', text: 'Súhlasím.' },
        { kind: 'paragraph', text: 'I agree.', language: 'en' },
      ]),
    ),
  )
  const languages = document.context
    .enumerateIndirectObjects()
    .flatMap(([, object]) =>
      object instanceof PDFDict && String(object.get(PDFName.of('S'))) === '/P'
        ? [String(object.get(PDFName.of('Lang')))]
        : [],
    )
  t.ok(languages.includes('(en)'))
  t.equal(languages.filter((language) => language === '(en)').length, 1)
})

/** Contents of the first page. */
function contentsOf(document: PDFDocument): string {
  const stream = document.getPage(0).node.lookup(PDFName.of('Contents'))
  return Buffer.from(decodePDFRawStream(stream as PDFRawStream).decode()).toString('latin1')
}
