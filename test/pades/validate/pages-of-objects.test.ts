import type { Buffer } from 'node:buffer'
import t from 'tap'
import { validateSignatures } from '../../../pades/validate/validate-signatures.ts'
import { appended, sourceOf, stream, withEntry } from '../../fixtures/revisions.ts'
import { OPTIONS, signSample } from './sample.ts'

/** Object numbers in the sample: the content of its only page, and a font. */
const CONTENT = 11
const FONT = 3
const PAGE = 10
const NEW = 1950

const refusedIn = async (file: Buffer) => {
  const { signatures } = await validateSignatures(file, OPTIONS)
  const changes = signatures.at(-1)?.modifications.changes ?? []
  return changes.filter(({ permitted }) => !permitted).map(({ object, page }) => ({ object, page }))
}

t.test('a change that is not permitted names the page that it is part of', async (t) => {
  const sample = await signSample()
  const text = stream('BT /F1 18 Tf 72 700 Td (You owe me) Tj ET')
  t.same(await refusedIn(appended(sample, { [CONTENT]: text })), [{ object: CONTENT, page: 1 }])
  const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>'
  t.same(await refusedIn(appended(sample, { [FONT]: font })), [{ object: FONT, page: undefined }])
})

t.test('what was added to a changed page says what it is', async (t) => {
  const sample = await signSample()
  const added = async (subtype: string) => {
    const page = sourceOf(sample, PAGE)
    const annotation = `<< /Type /Annot /Subtype /${subtype} /Rect [0 0 9 9] /Contents (No) >>`
    const annots = /\/Annots \[/.test(page)
      ? page.replace('/Annots [', `/Annots [${NEW} 0 R `)
      : withEntry(page, `/Annots [${NEW} 0 R]`)
    const file = appended(sample, { [PAGE]: annots, [NEW]: annotation })
    const { signatures } = await validateSignatures(file, OPTIONS)
    const changes = signatures.at(-1)?.modifications.changes ?? []
    t.match(
      changes.find(({ object }) => object === PAGE),
      { page: 1, part: 'page', permitted: false },
    )
    return changes.find(({ object }) => object === NEW)
  }
  t.match(await added('Text'), { action: 'added', page: 1, part: 'note' })
  t.match(await added('Ink'), { action: 'added', page: 1, part: 'drawing' })
  t.match(await added('Unheard'), { action: 'added', page: 1, part: 'annotation' })
})
