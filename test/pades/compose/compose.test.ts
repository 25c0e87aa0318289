import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { PDFArray, PDFDict, type PDFDocument, PDFName } from 'pdf-lib'
import t from 'tap'

import { startSubset } from '../../../pades/appearance/font.ts'
import { composeDocument } from '../../../pades/compose/compose.ts'
import type { Attachment, Block, DocumentContent } from '../../../pades/compose/model.ts'
import { assertSignable, inspect } from '../../../pades/pdf/inspect.ts'
import { readPdf, textOf } from './read-pdf.ts'

const CREATED_AT = new Date('2026-11-21T10:00:00Z')
const DIGEST = createHash('sha256').update('x').digest('hex')
const PAGE = { width: 595.28, height: 841.89 }

function content(overrides: Partial<DocumentContent> = {}): DocumentContent {
  return {
    language: 'sk',
    title: 'Dôkazný protokol',
    subject: 'Zmluva č. 7',
    author: 'Acme s. r. o.',
    createdAt: CREATED_AT,
    blocks: [],
    attachments: [],
    ...overrides,
  }
}

function attachment(overrides: Partial<Attachment> = {}): Attachment {
  return {
    name: 'audit.jsonl',
    mediaType: 'application/jsonl',
    description: 'Záznam udalostí',
    bytes: Buffer.from('{"a":1}\n'.repeat(50)),
    createdAt: CREATED_AT,
    relationship: 'Data',
    ...overrides,
  }
}

function sourceOf({ catalog }: PDFDocument, key: string): string {
  return String(catalog.lookup(PDFName.of(key)))
}

async function compose(blocks: readonly Block[], overrides: Partial<DocumentContent> = {}) {
  return readPdf(await composeDocument(content({ blocks, ...overrides })))
}

t.test('the objects of a usual document are in one stream', async (t) => {
  const blocks = Array.from({ length: 200 }, (): Block => ({ kind: 'paragraph', text: 'Text' }))
  const file = Buffer.from(await composeDocument(content({ blocks }))).toString('latin1')
  const [stream, ...others] = file.matchAll(/\/Type \/ObjStm\s+\/N (\d+)/g)
  t.ok(Number(stream?.[1]) > 200, `${stream?.[1]} objects`)
  t.same(others, [])
})

t.test('every kind of block is shown with its letters', async (t) => {
  const { pages } = await compose(
    [
      { kind: 'heading', level: 1, text: 'Ľudia' },
      { kind: 'paragraph', text: 'Prvý odsek.\nDruhý odsek.' },
      { kind: 'keyValues', rows: [{ label: 'SHA-256', value: DIGEST, mono: true }] },
      {
        kind: 'table',
        columns: [
          { title: 'Meno', weight: 1 },
          { title: 'Čas', weight: 1 },
        ],
        rows: [['Žofia Kôňová', '10:00']],
      },
      {
        kind: 'timeline',
        events: [{ time: '10:00:00 UTC', title: 'Podpísané', detail: 'SMS', digest: DIGEST }],
      },
      { kind: 'callout', title: 'Ako overiť', text: 'Otvorte súbor.' },
      { kind: 'spacer', heightPt: 20 },
      { kind: 'pageBreak' },
      { kind: 'heading', level: 2, text: 'Druhá strana' },
    ],
    { header: 'Hlavička', footer: 'Päta' },
  )
  const [first, second] = pages.map(textOf)
  for (const text of [
    'Dôkazný protokol',
    'Zmluva č. 7',
    'Ľudia',
    'Prvý odsek.',
    'Druhý odsek.',
    DIGEST,
    'Meno',
    'Čas',
    'Žofia Kôňová',
    'Podpísané',
    'SMS',
    'Ako overiť',
    'Otvorte súbor.',
    'Hlavička',
    'Päta',
    'Strana 1 z 2',
  ]) {
    t.ok(first.split('\n').includes(text), text)
  }
  t.match(second, /Druhá strana\nHlavička\nPäta\nStrana 2 z 2$/)
})

t.test('pages are numbered in the language of the document', async (t) => {
  const { pages, document } = await compose([{ kind: 'pageBreak' }], { language: 'en' })
  t.match(textOf(pages[1]), 'Page 2 of 2')
  t.equal(document.getLanguage(), 'en')
})

