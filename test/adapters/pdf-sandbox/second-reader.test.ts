/** pdf.js reads each upload too, and what it reads otherwise is refused. */
import { Buffer } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ChildReader } from '../../../adapters/pdf-sandbox/child-reader.ts'
import { DenoPdfSandbox } from '../../../adapters/pdf-sandbox/pdf-sandbox.ts'
import { FORESEEN_SIGNING } from '../../fixtures/foreseen-signing.ts'
import { buildPdf, FILE_STRUCTURES, FIRST_EXTRA, type PdfSpec } from '../../fixtures/pdf.ts'

const faults: string[] = []
const sandbox = new DenoPdfSandbox({ onBroke: (fault) => faults.push(fault) })
t.teardown(() => sandbox.close())
t.setTimeout(600_000)

const inspect = (bytes: Uint8Array) => sandbox.inspect(bytes, FORESEEN_SIGNING)

/** Where the code of the repository is, for programs that lie elsewhere. */
const at = (path: string) => new URL(`../../../${path}`, import.meta.url).href
/** A child that compares the two readings alone, without the judgements that go before. */
const COMPARING = `
  import process from 'node:process'
  import { FrameReader } from '${at('adapters/pdf-sandbox/frame-reader.ts')}'
  import { openSecondReading } from '${at('adapters/pdf-sandbox/second-reader.ts')}'
  import { checkReadings } from '${at('pades/index.ts')}'
  const input = new FrameReader(process.stdin)
  await input.part()
  const pdf = await input.part()
  const answer = await checkReadings(pdf, pdf, openSecondReading).then(
    () => ({ outcome: 'inspected', pages: [], carriesSignatures: false }),
    ({ code, message }) => ({ outcome: 'refused', code, message }),
  )
  console.log(JSON.stringify(answer))`
const program = join(t.testdir({ 'comparing.ts': COMPARING }), 'comparing.ts')
const comparing = new DenoPdfSandbox({ reader: new ChildReader({ program }) })
t.teardown(() => comparing.close())

const compare = (bytes: Uint8Array) => comparing.inspect(bytes, FORESEEN_SIGNING)

/** A stream that paints a rectangle. */
const CONTENT = '<< /Length 22 >>\nstream\n0 0 600 800 re f % xxxx\nendstream'
const EXTRA = `${FIRST_EXTRA} 0 R`

t.test('documents of every structure are accepted, signed or not', async (t) => {
  for (const structure of FILE_STRUCTURES) {
    const pages = [{ rotate: 90 }, { cropBox: [10, 10, 200, 300], userUnit: 2 }]
    t.match(await inspect(buildPdf({ structure, pages })), { outcome: 'accepted' }, structure)
  }
  t.same(faults, [])
})

t.test('a page that pdf.js reads otherwise is named', async (t) => {
  const attacks: Record<string, PdfSpec> = {
    'contents behind a stray bracket': {
      pages: [{}, { extra: `> /Contents ${EXTRA}` }],
      objects: [CONTENT],
    },
    'an end of contents that only others see': {
      pages: [{}, { extra: `> /Contents [${EXTRA} 3000 0 R]` }],
      objects: [CONTENT],
    },
    'annotations behind a stray bracket': {
      pages: [{}, { extra: `> /Annots [${EXTRA}]` }],
      objects: ['<< /Type /Annot /Subtype /Square /Rect [0 0 99 99] >>'],
    },
    'resources behind a stray bracket': {
      pages: [{}, { extra: `/Resources << /Font << /F1 3 0 R > /F2 3 0 R >> >>` }],
    },
    'boxes behind a stray bracket': { pages: [{}, { extra: '> /CropBox [0 0 99 99]' }] },
    'contents that pdf.js cannot inflate': {
      pages: [{}, { extra: `/Contents ${EXTRA}` }],
      objects: ['<< /Length 5 /Filter /FlateDecode >>\nstream\n0 0 m\nendstream'],
    },
  }
  for (const [attack, spec] of Object.entries(attacks)) {
    const verdict = await compare(buildPdf(spec))
    t.match(verdict, { outcome: 'rejected', reason: /^Page 2 is read differently/ }, attack)
    t.match(await inspect(buildPdf(spec)), { outcome: 'rejected', reason: /differently/ }, attack)
  }
})

t.test('a page tree of which pdf.js sees less is refused', async (t) => {
  const pdf = Buffer.from(buildPdf({ pages: [{}, {}, {}] })).toString('latin1')
  t.match(pdf, '/Count 3')
  const fewer = Buffer.from(pdf.replace('/Count 3', '/Count 2'), 'latin1')
  t.match(await compare(fewer), { outcome: 'rejected', reason: /different number of pages/ })
})

t.test('a flat tree of many pages is read in time, and its counts have to be right', async (t) => {
  const pages = Array.from({ length: 5_000 }, (_, index) => ({ rotate: 90 * (index % 4) }))
  const pdf = Buffer.from(buildPdf({ pages }))
  t.match(await compare(pdf), { outcome: 'accepted' })
  const fewer = Buffer.from(pdf.toString('latin1').replace('/Count 5000', '/Count 4999'), 'latin1')
  t.match(await compare(fewer), { outcome: 'rejected', reason: /different number of pages/ })
  const attack = pages.map((page, index) => (index === 4_000 ? { extra: '> /Rotate 180' } : page))
  t.match(await compare(buildPdf({ pages: attack })), {
    outcome: 'rejected',
    reason: /^Page 4001 is read differently/,
  })
})

t.test('pdf.js is the version that the reader was written for', async (t) => {
  const { version } = JSON.parse(
    readFileSync(new URL(import.meta.resolve('pdfjs-dist/package.json')), 'utf8'),
  ) as { version: string }
  const reader = new URL('../../../adapters/pdf-sandbox/second-reader.ts', import.meta.url)
  t.match(readFileSync(reader, 'utf8'), `'${version}'`)
})
