import { Buffer } from 'node:buffer'
import t from 'tap'
import { PadesError } from '../../../pades/errors.ts'
import type { PdfDocument } from '../../../pades/pdf/document.ts'
import { inspect } from '../../../pades/pdf/inspect.ts'
import { textOf } from '../../../pades/pdf/acro-form.ts'
import { readDocument } from '../../../pades/pdf/open.ts'
import { readPages } from '../../../pades/pdf/page-tree.ts'
import { PdfReference, PdfStream } from '../../../pades/pdf/values.ts'
import {
  appendRevision,
  buildPdf,
  FIRST_EXTRA,
  FILE_STRUCTURES,
  startXref,
  withWrongStart,
} from '../../fixtures/pdf.ts'

const codeOf = (work: () => unknown): string | undefined => {
  try {
    work()
  } catch (error) {
    if (error instanceof PadesError) return error.code
    throw error
  }
  return undefined
}

const extra = (document: PdfDocument, index = 0) =>
  document.get(new PdfReference(FIRST_EXTRA + index, 0))

for (const structure of FILE_STRUCTURES) {
  t.test(`a file of structure "${structure}" is read without a repair`, async (t) => {
    const file = buildPdf({ structure, pages: [{}, { rotate: 90 }], objects: ['(first)', '42'] })
    readDocument(file, (document) => {
      t.notOk(document.repaired)
      t.equal(readPages(document).length, 2)
      t.equal(extra(document, 1), 42)
      const page = readPages(document)[0]
      const contents = document.resolve(page.dictionary.get('Contents'))
      t.ok(contents instanceof PdfStream)
      if (contents instanceof PdfStream) t.match(document.decode(contents).toString(), /Page 1/)
    })
  })
}

t.test('offsets may count from the header or from the start of the file', async (t) => {
  const junk = 'some mail header\r\n\r\n'
  const fromHeader = buildPdf({ junk })
  t.match(inspect(fromHeader), { pageCount: 1, repaired: false })
  // The same file with offsets from its first byte.
  const shifted = fromHeader
    .toString('latin1')
    .replaceAll(
      /^(\d{10}) 00000 n/gm,
      (_, offset: string) => `${String(Number(offset) + junk.length).padStart(10, '0')} 00000 n`,
    )
    .replace(
      /(startxref\n)(\d+)/,
      (_, keyword: string, offset: string) => keyword + String(Number(offset) + junk.length),
    )
  t.match(inspect(Buffer.from(shifted, 'latin1')), { pageCount: 1, repaired: false })
})

t.test('a header beyond the first 1,024 bytes is none', async (t) => {
  t.match(inspect(buildPdf({ junk: ' '.repeat(1_000) })), { pageCount: 1 })
  t.equal(
    codeOf(() => inspect(buildPdf({ junk: ' '.repeat(1_020) }))),
    'NOT_A_PDF',
  )
  t.equal(
    codeOf(() => inspect(Buffer.from('<html></html>'))),
    'NOT_A_PDF',
  )
  t.equal(
    codeOf(() => inspect(new Uint8Array())),
    'NOT_A_PDF',
  )
})

t.test('later revisions override earlier ones, and free objects are null', async (t) => {
  const original = buildPdf({ objects: ['(old)', '(other)'] })
  const prev = `/Prev ${startXref(original)}`
  const changed = appendRevision(original, { [FIRST_EXTRA]: '(new)' }, `/Root 1 0 R ${prev}`)
  readDocument(changed, (document) => {
    t.equal(document.sections.length, 2)
    t.equal(textOf(extra(document)), 'new')
    t.equal(textOf(extra(document, 1)), 'other')
  })
  const start = startXref(changed)
  const freed = Buffer.concat([
    changed,
    Buffer.from(
      `xref\n${FIRST_EXTRA} 1\n0000000000 00001 f \ntrailer\n<< /Root 1 0 R /Prev ${start} >>\n` +
        `startxref\n${changed.length}\n%%EOF\n`,
    ),
  ])
  readDocument(freed, (document) => {
    t.equal(extra(document), null)
    t.not(extra(document, 1), null)
  })
})

