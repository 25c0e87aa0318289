/**
 * An object that has a second role when it is signed: what a rule permits for the one role must not
 * change what the other one shows.
 */
import { Buffer } from 'node:buffer'
import t, { type Test } from 'tap'
import { validateSignatures } from '../../../pades/validate/validate-signatures.ts'
import { appendRevision, buildPdf, FIRST_EXTRA, startXref } from '../../fixtures/pdf.ts'
import { sourceOf, stream, withEntry } from '../../fixtures/revisions.ts'
import { appendSigned, SIGNATURE, withFieldOnPage } from './foreign-signer.ts'
import { OPTIONS, signSample } from './sample.ts'

const PAGE = 10
const CONTENT = 11
/** A number that the signed file refers to and does not have. */
const MISSING = 950
const BLACK = '0 g 0 0 600 850 re f'
const NO_SIZE = '/Rect [0 0 0 0]'

const form = (text: string) =>
  stream(text).replace('<<', '<< /Type /XObject /Subtype /Form /BBox [0 0 600 850]')

/** `Size` before signing, and after it. */
const SIZE = 1_100
const LATER_SIZE = 2_001

/** A revision whose trailer names the information dictionary. */
function withInformation(
  file: Buffer,
  information: number,
  objects: Record<number, string>,
  size = LATER_SIZE,
) {
  const trailer = `/Size ${size} /Root 1 0 R /Info ${information} 0 R /Prev ${startXref(file)}`
  return appendRevision(file, objects, trailer)
}

/** A page with entries of its own in place of its content. */
function pdfWithPage(extra: string, objects: readonly string[] = [], catalog = ''): Buffer {
  const file = buildPdf({ pages: [{ extra }], objects, catalog }).toString('latin1')
  if (!extra.includes('/Contents')) return Buffer.from(file, 'latin1')
  return Buffer.from(file.replace(`/Contents ${CONTENT} 0 R`, `/Unused_1 ${CONTENT} 0 R`), 'latin1')
}

async function assertRefused(t: Test, file: Buffer): Promise<void> {
  const { signatures, summary } = await validateSignatures(file, OPTIONS)
  const [first] = signatures
  t.equal(first?.integrity.digestMatch, true)
  t.not(first?.indication, 'TOTAL_PASSED')
  t.equal(summary.documentModifiedAfterSigning, 'notPermitted')
}

const harmless = withFieldOnPage

t.test('a page that lists a field without size passes', async (t) => {
  const file = await signSample()
  const changed = withInformation(file, 4, harmless(file, NO_SIZE))
  for (const { indication } of (await validateSignatures(changed, OPTIONS)).signatures) {
    t.equal(indication, 'TOTAL_PASSED')
  }
})

t.test('an annotation that was missing does not come with its page', async (t) => {
  const file = await signSample(pdfWithPage(`/Annots [${MISSING} 0 R]`))
  const note = '<< /Type /Annot /Subtype /Stamp /F 4 /Rect [0 0 590 840] /AP << /N 951 0 R >> >>'
  const objects = { ...harmless(file, NO_SIZE), [MISSING]: note, 951: form(BLACK) }
  await assertRefused(t, withInformation(file, 4, objects))
})

t.test('content that is the information dictionary too does not change', async (t) => {
  const file = await signSample(withInformation(buildPdf(), CONTENT, {}, SIZE))
  const old = sourceOf(file, CONTENT)
  const [text = ''] = /(?<=stream\n)[^]*(?=\nendstream)/.exec(old) ?? []
  const changed = old.replace(text, BLACK.padEnd(text.length))
  await assertRefused(t, withInformation(file, CONTENT, { [CONTENT]: changed }))
})

t.test('a page does not become the information dictionary', async (t) => {
  const original = buildPdf()
  const evil = sourceOf(original, PAGE).replace(`${CONTENT} 0 R`, '1001 0 R')
  const objects = { 1000: evil, 1001: stream(BLACK) }
  const prepared = withInformation(original, 1000, objects, SIZE)
  const file = await signSample(prepared)
  await assertRefused(t, withInformation(file, PAGE, { [PAGE]: evil }))
})

t.test('a page does not become the form', async (t) => {
  const original = buildPdf()
  const page = sourceOf(original, PAGE).replace(`${CONTENT} 0 R`, '1001 0 R')
  const objects = {
    1: withEntry(sourceOf(original, 1), '/AcroForm 1000 0 R'),
    1000: withEntry(page, '/Fields []'),
    1001: stream(BLACK),
  }
  const file = await signSample(withInformation(original, 4, objects, SIZE))
  const catalog = sourceOf(file, 1).replace('/AcroForm 1000 0 R', `/AcroForm ${PAGE} 0 R`)
  await assertRefused(t, withInformation(file, 4, { 1: catalog, [PAGE]: sourceOf(file, 1000) }))
})

