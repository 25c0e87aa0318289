/**
 * Issue 16: values of form fields neither vanish nor change when a document is signed, whatever
 * appearance they have.
 */
import { Buffer } from 'node:buffer'
import process from 'node:process'
import t from 'tap'
import { DenoPdfSandbox } from '../../../adapters/pdf-sandbox/pdf-sandbox.ts'
import { PageComparer } from '../../../dev/compare-pages/compare-document.ts'
import { FORESEEN } from '../../../dev/fuzz/viewers/documents.ts'
import { missingPrograms } from '../../../dev/fuzz/viewers/renderers.ts'
import { buildPdf, FIRST_EXTRA } from '../../fixtures/pdf.ts'
import { sharedReader } from '../../fixtures/shared-reader.ts'

t.setTimeout(600_000)
const sandbox = new DenoPdfSandbox({ reader: sharedReader() })
const comparer = new PageComparer(sandbox)
t.teardown(() => comparer.close())

const missing = missingPrograms()
const skip =
  missing.length > 0 && process.env.CI !== 'true' ? `not installed: ${missing.join(', ')}` : false

const FIELD = FIRST_EXTRA
const KID = FIRST_EXTRA + 1
const LOOK = FIRST_EXTRA + 2
const OTHER_LOOK = FIRST_EXTRA + 3
const HELVETICA = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'
const FONTS = `/DR << /Font << /F1 ${HELVETICA} >> >>`
const WIDGET = '/Type /Annot /Subtype /Widget /F 4 /Rect [100 600 400 660]'
const DA = '/DA (/F1 20 Tf 0 g)'
const [RADIO, COMBO, COMB] = [1 << 15, 1 << 17, 1 << 24]
const STATES = `/AP << /N << /On ${LOOK} 0 R /Off ${OTHER_LOOK} 0 R >> >>`
const NEEDED = '/NeedAppearances true'

const look = (content: string): string =>
  '<< /Type /XObject /Subtype /Form /BBox [0 0 300 60]' +
  ` /Resources << /Font << /F1 ${HELVETICA} >> >> /Length ${content.length} >>` +
  `\nstream\n${content}\nendstream`

interface Form {
  /** Entries of the field, and of its widget when that is an object of its own. */
  field: string
  kid?: string
  /** Entries of the form. */
  form?: string
  /** What the appearance draws instead of a black bar. */
  drawn?: string
}

/** A page with one form field. */
function documentWith({ field, kid, form = '', drawn = '0 g 10 10 200 40 re f' }: Form): Buffer {
  const isApart = kid !== undefined
  const own = isApart ? `/Kids [${KID} 0 R]` : WIDGET
  const pdf = buildPdf({
    catalog: `/AcroForm << /Fields [${FIELD} 0 R] ${FONTS} ${form} >>`,
    pages: [{ extra: `/Annots [${isApart ? KID : FIELD} 0 R]` }],
    objects: [
      `<< /T (Amount) ${own} ${field} >>`,
      `<< ${WIDGET} /Parent ${FIELD} 0 R ${kid ?? ''} >>`,
      look(drawn),
      look('0.5 g 0 0 20 20 re f'),
    ],
  })
  return Buffer.from(pdf)
}

const STALE = `/AP << /N ${LOOK} 0 R >>`
const OLD = 'BT /F1 20 Tf 5 20 Td (old) Tj ET'
const COLOURS = '/Opt [[(r) (Red)] [(g) (Green)]]'