t.test('no text runs out of its page, however long its words are', async (t) => {
  const word = 'Wolfeschlegelsteinhausenbergerdorffová'.repeat(5)
  const { pages } = await compose(
    [
      { kind: 'heading', level: 1, text: word },
      { kind: 'paragraph', text: `${word} ${DIGEST.repeat(9)}` },
      {
        kind: 'keyValues',
        rows: [
          { label: word, value: word },
          { label: 'a', value: DIGEST.repeat(5), mono: true },
        ],
      },
      {
        kind: 'table',
        columns: [9, 1, 1].map((weight) => ({ title: word, weight })),
        rows: [[word, word, DIGEST]],
      },
      {
        kind: 'timeline',
        events: [{ time: word, title: word, detail: word, digest: DIGEST.repeat(3) }],
      },
      { kind: 'callout', title: word, text: word },
    ],
    { title: word, subject: word, header: word.repeat(3), footer: word.repeat(3) },
  )
  const fonts = { Sans: startSubset('sans'), Bold: startSubset('bold'), Mono: startSubset('mono') }
  for (const shown of pages.flat()) {
    t.ok(shown.y > 20 && shown.y < PAGE.height - 20, 'between top and bottom')
    const font = fonts[shown.font as keyof typeof fonts]
    const right = shown.x + (font.widthOf(shown.text) * shown.sizePt) / 1_000
    t.ok(shown.x >= 62 && right <= PAGE.width - 61.9, `${shown.text} at ${shown.x}`)
  }
})

t.test('a table repeats its header and cuts no row in the middle', async (t) => {
  const rows = Array.from({ length: 200 }, (_, index) => [
    `first ${index}`,
    `top ${index} x bottom ${index}`,
  ])
  const { pages } = await compose([
    {
      kind: 'table',
      columns: [
        { title: 'Meno', weight: 6 },
        { title: 'Údaj', weight: 1 },
      ],
      rows,
    },
  ])
  t.ok(pages.length > 5)
  for (const page of pages) t.equal(page.filter(({ text }) => text === 'Meno').length, 1)
  for (let index = 0; index < rows.length; index += 1) {
    const page = pages.find((shown) => shown.some(({ text }) => text === `first ${index}`))
    t.ok(page?.some(({ text }) => text.includes(`top ${index}`)))
    t.ok(
      textOf(page ?? [])
        .replaceAll('\n', ' ')
        .includes(`bottom ${index}`),
    )
  }
})

t.test('a row taller than a page goes on, with the header, and loses nothing', async (t) => {
  const words = Array.from({ length: 3_000 }, (_, index) => `w${index}`)
  const { pages } = await compose([
    {
      kind: 'table',
      columns: [
        { title: 'Meno', weight: 1 },
        { title: 'Údaj', weight: 1 },
      ],
      rows: [['x', words.join(' ')]],
    },
  ])
  t.ok(pages.length > 3)
  const shown = pages
    .flat()
    .flatMap(({ text }) => text.split(' '))
    .filter((word) => /^w\d+$/.test(word))
  t.same(shown, words)
  for (const page of pages) t.ok(page.some(({ text }) => text === 'Meno'))
  for (const { y } of pages.flat()) t.ok(y > 30)
})

t.test('a heading is never the last line of a page', async (t) => {
  for (let lines = 20; lines < 40; lines += 1) {
    const { pages } = await compose([
      ...Array.from({ length: lines }, () => ({ kind: 'paragraph', text: 'line' }) as const),
      { kind: 'heading', level: 1, text: 'Heading' },
      {
        kind: 'keyValues',
        rows: [
          { label: 'label', value: 'value' },
          { label: 'last', value: 'value' },
        ],
      },
    ])
    const page = pages.find((shown) => shown.some(({ text }) => text === 'Heading'))
    t.ok(
      page?.some(({ text }) => text === 'last'),
      `${lines} lines`,
    )
  }
})

t.test('texts of untrusted people can neither hide nor turn letters', async (t) => {
  const evil = 'Pay \u202E000 1\u202C\u0000\u200B (x) Tj ET \\ 张 🦄 <b>&amp;'
  const { pages, document } = await compose(
    [{ kind: 'keyValues', rows: [{ label: 'Meno', value: evil }] }],
    { title: evil, author: evil },
  )
  t.match(textOf(pages[0]), 'Pay 000 1 (x) Tj ET \\ 张 \uFFFD <b>&amp;')
  t.equal(document.getAuthor(), 'Pay 000 1 (x) Tj ET \\ 张 🦄 <b>&amp;')
})

t.test('Slovak rows do not end in a preposition, and numbers stay with their word', async (t) => {
  const { pages } = await compose([
    { kind: 'paragraph', text: 'slovo a veta v dome č. 7 k lesu '.repeat(40) },
  ])
  const rows = pages[0].filter(({ text }) => text.includes('slovo'))
  t.ok(rows.length > 5)
  for (const { text } of rows) t.notMatch(text, / ([avk]|č\.)$/)
})

t.test('the file says what it is', async (t) => {
  const { document } = await compose([], { attachments: [attachment()] })
  t.match(sourceOf(document, 'ViewerPreferences'), '/DisplayDocTitle true')
  t.equal(document.getTitle(), 'Dôkazný protokol')
  t.equal(document.getSubject(), 'Zmluva č. 7')
  t.equal(document.getAuthor(), 'Acme s. r. o.')
  t.equal(document.getProducer(), 'sigcase')
  t.same(document.getCreationDate(), CREATED_AT)
  t.same(document.getModificationDate(), CREATED_AT)
})

