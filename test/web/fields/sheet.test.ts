import { Buffer } from 'node:buffer'
import t from 'tap'
import { person } from '../../conformance/world.ts'
import { buildPdf } from '../../fixtures/pdf.ts'
import { closeTab, look, needsChromium } from '../browser.ts'
import { opened } from '../cases.ts'
import { openDesk, texts } from '../console/desk.ts'

t.setTimeout(600_000)

/** Its first page fits the screen only 10 pixels high. */
const BANNER = buildPdf({ pages: [{ mediaBox: [0, 0, 14_400, 300] }, {}, {}] })
const READABLE_PX = 119

t.test('a very wide page is high enough to draw on and to read', needsChromium, async (t) => {
  const { world, tab, page } = await openDesk(t)
  await page.getByRole('main').getByRole('link', { name: texts.pageCreate }).click()
  const file = { name: 'banner.pdf', mimeType: 'application/pdf', buffer: Buffer.from(BANNER) }
  await page.locator('input[type=file]').setInputFiles(file)
  await page.locator('.sheet canvas').first().waitFor()
  const sheet = await page.locator('.sheet').first().boundingBox()
  t.ok((sheet?.height ?? 0) >= READABLE_PX, `in the editor it is ${sheet?.height} px high`)
  await page.locator('.sheet-frame').first().focus()
  t.equal(await page.locator('.sheet-frame:focus').count(), 1, 'the keyboard scrolls it (S12)')
  await look(t, tab, 'banner-editor')

  const { participants } = await opened(
    world,
    { participants: [person({ signatureFields: [] })] },
    BANNER,
  )
  await page.goto(participants[0].signerUrl)
  await page.locator('.page canvas').first().waitFor()
  const shown = await page.locator('.page').first().boundingBox()
  t.ok((shown?.height ?? 0) >= READABLE_PX, `on the signing page it is ${shown?.height} px high`)
  await look(t, tab, 'banner-signing')
  await closeTab(t, tab, world.url)
})