t.test('the information dictionary that lists what is painted keeps its entries', async (t) => {
  const objects = [stream('/Producer Do'), form(BLACK), `<< /Producer ${FIRST_EXTRA + 1} 0 R >>`]
  const page = `/Contents ${FIRST_EXTRA} 0 R /Resources << /XObject ${FIRST_EXTRA + 2} 0 R >>`
  const original = pdfWithPage(page, objects)
  const file = await signSample(withInformation(original, FIRST_EXTRA + 2, {}, SIZE))
  const changed = { [FIRST_EXTRA + 2]: '<< /Producer (x) >>' }
  await assertRefused(t, withInformation(file, FIRST_EXTRA + 2, changed))
})

t.test('certificates that are the content of a page too do not grow', async (t) => {
  const store = `<< /Type /DSS /Certs ${FIRST_EXTRA} 0 R >>`
  const original = pdfWithPage(
    `/Contents ${FIRST_EXTRA} 0 R`,
    [`[${CONTENT} 0 R]`, store],
    `/DSS ${FIRST_EXTRA + 1} 0 R`,
  )
  const file = await signSample(original)
  const grown = { [FIRST_EXTRA]: `[${CONTENT} 0 R ${MISSING} 0 R]`, [MISSING]: stream(BLACK) }
  await assertRefused(t, withInformation(file, 4, { ...harmless(file, NO_SIZE), ...grown }))
})

const EMPTY_FIELD = `<< /FT /Sig /T (a) /Type /Annot /Subtype /Widget ${NO_SIZE} >>`
const FILLED_FIELD = withEntry(EMPTY_FIELD, `/V ${SIGNATURE} 0 R`)
const FIELDS = `/AcroForm << /Fields [${FIRST_EXTRA} 0 R] /SigFlags 3 >>`

t.test('a field without a second role can be filled', async (t) => {
  const file = await signSample(pdfWithPage('', [EMPTY_FIELD], FIELDS))
  const filled = await appendSigned(file, { [FIRST_EXTRA]: FILLED_FIELD })
  for (const { indication } of (await validateSignatures(filled, OPTIONS)).signatures) {
    t.equal(indication, 'TOTAL_PASSED')
  }
})

t.test('a field that is the content of a page is not filled', async (t) => {
  const text = 'BT /F1 18 Tf 72 700 Td (Honest text) Tj ET'
  const field = stream(text).replace('<<', `<< /FT /Sig /T (a) ${NO_SIZE}`)
  const file = await signSample(pdfWithPage(`/Contents ${FIRST_EXTRA} 0 R`, [field], FIELDS))
  const filled = field
    .replace('<<', `<< /V ${SIGNATURE} 0 R`)
    .replace(text, BLACK.padEnd(text.length))
  await assertRefused(t, await appendSigned(file, { [FIRST_EXTRA]: filled }))
})

/** Resources of which the field is one table: its value is then a resource named V. */
const RESOURCES = `/Resources << /XObject ${FIRST_EXTRA} 0 R /ExtGState ${FIRST_EXTRA} 0 R >>`
const USES_VALUE = 'q /V gs 0 g 100 100 300 300 re f Q /V Do'

t.test('a signature is not a graphics state and no form of a page', async (t) => {
  const page = `/Contents ${FIRST_EXTRA + 1} 0 R ${RESOURCES}`
  const file = await signSample(pdfWithPage(page, [EMPTY_FIELD, stream(USES_VALUE)], FIELDS))
  const objects = { [FIRST_EXTRA]: FILLED_FIELD }
  await assertRefused(t, await appendSigned(file, objects, { entries: '/ca 0' }))
  const entries = `/Subtype /Form /BBox [0 0 600 850] /Length ${BLACK.length}`
  const behind = `\nstream\n${BLACK}\nendstream`
  await assertRefused(t, await appendSigned(file, objects, { entries, behind }))
})

t.test('a signature that is a stream is not permitted', async (t) => {
  const file = await signSample(pdfWithPage('', [EMPTY_FIELD], FIELDS))
  const entries = `/Subtype /Form /BBox [0 0 600 850] /Length ${BLACK.length}`
  const behind = `\nstream\n${BLACK}\nendstream`
  const objects = { [FIRST_EXTRA]: FILLED_FIELD }
  await assertRefused(t, await appendSigned(file, objects, { entries, behind }))
})
