/** `npm run compare-pages` finds pages that look different after signing. */
import { Buffer } from 'node:buffer'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import t from 'tap'
import { PageComparer } from '../../dev/compare-pages/compare-document.ts'
import { missingPrograms } from '../../dev/fuzz/viewers/renderers.ts'
import type { IntakeVerdict, PdfSandbox } from '../../domain/ports/pdf-sandbox.ts'
import { buildPdf, FIRST_EXTRA } from '../fixtures/pdf.ts'
import { runTool } from '../fixtures/run-tool.ts'

/** The viewers of five tests draw in turn; a machine with other work takes minutes. */
const LIMIT_MS = 600_000
t.setTimeout(LIMIT_MS)
const missing = missingPrograms()
const skip =
  missing.length > 0 && process.env.CI !== 'true' ? `not installed: ${missing.join(', ')}` : false

/** A page with a text field, whose appearance `look` draws. */
function withText(look?: string): Buffer {
  const font = '<< /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>'
  const appearance = look === undefined ? '' : `/AP << /N ${FIRST_EXTRA + 1} 0 R >>`
  const area = '/Rect [100 600 400 660] /F 4 /DA (/F1 30 Tf 0 g)'
  const shape = '/Type /XObject /Subtype /Form /BBox [0 0 300 60]'
  const pdf = buildPdf({
    catalog: `/AcroForm << /Fields [${FIRST_EXTRA} 0 R] /DR ${font} >>`,
    pages: [{ extra: `/Annots [${FIRST_EXTRA} 0 R]` }],
    objects: [
      `<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /V (text) ${area} ${appearance} >>`,
      `<< ${shape} /Resources ${font} /Length ${look?.length ?? 0} >>\nstream\n${look}\nendstream`,
    ],
  })
  return Buffer.from(pdf)
}

/** A page with fields that have hairlines, which viewers draw in different shades. */
function withHairlines(): Buffer {
  const look = '0.3 w 1 1 m 39 1 l S 1 1 m 1 29 l S 1 29 m 39 29 l S'
  const shape = '/Type /XObject /Subtype /Form /BBox [0 0 40 30]'
  const field = `/Type /Annot /Subtype /Widget /FT /Tx /F 4 /AP << /N ${FIRST_EXTRA} 0 R >>`
  const places = [20.1, 80.7, 140.4].map((x) => `[${x} 700.1 ${x + 40} 730.1]`)
  const fields = places.map((_, index) => `${FIRST_EXTRA + 1 + index} 0 R`).join(' ')
  const pdf = buildPdf({
    catalog: `/AcroForm << /Fields [${fields}] >>`,
    pages: [{ extra: `/Annots [${fields}]` }],
    objects: [
      `<< ${shape} /Length ${look.length} >>\nstream\n${look}\nendstream`,
      ...places.map((place, index) => `<< ${field} /T (${index}) /Rect ${place} >>`),
    ],
  })
  return Buffer.from(pdf)
}

/** An intake that decides what revision 1 draws. */
function sandboxWith(drawn: NonNullable<(IntakeVerdict & { outcome: 'accepted' })['drawn']>) {
  const verdict = { outcome: 'accepted', pages: 1, carriesSignatures: false, drawn }
  return { inspect: async () => verdict } as unknown as PdfSandbox
}

t.test('a value that vanishes is found in every viewer', { skip }, async (t) => {
  const empty = { entries: '/Type /XObject /Subtype /Form /BBox [0 0 1 1]', content: '' }
  const comparer = new PageComparer(
    sandboxWith([{ object: FIRST_EXTRA, entries: {}, appearance: empty }]),
  )
  t.teardown(() => comparer.close())
  const { pages, different } = await comparer.compare(withText())
  t.equal(pages, 1)
  const other = 'shows other content in the field a'
  t.match(different.get(1)?.join(), new RegExp(`pdf.js draws it differently.*pdf.js ${other}`))
  t.match(different.get(1)?.join(), new RegExp(`poppler ${other}.*mupdf ${other}`))
})

t.test('a change outside of what intake drew is found', { skip }, async (t) => {
  const look = 'BT /F1 30 Tf 5 20 Td (text) Tj ET'
  const hidden = { object: FIRST_EXTRA, entries: { F: '2' } }
  const comparer = new PageComparer(sandboxWith([hidden]))
  t.teardown(() => comparer.close())
  const { different } = await comparer.compare(withText(look))
  t.match(different.get(1)?.join(), /pdf.js draws it differently.*poppler shows other content/)
})

t.test('lines that viewers draw in different shades are not a difference', { skip }, async (t) => {
  const comparer = new PageComparer(sandboxWith([]))
  t.teardown(() => comparer.close())
  const { pages, different } = await comparer.compare(withHairlines())
  t.equal(pages, 1)
  t.same([...different], [])
})

t.test('a document that is not drawn in time was not compared', { skip }, async (t) => {
  const comparer = new PageComparer(sandboxWith([]), 1)
  t.teardown(() => comparer.close())
  await t.rejects(comparer.compare(withText()), /pdf.js drew no page/)
})

t.test('the command prints what it compared, and what intake rejects', { skip }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sigcase-test-compare-'))
  writeFileSync(join(folder, 'a.pdf'), withText())
  writeFileSync(join(folder, 'b.PDF'), withText('0 g 0 0 300 60 re f'))
  writeFileSync(join(folder, 'c.pdf'), 'not a PDF')
  const { code, stdout } = await runTool('dev/compare-pages.ts', [folder])
  t.match(stdout, /c\.pdf: rejected: /)
  t.match(stdout, '3 documents, 2 pages, 0 pages look different\n1 rejected by intake, 0 failed')
  t.equal(code, 0)
  t.equal((await runTool('dev/compare-pages.ts', [])).code, 2)
})