t.test('the file can be signed as it is', async (t) => {
  const bytes = await composeDocument(content({ attachments: [attachment()] }))
  t.match(inspect(bytes), { pageCount: 1, repaired: false })
  t.doesNotThrow(() => assertSignable(inspect(bytes)))
})

t.test('attached files travel with name, type, date and purpose', async (t) => {
  const file = attachment({ name: 'žltý/kôň (Ĩ.json', mediaType: 'application/vnd.acme+json' })
  const { document } = await compose([], { attachments: [attachment(), file] })
  t.match(sourceOf(document, 'AF'), /^\[ \d+ 0 R \d+ 0 R \]$/)
  const [first, second] = document.getAttachments()
  t.equal(first.name, 'audit.jsonl')
  t.equal(second.name, 'žltý_kôň (Ĩ.json')
  t.equal(second.mimeType, file.mediaType)
  t.equal(second.description, file.description)
  t.equal(second.afRelationship, 'Data')
  t.same(second.creationDate, CREATED_AT)
  t.same(second.modificationDate, CREATED_AT)
  t.ok(Buffer.from(second.data).equals(file.bytes))
})

t.test('a file has one name, for old readers too', async (t) => {
  const { document } = await compose([], { attachments: [attachment({ name: 'kôň (Ĩ.json' })] })
  const [file] = document.catalog.lookup(PDFName.of('AF'), PDFArray).asArray()
  const names = document.context.lookup(file, PDFDict)
  t.equal(String(names.get(PDFName.of('F'))), String(names.get(PDFName.of('UF'))))
})

t.test('equal content is the same file, other content another', async (t) => {
  const make = (text: string, attached = '') =>
    composeDocument(
      content({
        blocks: [{ kind: 'paragraph', text }],
        attachments: [attachment({ bytes: Buffer.from(attached) })],
      }),
    )
  const readId = async (bytes: Uint8Array) =>
    String((await readPdf(bytes)).document.context.trailerInfo.ID)
  const one = await make('one')
  t.ok(Buffer.from(one).equals(await make('one')))
  const id = await readId(one)
  t.match(id, /^\[ <\w{32}> <\w{32}> \]$/)
  t.not(id, await readId(await make('two')))
  t.not(id, await readId(await make('one', 'two')))
})

t.test(
  'documents of common letters share font programs, another letter adds its own',
  async (t) => {
    const make = async (text: string) => {
      const { document, pages } = await compose([{ kind: 'paragraph', text }])
      t.ok(pages.map(textOf).join('\n').includes(text), text)
      const [page] = document.getPages()
      const fonts = page?.node.Resources()?.lookup(PDFName.of('Font'), PDFDict)
      return String(fonts?.lookup(PDFName.of('Sans'), PDFDict).get(PDFName.of('BaseFont')))
    }
    const one = await make('Prvá zmluva č. 7')
    t.match(one, /^\/[A-Z]{6}\+DejaVuSans$/)
    t.equal(await make('Second: a “contract” (No. 8)'), one)
    t.not(await make('Łódź'), one)
    t.equal(await make('tretia'), one)
  },
)

t.test('what is too much is refused, not cut', async (t) => {
  const rows = Array.from({ length: 20_001 }, () => ({ label: 'a', value: 'b' }))
  await t.rejects(compose([{ kind: 'keyValues', rows }]), { code: 'CONTENT_TOO_LARGE' })
  await t.rejects(compose([{ kind: 'paragraph', text: 'x'.repeat(4_000_001) }]), {
    code: 'CONTENT_TOO_LARGE',
  })
  const breaks = Array.from(
    { length: 2_100 },
    () => [{ kind: 'paragraph', text: 'x' }, { kind: 'pageBreak' }] as const,
  ).flat()
  await t.rejects(compose(breaks), { code: 'CONTENT_TOO_LARGE' })
})

t.test('files that cannot be attached are refused', async (t) => {
  const make = (...attachments: Attachment[]) => composeDocument(content({ attachments }))
  await t.rejects(make(attachment(), attachment()), { code: 'BAD_ATTACHMENT' })
  await t.rejects(make(attachment({ mediaType: 'json) /x' })), { code: 'BAD_ATTACHMENT' })
  const many = Array.from({ length: 101 }, (_, index) => attachment({ name: `${index}` }))
  await t.rejects(make(...many), { code: 'BAD_ATTACHMENT' })
})

t.test('thousands of rows are laid out', async (t) => {
  const events = Array.from({ length: 5_000 }, (_, index) => ({
    time: '2026-11-21 10:00:00 UTC',
    title: `event ${index}`,
    digest: DIGEST,
  }))
  const { pages } = await compose([{ kind: 'timeline', events }])
  t.match(textOf(pages.at(-1) ?? []), 'event 4999')
})
