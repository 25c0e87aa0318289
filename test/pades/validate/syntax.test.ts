/**
 * Later revisions that make some reader repair the file or find other objects, while others read
 * the cross-reference as it is. A repairing reader shows objects that it finds in streams.
 */
import { Buffer } from 'node:buffer'
import t from 'tap'
import { validateSignatures } from '../../../pades/validate/validate-signatures.ts'
import { SyntaxJudge } from '../../../pades/syntax/judge.ts'
import { readDocument } from '../../../pades/pdf/open.ts'
import { buildPdf, startXref } from '../../fixtures/pdf.ts'
import { OPTIONS, signSample } from './sample.ts'

const CONTENT = 11
const NUMBER = 1_900
const sample = await signSample()
const ends = (at: number) => `startxref\n${at}\n%%EOF\n`
const common = `/Root 1 0 R /Info 4 0 R`

/** A revision that is a table alone. */
function withTable(rows: string, { size = '2001', prev = String(startXref(sample)) } = {}): Buffer {
  const at = sample.length
  const trailer = `trailer\n<< /Size ${size} ${common} /Prev ${prev} >>\n`
  return Buffer.concat([sample, Buffer.from(`xref\n${rows}${trailer}${ends(at)}`)])
}

interface StreamOptions {
  number?: number
  widths?: string
  index?: string
  /** Type, offset and generation of each row; the offset of the section where it is missing. */
  rows?: readonly (readonly [number, number?])[]
  entries?: string
}

/** A revision that is a cross-reference stream alone. */
function withStream(file: Buffer, options: StreamOptions = {}): Buffer {
  const { number = NUMBER, widths = '[1 4 1]', entries = '' } = options
  const { index = `[${number} 1]`, rows = [[1]] } = options
  const data = Buffer.concat(
    rows.map(([type, second = file.length]) => {
      const row = Buffer.alloc(6)
      row[0] = type
      row.writeUInt32BE(second, 1)
      return row
    }),
  )
  const head =
    `${number} 0 obj\n<< /Type /XRef /W ${widths} /Index ${index} /Size 2001 ${common}` +
    ` /Prev ${startXref(file)} ${entries} /Length ${data.length} >>\nstream\n`
  const end = Buffer.from(`\nendstream\nendobj\n${ends(file.length)}`)
  return Buffer.concat([file, Buffer.from(head), data, end])
}

const HONEST: Readonly<Record<string, Buffer>> = {
  'an empty table': withTable('0 0\n'),
  'the head of the free objects': withTable('0 1\n0000000000 65535 f \n'),
  'a stream that lists itself': withStream(sample),
}

for (const [what, file] of Object.entries(HONEST)) {
  t.test(`${what} passes`, async (t) => {
    for (const { indication } of (await validateSignatures(file, OPTIONS)).signatures) {
      t.equal(indication, 'TOTAL_PASSED')
    }
  })
}

const MISLEADING: Readonly<Record<string, Buffer>> = {
  'object 0 in use': withTable('0 1\n0000000009 00000 n \n'),
  'a Prev with a decimal point': withTable('0 0\n', { prev: `${startXref(sample)}.0` }),
  'a Size with a decimal point': withTable('0 0\n', { size: '2001.0' }),
  'a width with a decimal point': withStream(sample, { widths: '[1 4.0 1]' }),
  'an index with a decimal point': withStream(sample, { index: `[${NUMBER}.0 1]` }),
  'a row of type 3': withStream(sample, { index: `[${NUMBER} 2]`, rows: [[1], [3, 7]] }),
  'the number of the content': withStream(sample, {
    number: CONTENT,
    index: `[${NUMBER} 1]`,
    rows: [[0, 0]],
  }),
  'a number that no row names': withStream(sample, { index: '[1950 1]', rows: [[0, 0]] }),
}

for (const [what, file] of Object.entries(MISLEADING)) {
  t.test(`a section with ${what} does not pass`, async (t) => {
    const { signatures } = await validateSignatures(file, OPTIONS)
    t.equal(signatures.length, 3)
    t.notOk(signatures.some(({ indication }) => indication === 'TOTAL_PASSED'))
  })
}

t.test('an upload is judged likewise', (t) => {
  const judge = (file: Buffer) =>
    readDocument(file, (document) => new SyntaxJudge(document).judge(document)?.code)
  const original = buildPdf()
  t.equal(judge(withStream(original)), undefined)
  const taken = { number: CONTENT, index: `[${NUMBER} 1]`, rows: [[0, 0]] as const }
  t.equal(judge(withStream(original, taken)), 'SECTION_NUMBER_TAKEN')
  const unknown = { index: `[${NUMBER} 2]`, rows: [[1], [3, 7]] as const }
  t.equal(judge(withStream(original, unknown)), 'ENTRY_TYPE_UNKNOWN')
  const turned = buildPdf({ pages: [{ extra: '/Rotate 90.0' }] })
  t.equal(judge(turned), 'INTEGER_AS_REAL')
  t.end()
})
