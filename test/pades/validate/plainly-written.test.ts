/** Signatures that some readers find, or find with other entries, and others do not. */
import type { Buffer } from 'node:buffer'
import t from 'tap'
import { validateSignatures } from '../../../pades/validate/validate-signatures.ts'
import { buildPdf } from '../../fixtures/pdf.ts'
import { appendSigned, FIELD, SIGNATURE, withFieldOnPage } from './foreign-signer.ts'
import { OPTIONS } from './sample.ts'

const original = buildPdf({
  pages: [{ extra: '/Annots []' }],
  catalog: '/AcroForm << /Fields [] >>',
})

/** Signs with further entries in the field and in the signature dictionary. */
async function signed(field: string, options: Parameters<typeof appendSigned>[2] = {}) {
  const widget = `/Rect [0 0 0 0] /F 132 /V ${SIGNATURE} 0 R ${field}`
  return appendSigned(original, withFieldOnPage(original, widget), options)
}

/** Signs in a field below another one, which has the value. */
async function inherited() {
  const above = FIELD + 1
  const widget = `/Rect [0 0 0 0] /F 132 /Parent ${above} 0 R`
  const { 1: catalog = '', ...objects } = withFieldOnPage(original, widget)
  return appendSigned(original, {
    ...objects,
    1: catalog.replace(`${FIELD} 0 R`, `${above} 0 R`),
    [above]: `<< /FT /Sig /T (Above) /V ${SIGNATURE} 0 R /Kids [${FIELD} 0 R] >>`,
  })
}

async function lastOf(file: Buffer) {
  const { signatures } = await validateSignatures(file, OPTIONS)
  return signatures.at(-1)
}

const ODD: Readonly<Record<string, () => Promise<Buffer>>> = {
  'the value of the field is there twice': () => signed('/V null'),
  'the name of the field is there twice': () => signed('/T (Other)'),
  'the kind of signature is there twice': () =>
    signed('', { entries: '/SubFilter /adbe.pkcs7.detached' }),
  'a token is where no token is allowed': () => signed('', { entries: '> /X 1' }),
  'the dictionary belongs to a stream': () =>
    signed('', { entries: '/Length 1', behind: '\nstream\nx\nendstream' }),
  'the byte range is of real numbers': () => signed('', { spellRange: (range) => `${range}.0` }),
  'the byte range has a sign': () => signed('', { spellRange: (range) => `+${range}` }),
  'the field inherits its value': inherited,
  'the byte range in the field itself is of real numbers': () =>
    signed('', { isDirect: true, spellRange: (range) => `${range}.0` }),
  'the byte range has a comment': () => signed('', { spellRange: (range) => `${range}%\n` }),
}

for (const [what, make] of Object.entries(ODD)) {
  t.test(`a signature does not pass when ${what}`, async (t) => {
    t.match(await lastOf(await make()), {
      indication: 'INDETERMINATE',
      errors: [{ key: 'SIGNATURE_ODDLY_WRITTEN' }],
      integrity: { digestMatch: true, signatureValueValid: true },
    })
  })
}

t.test('a signature passes that is written by the letter', async (t) => {
  t.match(await lastOf(await signed('')), { indication: 'TOTAL_PASSED' })
  t.match(await lastOf(await signed('', { isDirect: true })), { indication: 'TOTAL_PASSED' })
  const nested = { entries: '/X << /ByteRange [0 1 2 3] /Contents <00> >>' }
  t.match(await lastOf(await signed('', nested)), { indication: 'TOTAL_PASSED' })
})
