/** Who places fields sees the values of form fields that have no appearance, as signers do. */
import { Buffer } from 'node:buffer'
import t from 'tap'
import { buildPdf, FIRST_EXTRA } from '../../fixtures/pdf.ts'
import { closeTab, needsChromium } from '../browser.ts'
import { openDesk } from '../console/desk.ts'

t.setTimeout(600_000)

/** Dark pixels of large digits. */
const ENOUGH = 100
/** Whether the lower part of the page, where only the field is, has them; runs in the page. */
const hasDigits = (enough: number) => {
  const canvas = document.querySelector<HTMLCanvasElement>('.sheet canvas')
  if (!canvas) return false
  const [top, rows] = [Math.floor(canvas.height * 0.5), Math.floor(canvas.height * 0.3)]
  const { data } = canvas.getContext('2d')!.getImageData(0, top, canvas.width, rows)
  let dark = 0
  for (let at = 0; at < data.length; at += 4) if (data[at]! < 100 && data[at + 3]! > 0) dark += 1
  return dark >= enough
}

/** A page with a text field below its text. */
function withField(): Buffer {
  const font = '<< /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>'
  const area = '/Rect [100 300 400 400] /F 4 /DA (/F1 60 Tf 0 g)'
  const pdf = buildPdf({
    catalog: `/AcroForm << /Fields [${FIRST_EXTRA} 0 R] /DR ${font} >>`,
    pages: [{ extra: `/Annots [${FIRST_EXTRA} 0 R]` }],
    objects: [`<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /V (12345) ${area} >>`],
  })
  return Buffer.from(pdf)
}

t.test('the value of a field without an appearance is shown', needsChromium, async (t) => {
  const { world, tab, page } = await openDesk(t)
  await page.goto(`${world.url}/console#/new`)
  const file = { name: 'Form.pdf', mimeType: 'application/pdf', buffer: withField() }
  await page.locator('input[type=file]').setInputFiles(file)
  await page.locator('.sheet canvas').first().waitFor()
  // The canvas is there before it is painted.
  await t.resolves(page.waitForFunction(hasDigits, ENOUGH), 'digits are painted')
  await closeTab(t, tab, world.url)
})
