/** Defaults of a form may change after a signature where no field uses them. */
import type { Buffer } from 'node:buffer'
import t from 'tap'
import { buildPdf } from '../../fixtures/pdf.ts'
import { appended, referenceIn, sourceOf, stream } from '../../fixtures/revisions.ts'
import { signSample } from './sample.ts'
import { PAGE, CATALOG, FIRST, SECOND, assertPassed, assertRefused } from './later-changes.ts'

t.test('defaults of a form change where no field uses them', async (t) => {
  const changed = async (field: string): Promise<Buffer> => {
    const file = await signSample(
      buildPdf({
        catalog: `/AcroForm << /Fields [${field}] /DA (/A 0 Tf) /DR ${SECOND} 0 R >>`,
        objects: [
          `<< /FT /Tx /T (t) /Subtype /Widget /Rect [0 0 9 9] /P ${PAGE} 0 R /V (x) >>`,
          '<< /Font << >> >>',
        ],
      }),
    )
    const form = referenceIn(sourceOf(file, CATALOG), 'AcroForm')
    const owner = Number.isNaN(form) ? CATALOG : form
    const other = sourceOf(file, owner).replace('(/A 0 Tf)', '(/B 0 Tf)')
    return appended(file, { [owner]: other, [SECOND]: '<< /Font << /B 3 0 R >> >>' })
  }
  await assertPassed(t, await changed(''))
  await assertRefused(t, await changed(`${FIRST} 0 R`))
})

const FORM = FIRST + 2
const LOOK = FIRST + 3
const NEW_FONT = 1950

/** A form of one text field, which the changes make another one, signed and then changed. */
async function withLaterForm(
  later: (form: string) => string,
  { field = '/DA (/F1 9 Tf)', look = `/AP << /N ${LOOK} 0 R >>` } = {},
): Promise<Buffer> {
  const widget = `/Type /Annot /Subtype /Widget /Rect [50 50 140 70] /P ${PAGE} 0 R ${look}`
  const file = await signSample(
    buildPdf({
      pages: [{ extra: `/Annots [${FIRST} 0 R]` }],
      catalog: `/AcroForm ${FORM} 0 R`,
      objects: [
        `<< /FT /Tx /T (t) /V (x) ${field} ${widget} >>`,
        'null',
        `<< /Fields [${FIRST} 0 R] /DA (/F1 0 Tf) /DR << /Font << /F1 3 0 R >> >> >>`,
        stream('0 0 9 9 re f').replace('<<', '<< /Type /XObject /Subtype /Form /BBox [0 0 90 20]'),
      ],
    }),
  )
  return appended(file, {
    [FORM]: later(sourceOf(file, FORM)),
    [NEW_FONT]: '<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>',
  })
}

const addFont =
  (name: string) =>
  (form: string): string =>
    form.replace('/F1 3 0 R', `/F1 3 0 R /${name} ${NEW_FONT} 0 R`)

t.test('default resources may get fonts that no field names', async (t) => {
  await assertPassed(t, await withLaterForm(addFont('Helv')))
  await assertPassed(t, await withLaterForm(addFont('Helv'), { field: '' }))
  const encoding = (form: string) => form.replace('/DR <<', '/DR << /Encoding << >>')
  await assertPassed(t, await withLaterForm(encoding))
  await assertRefused(t, await withLaterForm((form) => form.replace('/F1 3', `/F1 ${NEW_FONT}`)))
  await assertRefused(t, await withLaterForm((form) => form.replace('/F1 3 0 R', '')))
  for (const name of ['/Helv', '/H#65lv', '/F1 9 Tf /Helv']) {
    await assertRefused(t, await withLaterForm(addFont('Helv'), { field: `/DA (${name} 9 Tf)` }))
  }
  await assertRefused(t, await withLaterForm(addFont('Helv'), { look: '' }))
  const pattern = (form: string) => form.replace('/DR <<', '/DR << /Pattern << >>')
  await assertRefused(t, await withLaterForm(pattern))
})

t.test('the default appearance may change where each field has its own', async (t) => {
  const other = (form: string) => form.replace('(/F1 0 Tf)', '(/F1 20 Tf 1 g)')
  await assertPassed(t, await withLaterForm(other))
  await assertRefused(t, await withLaterForm(other, { field: '' }))
  await assertRefused(t, await withLaterForm(other, { look: '' }))
})
