/** Annotations that the reader of the signing page cannot draw. */
import t from 'tap'
import { drawAnnotations } from '../../../pades/compare/drawn-annotation.ts'
import type { SecondViewer } from '../../../pades/compare/second-reading.ts'
import { buildPdf, FIRST_EXTRA } from '../../fixtures/pdf.ts'

const document = buildPdf({
  pages: [{ extra: `/Annots [${FIRST_EXTRA} 0 R]` }],
  objects: ['<< /Type /Annot /Subtype /Square /Rect [10 10 90 90] /F 4 /C [1 0 0] >>'],
})

const viewer = (readAppearance: SecondViewer['readAppearance']) => async () =>
  ({ readAppearance }) as SecondViewer

t.test('a page that the second reader cannot read refuses the document', async (t) => {
  const failing = viewer(async () => {
    throw new Error('a row of the cross-reference is damaged')
  })
  await t.rejects(drawAnnotations(document, failing), { code: 'READ_DIFFERENTLY' })
})

t.test('a look that the second reader does not know refuses the document', async (t) => {
  const unknowing = viewer(async () => 'unknown')
  await t.rejects(drawAnnotations(document, unknowing), { code: 'UNDRAWN', message: /page 1/ })
})
