/** What intake says of the PDFs of others is what finalising makes of them. */
import { Buffer } from 'node:buffer'
import t from 'tap'
import { filesOfOthers } from '../../../tools/fuzz/signing.ts'
import { buildPdf } from '../../fixtures/pdf.ts'
import { signingVerdicts } from '../../fixtures/rehearsed.ts'

t.test('where finalising fails, so does the rehearsal', async (t) => {
  const defying = Buffer.from(buildPdf({ catalog: '/AcroForm 1 0 R' }))
  t.match(await signingVerdicts(defying), { rehearsed: 'DEFIES_SIGNING', made: /InvalidOutput/ })
  const plain = Buffer.from(buildPdf({ pages: [{}, {}] }))
  t.same(await signingVerdicts(plain), { pageCount: 2 })
})

const files = filesOfOthers()
if (files.length === 0) {
  t.comment('the corpus is not here: set CORPUS_DIR to try the files of others')
} else {
  t.test(`both agree on ${files.length} files of others`, async (t) => {
    for (const { name, bytes } of files) {
      const { refused, rehearsed, made } = await signingVerdicts(bytes)
      t.equal(rehearsed === undefined, made === undefined, name)
      if (rehearsed !== undefined) t.comment(`${name}: ${rehearsed}`)
      if (refused !== undefined) t.match(refused, /^[A-Z_]+$/, name)
    }
  })
}
