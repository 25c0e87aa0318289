/** The pad for drawing takes every stroke, in Chromium. */
import t from 'tap'
import { openWorld, person } from '../../conformance/world.ts'
import { TEXTS } from '../../../web/texts/use-texts.ts'
import { closeTab, DEVICES, needsChromium, openBrowser, openTab } from '../browser.ts'
import { button, draw, field, opened } from '../cases.ts'

t.setTimeout(600_000)

const texts = TEXTS.en

t.test('a stroke that begins as soon as the pad is there is not lost', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openWorld(t)
  const participants = [person({ language: 'en', signatureFields: [field('f1', 1, 300)] })]
  const { participants: invited } = await opened(world, { participants })
  const tab = await openTab(browser, DEVICES.desktop)
  const { page } = tab
  await page.goto(invited[0].signerUrl)
  await page.locator('.page canvas').first().waitFor()
  // As on a busy device, where the next frame comes late.
  await page.evaluate(() => {
    const LATE_MS = 500
    const { requestAnimationFrame: nextFrame, setTimeout: later } = window
    window.requestAnimationFrame = (run) =>
      nextFrame(() => void later(() => run(performance.now()), LATE_MS))
    window.setTimeout = ((run: () => void, delayMs = 0) =>
      later(run, delayMs + LATE_MS)) as typeof window.setTimeout
  })
  await button(page, texts.nextField).click()
  await draw(page)
  await button(page, texts.useSignature).click()
  await t.resolves(page.getByText(texts.allFieldsDone).waitFor(), 'the signature is in its field')
  await closeTab(t, tab, world.url)
})
