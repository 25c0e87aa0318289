/** Changes that a signature forbids are named. */
import t from 'tap'
import { buildPdf } from '../../fixtures/pdf.ts'
import { validateSignatures } from '../../../pades/validate/validate-signatures.ts'
import { appended, sourceOf } from '../../fixtures/revisions.ts'
import { appendSigned, FIELD, SIGNATURE, withFieldOnPage } from './foreign-signer.ts'
import { OPTIONS, signSample } from './sample.ts'
import { RECTANGLE, NEW } from './later-changes.ts'

const FORBIDDING: Readonly<Record<string, string>> = {
  DocMDP: '/P 2',
  FieldMDP: '/Action /All',
}

for (const [method, parameters] of Object.entries(FORBIDDING)) {
  t.test(`a change that ${method} forbids is named`, async (t) => {
    const sample = await signSample()
    const transform = `/TransformMethod /${method} /TransformParams << ${parameters} >>`
    const entries = `/Reference [<< /Type /SigRef ${transform} >>]`
    const objects = withFieldOnPage(sample, `${RECTANGLE} /F 4 /V ${SIGNATURE} 0 R`)
    const file = await appendSigned(sample, objects, { entries })
    const later = Object.entries(withFieldOnPage(file, '')).map(
      ([number, source]) => [number, source.replace(`${FIELD} 0 R]`, `${NEW} 0 R]`)] as const,
    )
    const field = '<< /FT /Sig /T (Later) /Type /Annot /Subtype /Widget /Rect [0 0 0 0] >>'
    const again = appended(file, {
      ...Object.fromEntries(later),
      [FIELD]: sourceOf(file, FIELD),
      [NEW]: field,
    })
    const { signatures } = await validateSignatures(again, OPTIONS)
    for (const { fieldName, indication, modifications } of signatures) {
      const refused = modifications.changes.filter(({ permitted }) => !permitted)
      const isForbidden = fieldName === 'New'
      t.equal(indication, isForbidden ? 'INDETERMINATE' : 'TOTAL_PASSED')
      t.same(
        refused.map(({ object, path }) => [object, path]),
        isForbidden ? [[NEW, `${NEW}.${method}`]] : [],
      )
    }
  })
}

t.test('only the first signed field certifies the document', async (t) => {
  const entries =
    '/Reference [<< /Type /SigRef /TransformMethod /DocMDP /TransformParams << /P 2 >> >>]'
  const empty = buildPdf({
    catalog: '/AcroForm << /Fields [] >>',
    pages: [{ extra: '/Annots []' }],
  })
  for (const [file, type] of [
    [empty, 'certification'],
    [await signSample(), 'approval'],
  ] as const) {
    const objects = withFieldOnPage(file, `${RECTANGLE} /F 4 /V ${SIGNATURE} 0 R`)
    const { signatures } = await validateSignatures(
      await appendSigned(file, objects, { entries }),
      OPTIONS,
    )
    t.match(signatures.at(-1), { indication: 'TOTAL_PASSED', type, modifications: { docMdp: 2 } })
    for (const one of signatures.slice(0, -1)) t.equal(one.type, 'approval')
  }
})
