/** Signers see the values of form fields that have no appearance. */
import { Buffer } from 'node:buffer'
import t from 'tap'
import { openWorld, person } from '../../conformance/world.ts'
import { buildPdf, FIRST_EXTRA } from '../../fixtures/pdf.ts'
import { closeTab, DEVICES, needsChromium, openBrowser, openTab } from '../browser.ts'
import { opened } from '../cases.ts'

t.setTimeout(600_000)

/** A page with a text field below its text. */
function withField(value: string): Buffer {
  const font = '<< /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>'
  const area = '/Rect [100 300 400 400] /F 4 /DA (/F1 60 Tf 0 g)'
  const pdf = buildPdf({
    catalog: `/AcroForm << /Fields [${FIRST_EXTRA} 0 R] /DR ${font} >>`,
    pages: [{ extra: `/Annots [${FIRST_EXTRA} 0 R]` }],
    objects: [`<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /V (${value}) ${area} >>`],
  })
  return Buffer.from(pdf)
}

t.test('the value of a field without an appearance is shown', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openWorld(t)
  for (const [value, isShown] of [
    ['12345', true],
    ['', false],
  ] as const) {
    const participants = [person({ language: 'en', signatureFields: [] })]
    const signatureCase = await opened(world, { participants }, withField(value))
    const tab = await openTab(browser, DEVICES.phone)
    const { page } = tab
    await page.goto(signatureCase.participants[0].signerUrl)
    await page.locator('.page canvas').first().waitFor()
    const dark = await page
      .locator('.page canvas')
      .first()
      .evaluate((element) => {
        const canvas = element as unknown as {
          width: number
          height: number
          getContext(kind: '2d'): {
            getImageData(x: number, y: number, width: number, height: number): { data: Uint8Array }
          }
        }
        const { width, height } = canvas
        // The lower part of the page, where the field is.
        const [top, rows] = [Math.floor(height * 0.5), Math.floor(height * 0.3)]
        const { data } = canvas.getContext('2d').getImageData(0, top, width, rows)
        let count = 0
        for (let at = 0; at < data.length; at += 4) if ((data[at] ?? 255) < 100) count += 1
        return count
      })
    t.equal(dark > 100, isShown, `${dark} dark pixels for “${value}”`)
    await closeTab(t, tab, world.url)
  }
})
