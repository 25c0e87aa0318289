/** Fields that were filled in after a signature are reported as such; a policy judges them. */
import type { Buffer } from 'node:buffer'
import t, { type Test } from 'tap'
import { validateSignatures } from '../../../pades/validate/validate-signatures.ts'
import { buildPdf, FIRST_EXTRA } from '../../fixtures/pdf.ts'
import { appended, sourceOf, stream, withEntry } from '../../fixtures/revisions.ts'
import { appendSigned, SIGNATURE, withFieldOnPage } from './foreign-signer.ts'
import { OPTIONS, signSample } from './sample.ts'

const PAGE = 10
const CONTENT = 11
const [TEXT, LOOK, BUTTON, ON, OFF] = [0, 1, 2, 3, 4].map((index) => FIRST_EXTRA + index)
const NEW_LOOK = 1950

const form = (content: string, entries = '/BBox [0 0 90 20]') =>
  stream(content).replace('<<', `<< /Type /XObject /Subtype /Form ${entries}`)
const widget = (rectangle: string) =>
  `/Type /Annot /Subtype /Widget /F 4 /P ${PAGE} 0 R ${rectangle}`

const FORM = buildPdf({
  pages: [{ extra: `/Annots [${TEXT} 0 R ${BUTTON} 0 R]` }],
  catalog: `/AcroForm << /Fields [${TEXT} 0 R ${BUTTON} 0 R] /DA (/F1 9 Tf) >>`,
  objects: [
    `<< /FT /Tx /T (price) /V (100) ${widget('/Rect [50 50 140 70]')} /AP << /N ${LOOK} 0 R >> >>`,
    form('0 0 10 10 re f'),
    `<< /FT /Btn /T (agreed) /V /Off /AS /Off ${widget('/Rect [50 80 70 100]')}` +
      ` /AP << /N << /On ${ON} 0 R /Off ${OFF} 0 R >> >> >>`,
    form('0 0 90 20 re f'),
    form(' '),
  ],
})

const signed = await signSample(FORM)
const text = sourceOf(signed, TEXT)
const filled = text.replace('(100)', '(200)').replace(`/N ${LOOK}`, `/N ${NEW_LOOK}`)
const PERMITTING = { ...OPTIONS, permitFormFilling: true }

async function assertFilled(t: Test, file: Buffer, fields: readonly string[]): Promise<void> {
  const refused = await validateSignatures(file, OPTIONS)
  t.equal(refused.policy.formFilling, 'notPermitted')
  t.equal(refused.summary.documentModifiedAfterSigning, 'notPermitted')
  for (const { indication, errors, modifications } of refused.signatures) {
    t.equal(indication, 'INDETERMINATE')
    t.same(
      errors.map(({ key }) => key),
      ['FORM_FILLED_AFTER_SIGNING'],
    )
    t.match(modifications, { level: 'FORM_FILLING', filledFields: fields })
    t.ok(modifications.changes.some(({ permitted }) => !permitted))
  }
  const permitted = await validateSignatures(file, PERMITTING)
  t.equal(permitted.policy.formFilling, 'permitted')
  t.equal(permitted.summary.documentModifiedAfterSigning, 'permitted')
  for (const { indication, warnings } of permitted.signatures) {
    t.equal(indication, 'TOTAL_PASSED')
    t.ok(warnings.some(({ key }) => key === 'FORM_FILLED'))
  }
}

async function assertModified(t: Test, file: Buffer): Promise<void> {
  for (const options of [OPTIONS, PERMITTING]) {
    const { signatures } = await validateSignatures(file, options)
    for (const { errors, modifications } of signatures.slice(0, 3)) {
      t.ok(errors.some(({ key }) => key === 'MODIFIED_AFTER_SIGNING'))
      t.equal(modifications.filledFields, undefined)
    }
  }
}

t.test('a text and a button that were filled in are reported as such', async (t) => {
  const button = sourceOf(signed, BUTTON).replaceAll(/\/(V|AS) \/Off/g, '/$1 /On')
  const look = { [NEW_LOOK]: form('0 0 20 10 re f') }
  await assertFilled(t, appended(signed, { [TEXT]: filled, ...look }), ['price'])
  await assertFilled(t, appended(signed, { [TEXT]: filled, [BUTTON]: button, ...look }), [
    'price',
    'agreed',
  ])
  await assertFilled(t, appended(signed, { [LOOK]: form('0 0 20 10 re f') }), ['price'])
})

const outside = form('Q 0 0 900 900 re f')
const OTHER_CHANGES: Readonly<Record<string, Record<number, string>>> = {
  'the rectangle': { [TEXT]: text.replace('[50 50', '[0 0') },
  'the default appearance': { [TEXT]: withEntry(text, '/DA (/F1 90 Tf)') },
  'the background': { [TEXT]: withEntry(text, '/MK << /BG [0] >>') },
  'an action': { [TEXT]: withEntry(text, '/A << /S /Named /N /Print >>') },
  'an appearance that leaves its box': { [TEXT]: filled, [NEW_LOOK]: outside },
  'an appearance without a box': { [TEXT]: filled, [NEW_LOOK]: form('0 0 9 9 re f', '') },
  'an appearance that is the page': {
    [TEXT]: text.replace(`/N ${LOOK}`, `/N ${CONTENT}`),
    [CONTENT]: form('0 0 9 9 re f'),
  },
  'the page as well': {
    [TEXT]: filled,
    [NEW_LOOK]: form('0 0 20 10 re f'),
    [CONTENT]: stream('0 0 900 900 re f'),
  },
}

for (const [what, objects] of Object.entries(OTHER_CHANGES)) {
  t.test(`a change of ${what} is not a filling`, async (t) => {
    await assertModified(t, appended(signed, objects))
  })
}

for (const [method, parameters] of [
  ['DocMDP', '/P 1'],
  ['FieldMDP', '/Action /Include /Fields [(price)]'],
] as const) {
  t.test(`a field that ${method} locks is not filled in`, async (t) => {
    const transform = `/TransformMethod /${method} /TransformParams << ${parameters} >>`
    const entries = `/Reference [<< /Type /SigRef ${transform} >>]`
    const field = withFieldOnPage(signed, `/Rect [300 50 400 100] /F 4 /V ${SIGNATURE} 0 R`)
    const locked = await appendSigned(signed, field, { entries })
    const file = appended(locked, { [TEXT]: filled, [NEW_LOOK]: form('0 0 20 10 re f') })
    const { signatures } = await validateSignatures(file, PERMITTING)
    const locking = signatures.find(({ fieldName }) => fieldName === 'New')
    t.equal(locking?.indication, 'INDETERMINATE')
    t.match(locking?.modifications, { level: 'OTHER' })
    t.ok(locking?.modifications.changes.some(({ path }) => path === `${TEXT}.${method}`))
    t.ok(
      signatures.some(({ indication }) => indication === 'TOTAL_PASSED'),
      'others do not',
    )
  })
}
