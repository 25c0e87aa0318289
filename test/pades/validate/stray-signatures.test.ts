/** A signature that some readers show is reported, also where the form does not lead to it. */
import type { Buffer } from 'node:buffer'
import t from 'tap'
import { validateSignatures } from '../../../pades/validate/validate-signatures.ts'
import { buildPdf } from '../../fixtures/pdf.ts'
import { appended, sourceOf, withEntry } from '../../fixtures/revisions.ts'
import { appendSigned, FIELD, SIGNATURE, withFieldOnPage } from './foreign-signer.ts'
import { OPTIONS, signSample } from './sample.ts'

const RECTANGLE = '/Rect [10 10 60 60]'
const VALUE = `/V ${SIGNATURE} 0 R`
const PAGE = 10
/** Number of the widget below a field. */
const WIDGET = 1901

const sample = await signSample()
const usual = withFieldOnPage(sample, `${RECTANGLE} ${VALUE}`)
const FORM = Object.keys(usual)
  .map(Number)
  .find((number) => number !== PAGE && number !== FIELD) as number

/** A field with a widget of its own, and what each of them has. */
function withWidget(field: string, widget: string): Record<number, string> {
  return {
    ...usual,
    [PAGE]: usual[PAGE]!.replace(`${FIELD} 0 R`, `${WIDGET} 0 R`),
    [FIELD]: `<< /T (New) /Kids [${WIDGET} 0 R] ${field} >>`,
    [WIDGET]:
      `<< /Type /Annot /Subtype /Widget /P ${PAGE} 0 R ${RECTANGLE}` +
      ` /Parent ${FIELD} 0 R ${widget} >>`,
  }
}

async function reportsOn(file: Buffer) {
  const { signatures } = await validateSignatures(file, OPTIONS)
  return signatures.map(({ fieldName, indication, integrity, errors }) => ({
    fieldName,
    indication,
    isRight: integrity.digestMatch === true && integrity.signatureValueValid === true,
    errors: errors.map(({ key }) => key),
  }))
}

const STRAY = {
  fieldName: 'New',
  indication: 'INDETERMINATE',
  isRight: true,
  errors: ['SIGNATURE_ODDLY_WRITTEN'],
}

t.test('a signature to which the form does not lead does not pass, and is reported', async (t) => {
  const { [FORM]: form, ...onPage } = usual
  t.ok(form, 'the form has the usual one')
  const changes: Record<string, Record<number, string>> = {
    'a field of the page alone': onPage,
    'a widget that has the value alone': withWidget('/FT /Sig', VALUE),
    'a field whose widget has the type': withWidget(VALUE, '/FT /Sig'),
  }
  for (const [name, objects] of Object.entries(changes)) {
    const reports = await reportsOn(await appendSigned(sample, objects))
    t.equal(reports.length, 4, name)
    t.same(reports.at(-1), STRAY, name)
    for (const { errors } of reports.slice(0, -1)) {
      t.same(errors, ['MODIFIED_AFTER_SIGNING'], `${name}: it excuses no change`)
    }
  }
})

t.test('a document without a form', async (t) => {
  const original = buildPdf()
  const objects = {
    [PAGE]: withEntry(sourceOf(original, PAGE), `/Annots [${FIELD} 0 R]`),
    [FIELD]: `<< /FT /Sig /T (New) /Type /Annot /Subtype /Widget ${RECTANGLE} ${VALUE} >>`,
  }
  t.same(await reportsOn(await appendSigned(original, objects)), [STRAY])
})

t.test('a signature is found however its byte range is spelled', async (t) => {
  const original = buildPdf()
  for (const key of ['Byte#52ange', 'By#74eRange', 'Byt#65Range', 'ByteRa#6Ege']) {
    const file = appended(original, {
      [PAGE]: withEntry(sourceOf(original, PAGE), `/Annots [${FIELD} 0 R]`),
      [FIELD]: `<< /FT /Sig /T (New) /Type /Annot /Subtype /Widget ${RECTANGLE} ${VALUE} >>`,
      [SIGNATURE]: `<< /Type /Sig /${key} [0 10 20 30] /Contents <00> >>`,
    })
    const [stray, ...others] = await reportsOn(file)
    t.match(stray, { fieldName: 'New', isRight: false }, key)
    t.same(others, [])
  }
})

t.test('two fields with one signature hide no other one', async (t) => {
  const original = buildPdf()
  const widget = `/Type /Annot /Subtype /Widget ${RECTANGLE}`
  const file = appended(original, {
    1: withEntry(sourceOf(original, 1), `/AcroForm << /Fields [${WIDGET} 0 R 1902 0 R] >>`),
    [PAGE]: withEntry(sourceOf(original, PAGE), `/Annots [${FIELD} 0 R]`),
    [FIELD]: `<< /FT /Sig /T (New) ${widget} ${VALUE} >>`,
    [SIGNATURE]: '<< /Type /Sig /ByteRange [0 10 20 30] /Contents <00> >>',
    [WIDGET]: '<< /FT /Sig /T (One) /V 1903 0 R >>',
    1902: '<< /FT /Sig /T (Other) /V 1903 0 R >>',
    1903: '<< /Type /Sig /ByteRange [0 10 20 30] /Contents <00> >>',
  })
  const names = (await reportsOn(file)).map(({ fieldName }) => fieldName)
  t.same(names.toSorted(), ['New', 'One', 'Other'])
})

t.test('what the form leads to is reported once', async (t) => {
  const passed = (reports: Awaited<ReturnType<typeof reportsOn>>) =>
    reports.map(({ fieldName, indication }) => [fieldName, indication])
  const all = ['Janka', 'Lubos', 'Seal', 'New'].map((name) => [name, 'TOTAL_PASSED'])
  t.same(passed(await reportsOn(await appendSigned(sample, usual))), all)
  const inField = withWidget(`/FT /Sig ${VALUE}`, '')
  t.same(passed(await reportsOn(await appendSigned(sample, inField))), all)
  const [, , , own] = await reportsOn(await appendSigned(sample, usual, { isDirect: true }))
  t.match(own, { fieldName: 'New', indication: 'TOTAL_PASSED' })
})
