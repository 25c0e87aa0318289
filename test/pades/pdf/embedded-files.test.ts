/** Embedded files come out as they went in, and hostile name trees end. */

import { Buffer } from 'node:buffer'
import t from 'tap'
import { composeDocument } from '../../../pades/compose/compose.ts'
import { embeddedFiles } from '../../../pades/pdf/embedded-files.ts'
import { buildPdf, FIRST_EXTRA } from '../../fixtures/pdf.ts'

t.test('attachments of a composed document are found by name', async (t) => {
  const createdAt = new Date('2026-06-01T12:00:00Z')
  const attachment = (name: string, text: string) => ({
    name,
    mediaType: 'application/json' as const,
    description: name,
    bytes: Buffer.from(text),
    createdAt,
    relationship: 'Data' as const,
  })
  const bytes = await composeDocument({
    language: 'sk',
    title: 'Protokol',
    subject: 'Zmluva',
    author: 'Acme',
    createdAt,
    blocks: [],
    attachments: [attachment('audit.json', '{"a":1}'.repeat(100)), attachment('súhlas.txt', 'áno')],
  })
  const files = embeddedFiles(bytes)
  t.same([...files.keys()].sort(), ['audit.json', 'súhlas.txt'])
  t.equal(Buffer.from(files.get('audit.json') ?? []).toString(), '{"a":1}'.repeat(100))
})

t.test('a document without attachments has none', async (t) => {
  t.equal(embeddedFiles(buildPdf()).size, 0)
})

t.test('a tree that leads back to itself ends', async (t) => {
  const own = FIRST_EXTRA
  const bytes = buildPdf({
    catalog: `/Names << /EmbeddedFiles ${own} 0 R >>`,
    objects: [`<< /Kids [${own} 0 R ${own} 0 R] >>`],
  })
  t.equal(embeddedFiles(bytes).size, 0)
})

t.test('a tree of countless nodes is refused', async (t) => {
  const names = '(x) null '.repeat(3_000)
  const bytes = buildPdf({ catalog: `/Names << /EmbeddedFiles << /Names [${names}] >> >>` })
  t.throws(() => embeddedFiles(bytes), { code: 'LIMIT_EXCEEDED' })
})
