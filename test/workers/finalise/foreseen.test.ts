/** What intake says of the PDFs of others is what finalising makes of them. */
import { Buffer } from 'node:buffer'
import process from 'node:process'
import t from 'tap'
import { filesOfOthers } from '../../../dev/fuzz/signing.ts'
import { PART, PARTS } from '../../fixtures/part-of-day.ts'
import { buildPdf, FIRST_EXTRA, type PdfSpec } from '../../fixtures/pdf.ts'
import { signingVerdicts } from '../../fixtures/rehearsed.ts'

t.test('where finalising fails, so does the rehearsal', async (t) => {
  const defying = Buffer.from(buildPdf({ catalog: '/AcroForm 1 0 R' }))
  t.match(await signingVerdicts(defying), { rehearsed: 'DEFIES_SIGNING', made: /DocumentFault/ })
  const plain = Buffer.from(buildPdf({ pages: [{}, {}] }))
  t.same(await signingVerdicts(plain), { pageCount: 2 })
})

t.test('what the trailer names does not come to be by signing', async (t) => {
  const source = buildPdf().toString('latin1').replace('/Info 4 0 R', '/Info 30 0 R')
  t.same(await signingVerdicts(Buffer.from(source, 'latin1')), { pageCount: 1 })
})

/** Faults of earlier software, which do not harm later signatures. */
const ODDITIES: Readonly<Record<string, PdfSpec>> = {
  'a signature that claims octets beyond the file': {
    catalog: `/AcroForm << /Fields [${FIRST_EXTRA} 0 R] /SigFlags 3 >>`,
    objects: [
      `<< /FT /Sig /T (theirs) /V ${FIRST_EXTRA + 1} 0 R >>`,
      '<< /Type /Sig /SubFilter /adbe.pkcs7.detached /ByteRange [0 1 9 9999999] /Contents <00> >>',
    ],
  },
  'a table of validation data that names its type': { catalog: '/DSS << /VRI << /Type /VRI >> >>' },
}
for (const [name, spec] of Object.entries(ODDITIES)) {
  t.test(`${name} is signed`, async (t) => {
    t.same(await signingVerdicts(Buffer.from(buildPdf(spec))), { pageCount: 1 })
  })
}

/** Deno runs the same code as Node, so it tries fewer of them. */
const STEP = 'deno' in process.versions ? 8 : PARTS
const files = filesOfOthers().filter((_, index) => index % STEP === PART)
if (files.length === 0) {
  t.comment('the corpus is not here: set CORPUS_DIR to try the files of others')
} else {
  t.test(`both agree on ${files.length} files of others`, async (t) => {
    for (const { name, bytes } of files) {
      const { refused, rehearsed, made } = await signingVerdicts(bytes)
      // The sandbox draws what the document lacks; see the tests of annotations. Intake alone
      // refuses what viewers show differently; see the tests of the judge.
      if (rehearsed === 'UNDRAWN' || rehearsed === 'AMBIGUOUS') continue
      t.equal(rehearsed === undefined, made === undefined, name)
      if (rehearsed !== undefined) t.comment(`${name}: ${rehearsed}`)
      if (refused !== undefined) t.match(refused, /^[A-Z_]+$/, name)
    }
  })
}
