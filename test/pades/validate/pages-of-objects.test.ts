import type { Buffer } from 'node:buffer'
import t from 'tap'
import { validateSignatures } from '../../../pades/validate/validate-signatures.ts'
import { appended, stream } from '../../fixtures/revisions.ts'
import { OPTIONS, signSample } from './sample.ts'

/** Object numbers in the sample: the content of its only page, and a font. */
const CONTENT = 11
const FONT = 3

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
