/** Signature fields are filled and added after a signature, in their rectangle and form. */
import t from 'tap'
import { buildPdf } from '../../fixtures/pdf.ts'
import { sourceOf, withEntry } from '../../fixtures/revisions.ts'
import { appendSigned, FIELD, SIGNATURE, withFieldOnPage } from './foreign-signer.ts'
import { signSample } from './sample.ts'
import {
  PAGE,
  RECTANGLE,
  LOOK,
  FIRST,
  SECOND,
  THIRD,
  look,
  assertPassed,
  assertRefused,
} from './later-changes.ts'

const withLook = `/V ${SIGNATURE} 0 R /AP << /N ${LOOK} 0 R >>`

/** A form with an empty field below another one; what is below it is up to the test. */
const nested = (field: string, widget = '', list = FIRST) =>
  signSample(
    buildPdf({
      pages: [{ extra: `/Annots [${widget ? THIRD : SECOND} 0 R]` }],
      catalog: `/AcroForm << /Fields [${list} 0 R] /SigFlags 3 >>`,
      objects: [`<< /T (group) /Kids [${SECOND} 0 R] >>`, field, ...(widget ? [widget] : [])],
    }),
  )

const WIDGET = `/Type /Annot /Subtype /Widget /F 4 ${RECTANGLE} /P ${PAGE} 0 R`

t.test('an empty field below another one is signed', async (t) => {
  const file = await nested(`<< /FT /Sig /T (a) /Parent ${FIRST} 0 R ${WIDGET} >>`)
  const filled = withEntry(sourceOf(file, SECOND), withLook)
  const signed = (source: string) => appendSigned(file, { [SECOND]: source, [LOOK]: look })
  await assertPassed(t, await signed(filled))
  await assertPassed(t, await signed(filled.replace('/F 4', '/F 132')))
  await assertRefused(t, await signed(filled.replace('/F 4', '/F 6')))
  await assertRefused(t, await signed(filled.replace(RECTANGLE, '/Rect [0 0 400 400]')))
})

t.test('an empty field whose widget is an object of its own is signed', async (t) => {
  const file = await nested(
    `<< /FT /Sig /T (a) /Parent ${FIRST} 0 R /Kids [${THIRD} 0 R] >>`,
    `<< ${WIDGET} /Parent ${SECOND} 0 R >>`,
  )
  const field = withEntry(sourceOf(file, SECOND), `/V ${SIGNATURE} 0 R`)
  const widget = withEntry(sourceOf(file, THIRD), `/AP << /N ${LOOK} 0 R >>`)
  const signed = (objects: Record<number, string>) =>
    appendSigned(file, { [SECOND]: field, [THIRD]: widget, [LOOK]: look, ...objects })
  await assertPassed(t, await signed({}))
  await assertRefused(t, await signed({ [THIRD]: widget.replace(RECTANGLE, '/Rect [0 0 9 9]') }))
  await assertRefused(t, await signed({ [THIRD]: withEntry(widget, '/MK << /BG [0] >>') }))
  await assertRefused(t, await signed({ [SECOND]: withEntry(field, '/DA (/F1 9 Tf)') }))
  await assertRefused(t, await signed({ [SECOND]: sourceOf(file, SECOND) }))
})

t.test('a new field may have a widget that is an object of its own', async (t) => {
  const file = await signSample()
  const widget = FIELD + 5
  const objects = withFieldOnPage(file, '')
  const signed = (ofWidget: string, ofField = '', page = objects[PAGE]) =>
    appendSigned(file, {
      ...objects,
      [PAGE]: page.replace(`${FIELD} 0 R`, `${widget} 0 R`),
      [FIELD]: `<< /FT /Sig /T (New) /Kids [${widget} 0 R] /V ${SIGNATURE} 0 R ${ofField} >>`,
      [widget]: `<< ${WIDGET} /AP << /N ${LOOK} 0 R >> ${ofWidget} >>`,
      [LOOK]: look,
    })
  const parent = `/Parent ${FIELD} 0 R`
  await assertPassed(t, await signed(parent))
  await assertRefused(t, await signed(`/Parent ${PAGE} 0 R`))
  await assertRefused(t, await signed(`${parent} /T (Other)`))
  await assertRefused(t, await signed(`${parent} /A << /S /Named >>`))
  await assertRefused(t, await signed(parent, '/Rect [0 0 400 400]'))
  const both = objects[PAGE].replace(`${FIELD} 0 R`, `${FIELD} 0 R ${widget} 0 R`)
  await assertRefused(t, await signed(parent, '', both.replace(`${FIELD} 0 R`, `${PAGE} 0 R`)))
})

t.test('a page that is a field as well does not become an annotation', async (t) => {
  const file = await signSample(
    buildPdf({
      pages: [{}, { extra: `/FT /Sig /T (a) /Subtype /Widget ${RECTANGLE}` }],
      catalog: '/AcroForm << /Fields [12 0 R] /SigFlags 3 >>',
    }),
  )
  const page = withEntry(sourceOf(file, 12), `/V ${SIGNATURE} 0 R`)
  await assertRefused(t, await appendSigned(file, { 12: page }))
})