/** What pdf.js draws, as a part of the appearance that revision 1 gets. */
const DRAWN: Readonly<Record<string, Form & { shows: string }>> = {
  'a text': { field: `/FT /Tx /V (text) ${DA}`, shows: '(text) Tj' },
  'a text over the one that was there': {
    field: `/FT /Tx /V (new) ${DA} ${STALE}`,
    form: NEEDED,
    drawn: OLD,
    shows: '(new) Tj',
  },
  'a removed text': { field: `/FT /Tx ${DA} ${STALE}`, form: NEEDED, drawn: OLD, shows: '' },
  'a text in cells': {
    field: `/FT /Tx /V (ABC) ${DA} /MaxLen 6 /Ff ${COMB} /MK << /BC [0] >>`,
    shows: '(B) Tj',
  },
  'several lines': { field: `/FT /Tx /V (one\\rtwo) ${DA} /Ff ${1 << 12}`, shows: '(two) Tj' },
  'a centred text': { field: `/FT /Tx /V (text) ${DA} /Q 1`, shows: '(text) Tj' },
  'a text whose appearance the form decides': {
    field: '/FT /Tx /V (text)',
    form: `${DA} /Q 2`,
    shows: '(text) Tj',
  },
  'a text whose entries are inherited': {
    field: `/FT /Tx /V (text) ${DA} /Q 2`,
    kid: '',
    shows: '(text) Tj',
  },
  'an inherited text over the one that was there': {
    field: `/FT /Tx /V (text) ${DA}`,
    kid: STALE,
    form: NEEDED,
    drawn: OLD,
    shows: '(text) Tj',
  },
  'a text with formatting': {
    field: `/FT /Tx /V (text) /RV (<p>text</p>) /Ff ${1 << 25} ${DA}`,
    shows: '(text) Tj',
  },
  'a frame alone': { field: `/FT /Tx ${DA} /MK << /BC [0] /BG [0.8] >>`, shows: 're f' },
  'a default value': { field: `/FT /Tx /DV (text) ${DA}`, shows: '(text) Tj' },
  'a choice': { field: `/FT /Ch /Ff ${COMBO} ${COLOURS} /V (g) ${DA}`, shows: '(Green) Tj' },
  'a list with a choice': { field: `/FT /Ch ${COLOURS} /V (g) ${DA}`, shows: '(Green) Tj' },
  'a list without a choice': { field: `/FT /Ch ${COLOURS} ${DA}`, shows: '(Green) Tj' },
  'nothing chosen': {
    field: `/FT /Ch /Ff ${COMBO} ${COLOURS} ${DA} ${STALE}`,
    form: NEEDED,
    drawn: OLD,
    shows: '',
  },
  'a checked box': {
    field: '/FT /Btn /V /Yes /AS /Yes /MK << /CA (4) >> /DA (/ZaDb 0 Tf 0 g)',
    shows: '(4) Tj',
  },
}

for (const [name, { shows, ...form }] of Object.entries(DRAWN)) {
  t.test(`${name} is signed as it was shown`, { skip }, async (t) => {
    const original = documentWith(form)
    const { pages, different, drawn } = await comparer.compare(original)
    t.equal(pages, 1)
    const [{ appearance } = {}] = drawn
    t.match(appearance?.content, shows === '' ? /^(?!.*Tj)/s : shows)
    t.notMatch(appearance?.entries, 'FallbackType')
    t.strictSame([...different.values()], [])
  })
}

/** The state that pdf.js shows, when the document names none that has an appearance. */
const CHOSEN: Readonly<Record<string, Form & { state: string }>> = {
  'a value without a state': { field: `/FT /Btn /V /On ${STATES}`, state: '/On' },
  'a state without an appearance': { field: `/FT /Btn /V /No /AS /No ${STATES}`, state: '/Off' },
  'an inherited value': { field: `/FT /Btn /Ff ${RADIO} /V /On`, kid: STATES, state: '/On' },
}

for (const [name, { state, ...form }] of Object.entries(CHOSEN)) {
  t.test(`${name} gets the state that signers saw`, { skip }, async (t) => {
    const original = documentWith(form)
    const { different, drawn } = await comparer.compare(original)
    t.match(drawn, [{ entries: { AS: state } }])
    t.strictSame([...different.values()], [])
  })
}

t.test('a text in a font that the form lacks is written in Helvetica', { skip }, async (t) => {
  const original = documentWith({ field: '/FT /Tx /V (Z\\374rich) /DA (/Helv 20 Tf 0 g)' })
  const { different, drawn } = await comparer.compare(original)
  t.match(drawn, [{ appearance: { content: 'Z\u00fcrich', entries: 'WinAnsi' } }])
  // Before, pdf.js takes the sans serif font of the device.
  const others = [...different.values()].flat().filter((one) => !one.startsWith('pdf.js draws'))
  t.strictSame(others, [])
})

t.test('what has an appearance and is not to be drawn anew keeps it', { skip }, async (t) => {
  for (const field of [`/FT /Tx /V (new) ${DA} ${STALE}`, `/FT /Btn /V /On /AS /Off ${STATES}`]) {
    const original = documentWith({ field, drawn: OLD })
    const { pages, different, drawn } = await comparer.compare(original)
    t.strictSame([pages, [...different.values()], drawn], [1, [], []])
  }
})

t.test('a text that cannot be measured or written is refused, with its page', async (t) => {
  const reason = /form field on page 1 differently/
  // pdf.js cannot measure a font without a name, and Helvetica has no such letter.
  for (const field of ['/FT /Tx /V (text)', `/FT /Tx /V <FEFF4E2D> ${DA}`]) {
    const verdict = await sandbox.inspect(documentWith({ field }), FORESEEN)
    t.match(verdict, { outcome: 'rejected', reason })
  }
})
