import t from 'tap'
import { openWorld, person, type World } from '../../conformance/world.ts'
import { TEXTS } from '../../../web/texts/use-texts.ts'
import { closeTab, look, needsChromium, openBrowser, openTab, uncovered } from '../browser.ts'
import { button, draw, field, opened } from '../cases.ts'
import { stopClock } from '../clock.ts'

t.setTimeout(600_000)

const texts = TEXTS.en
/** The last is 1280 by 800 at 200 %. */
const SCREENS = [
  { width: 640, height: 400 },
  { width: 844, height: 390 },
  { width: 320, height: 256 },
  { width: 640, height: 400, deviceScaleFactor: 2 },
] as const
/** So much of the document is to be read at once, and of the pad to be drawn on. */
const LEAST_READ_PX = 120
const LEAST_PAD_PX = 90

async function invited(world: World): Promise<string> {
  const participants = [person({ language: 'en', signatureFields: [field('f1', 1, 300)] })]
  return (await opened(world, { participants })).participants[0].signerUrl
}

t.test('small screens show the document and the pad', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openWorld(t)
  for (const { width, height, ...more } of SCREENS) {
    const name = `${width}x${height}${'deviceScaleFactor' in more ? '-at-2' : ''}`
    const tab = await openTab(browser, { viewport: { width, height }, hasTouch: true, ...more })
    const { page } = tab
    await page.goto(await invited(world))
    await page.locator('.page canvas').first().waitFor()
    await page.locator('[data-page="1"]').evaluate((one) => one.scrollIntoView())
    const read = await uncovered(page, '[data-page="1"]')
    t.ok(read >= LEAST_READ_PX, `${name}: ${read} px of the document are uncovered`)
    await look(t, tab, `small-${name}`)
    await button(page, texts.nextField).click()
    await page.locator('.pad canvas').waitFor()
    const pad = await uncovered(page, '.pad canvas')
    t.ok(pad >= LEAST_PAD_PX, `${name}: ${pad} px of the pad are in view`)
    const use = await button(page, texts.useSignature).boundingBox()
    t.ok(use && use.y + use.height <= height, `${name}: so is the button that goes on`)
    await look(t, tab, `small-${name}-pad`)
    await draw(page)
    await button(page, texts.useSignature).click()
    await t.resolves(page.getByText(texts.allFieldsDone).waitFor(), `${name}: it can be used`)
    await closeTab(t, tab, world.url)
  }
})

t.test('forced colours show ink', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openWorld(t)
  const tab = await openTab(browser, {
    viewport: { width: 800, height: 900 },
    forcedColors: 'active',
    colorScheme: 'dark',
  })
  const { page } = tab
  await page.goto(await invited(world))
  const paperOf = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((one) => getComputedStyle(one).backgroundColor)
  await page.locator('.page canvas').first().waitFor()
  t.equal(await paperOf('.page'), 'rgb(255, 255, 255)', 'the page is paper')
  await button(page, texts.nextField).click()
  await draw(page)
  t.equal(await paperOf('.pad'), 'rgb(255, 255, 255)', 'dark ink is on light paper')
  await look(t, tab, 'forced-colours')
  await page.getByRole('tab', { name: texts.type }).click()
  await page.getByAltText(texts.typePreview).waitFor()
  t.equal(await paperOf('.hand'), 'rgb(255, 255, 255)', 'also where it is typed')
  const lines = await page.getByRole('tab').evaluateAll((tabs) =>
    tabs.map((tab) => {
      const { borderBottomWidth, borderBottomStyle } = getComputedStyle(tab)
      const isLined = borderBottomStyle === 'solid' && Number.parseFloat(borderBottomWidth) >= 2
      return { isChosen: tab.ariaSelected === 'true', isLined }
    }),
  )
  t.equal(lines.filter(({ isChosen }) => isChosen).length, 1)
  for (const { isChosen, isLined } of lines) {
    t.equal(isLined, isChosen, 'a line shows the chosen tab, and no other')
  }
  await look(t, tab, 'forced-colours-type')
  await closeTab(t, tab, world.url)
})

/** More than the rounding of durations hides. */
const READING_MS = 60_000
/** Whether the field of the code is empty and has the focus; runs in the page. */
const isCleared = () =>
  document.querySelector<HTMLInputElement>('input[name=code]:focus')?.value === ''

t.test('a code: focus, a wrong one, the last one', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openWorld(t)
  const email = 'focus@example.com'
  const { participants } = await opened(world, {
    multiFactorType: 'EMAIL',
    participants: [person({ language: 'en', email })],
  })
  const tab = await openTab(browser, { viewport: { width: 390, height: 844 } })
  const { page } = tab
  await page.clock.install()
  await page.goto(participants[0].signerUrl)
  await button(page, texts.codeSend).waitFor()
  // People read before they ask for a code. While the clock of the page is stopped, no effect
  // after a paint runs: the page is ready for the next key as soon as it shows what changed.
  await stopClock(page, READING_MS)
  await button(page, texts.codeSend).click()
  const focused = page.locator('input[name=code]:focus')
  await t.resolves(focused.waitFor(), 'the field has the focus once the code is sent')
  t.match(await page.textContent('main'), /works for another 10 minutes\./, 'a duration in words')
  await page.context().setOffline(true)
  await page.keyboard.type('000000')
  await page.keyboard.press('Enter')
  await page.getByText(texts.offlineText).waitFor()
  t.equal(await focused.inputValue(), '000000', 'a code that did not arrive is kept')
  t.equal(await focused.getAttribute('aria-invalid'), 'false', 'and is not called wrong')
  await page.context().setOffline(false)
  for (let left = 4; left >= 1; left--) {
    if (left < 4) await page.keyboard.type('000000')
    await page.keyboard.press('Enter')
    await page.getByText(texts.codeWrong(left)).waitFor()
    const cleared = page.waitForFunction(isCleared)
    await t.resolves(cleared, 'a wrong code is cleared, and its field has the focus')
  }
  await page.keyboard.type('000000')
  await page.keyboard.press('Enter')
  await page.getByText(texts.codeLocked).waitFor()
  const again = button(page, texts.codeResend)
  await t.resolves(page.locator('button.primary:focus').waitFor())
  t.match(await again.getAttribute('class'), 'primary', 'the new code is the button')
  t.equal(await button(page, texts.codeSubmit).count(), 0)
  await page.clock.resume()
  await look(t, tab, 'code-over')
  await page.keyboard.press('Enter')
  await t.resolves(focused.waitFor())
  await page.keyboard.type(await world.code(email, 2))
  await page.keyboard.press('Enter')
  await t.resolves(page.locator('.page canvas').first().waitFor(), 'by keyboard alone')
  await closeTab(t, tab, world.url)
})