t.test('a reference of another generation is null', async (t) => {
  readDocument(buildPdf({ objects: ['7'] }), (document) => {
    t.equal(document.get(new PdfReference(FIRST_EXTRA, 1)), null)
    t.equal(extra(document), 7)
  })
})

t.test('sections that lead in a circle end', async (t) => {
  const file = buildPdf()
  const circle = appendRevision(file, {}, `/Root 1 0 R /Prev ${file.length}`)
  t.match(inspect(circle), { pageCount: 1, repaired: true })
})

t.test(
  'entries of 19 bytes and a first subsection that counts from 1 are understood',
  async (t) => {
    const short = buildPdf()
      .toString('latin1')
      .replaceAll(/^(\d{10} \d{5} [nf]) $/gm, '$1')
    t.match(inspect(Buffer.from(short, 'latin1')), { pageCount: 1, repaired: false })
    const shifted = buildPdf().toString('latin1').replace('xref\n0 5\n', 'xref\n1 5\n')
    t.not(shifted, buildPdf().toString('latin1'))
    t.match(inspect(Buffer.from(shifted, 'latin1')), { pageCount: 1, repaired: false })
  },
)

const DAMAGES: Readonly<Record<string, (file: Buffer) => Buffer>> = {
  'startxref that leads nowhere': withWrongStart,
  'no startxref': (file) => file.subarray(0, file.lastIndexOf('startxref')),
  'objects that moved': (file) =>
    Buffer.concat([Buffer.from('%PDF-1.7\n%moved\n'), file.subarray('%PDF-1.7\n'.length)]),
  'no cross-reference at all': (file) => file.subarray(0, startXref(file)),
  'a file that was cut off': (file) => file.subarray(0, file.lastIndexOf('endobj')),
}
for (const [damage, apply] of Object.entries(DAMAGES)) {
  for (const structure of ['table', 'stream', 'object-streams'] as const) {
    // Nothing shows which of the packed objects is the catalog.
    if (structure === 'object-streams' && damage === 'no cross-reference at all') continue
    t.test(`${damage} (${structure}) is repaired by a scan`, async (t) => {
      const intact = buildPdf({ structure, pages: [{}, {}], objects: ['(kept)'] })
      const broken = apply(intact)
      t.match(inspect(broken), { pageCount: 2, repaired: true })
      readDocument(broken, (document) => t.not(extra(document), null))
    })
  }
}

t.test('a repair takes a later plain object instead of an earlier packed one', async (t) => {
  const packed = buildPdf({ structure: 'object-streams', objects: ['1', '2'] })
  const revised = appendRevision(packed, { [FIRST_EXTRA]: '11' }, '/Root 1 0 R')
  readDocument(withWrongStart(revised), (document) => {
    t.ok(document.repaired)
    t.equal(extra(document), 11)
    t.equal(extra(document, 1), 2)
  })
})

t.test('without a trailer and with a packed catalog, a file is beyond repair', async (t) => {
  const intact = buildPdf({ structure: 'object-streams' })
  t.equal(
    codeOf(() => inspect(intact.subarray(0, startXref(intact)))),
    'DAMAGED',
  )
})

t.test('of two objects with one number, a repair takes the later', async (t) => {
  const file = buildPdf({ objects: ['1'] })
  const later = Buffer.from(`\n${FIRST_EXTRA} 0 obj 2 endobj\nstartxref\n7\n%%EOF`)
  readDocument(Buffer.concat([file, later]), (document) => {
    t.ok(document.repaired)
    t.equal(extra(document), 2)
  })
})

t.test('a stream with a wrong length ends at its keyword', async (t) => {
  const file = buildPdf({ objects: ['<< /Length 3 >>\nstream\n0123456789\nendstream'] })
  readDocument(file, (document) => {
    const stream = extra(document)
    t.ok(stream instanceof PdfStream)
    if (!(stream instanceof PdfStream)) return
    t.equal(document.decode(stream).toString().trim(), '0123456789')
  })
})
