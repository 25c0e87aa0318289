/** Annotations that the reader of the signing page cannot draw. */
import t from 'tap'
import { drawAnnotations } from '../../../pades/compare/drawn-annotation.ts'
import type { SecondViewer } from '../../../pades/compare/second-reading.ts'
import { buildPdf, FIRST_EXTRA, type PageSpec } from '../../fixtures/pdf.ts'

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

/** A stamp with an appearance, the object behind it. */
const stamp = (
  flags: number,
  shape = '/BBox [0 0 300 100]',
  page: PageSpec = {},
  subtype = 'Stamp',
) =>
  buildPdf({
    pages: [{ ...page, extra: `/Annots [${FIRST_EXTRA} 0 R]` }],
    objects: [
      `<< /Type /Annot /Subtype /${subtype} /Rect [100 100 400 400] /F ${flags}` +
        ` /AP << /N ${FIRST_EXTRA + 1} 0 R >> >>`,
      `<< /Type /XObject /Subtype /Form ${shape} /Length 16 >>` +
        '\nstream\n0 0 300 300 re f\nendstream',
    ],
  })
const showsOwn = viewer(async () => ({ fromDocument: FIRST_EXTRA + 1 }))

t.test('on a turned page no viewer turns an annotation back', async (t) => {
  for (const rotate of [90, 180, 270]) {
    const drawn = await drawAnnotations(stamp(4 + 8 + 16, undefined, { rotate }), showsOwn)
    t.same(drawn, [{ object: FIRST_EXTRA, entries: { F: '12' } }], `${rotate} degrees`)
    t.same(await drawAnnotations(stamp(4 + 8, undefined, { rotate }), showsOwn), [])
  }
  t.same(await drawAnnotations(stamp(4 + 8 + 16), showsOwn), [], 'a page that is not turned')
  const note = await drawAnnotations(stamp(4, undefined, { rotate: 90 }, 'Text'), showsOwn)
  t.same(note, [{ object: FIRST_EXTRA, entries: { Subtype: '/Stamp', F: '4' } }], 'a note')
})

t.test('an appearance that viewers cut off differently refuses the document', async (t) => {
  const refused = [
    '/BBox [0 0 0 0]',
    '/BBox [9 0 9 100]',
    '/BBox [0 0 300 100] /Matrix [.7 .7 -.7 .7 0 0]',
    '/BBox [0 0 300 100] /Matrix [1 0 .5 1 0 0]',
  ]
  for (const shape of refused) {
    await t.rejects(drawAnnotations(stamp(4, shape), showsOwn), { code: 'UNDRAWN' }, shape)
  }
  const empty = '<< /BBox [0 0 0 0] /Length 1 >>\nstream\n \nendstream'
  const blank = buildPdf({
    pages: [{ extra: `/Annots [${FIRST_EXTRA} 0 R]` }],
    objects: [
      `<< /Subtype /Stamp /Rect [9 9 90 90] /F 4 /AP << /N ${FIRST_EXTRA + 1} 0 R >> >>`,
      empty,
    ],
  })
  t.same(await drawAnnotations(blank, showsOwn), [], 'nothing to cut off')
  const taken = ['[2 0 0 -1 9 9]', '[0 1 -1 0 0 0]', '[.0000001 1 -1 .0000001 0 0]']
  for (const matrix of taken) {
    const shape = `/BBox [300 100 0 0] /Matrix ${matrix}`
    t.same(await drawAnnotations(stamp(4, shape), showsOwn), [], shape)
  }
})
