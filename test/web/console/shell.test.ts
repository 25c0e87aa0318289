/** The header of the console on narrow screens. */
import t from 'tap'
import { closeTab, look, needsChromium, uncovered } from '../browser.ts'
import { button } from '../cases.ts'
import { openDesk, texts } from './desk.ts'

t.setTimeout(600_000)

/** One row of targets with its padding, CSS pixels. */
const MAXIMUM_HEADER_PX = 64
const PHONE = { width: 320, height: 640 }

t.test('on a narrow screen the pages are in a menu', needsChromium, async (t) => {
  const { world, tab, page } = await openDesk(t, { viewport: PHONE, hasTouch: true })
  const header = await page.locator('.console-bar').boundingBox()
  t.ok(header && header.height <= MAXIMUM_HEADER_PX, `the header has ${header?.height} px`)
  t.ok(await uncovered(page, 'h1'), 'the page begins below it')
  const menu = button(page, texts.menu)
  const statistics = page.getByRole('link', { name: texts.pageStatistics })
  t.equal(await menu.getAttribute('aria-expanded'), 'false')
  t.equal(await statistics.count(), 0, 'what is hidden is not read')
  await look(t, tab, 'console-menu-closed')
  await menu.press('Enter')
  t.equal(await menu.getAttribute('aria-expanded'), 'true')
  await look(t, tab, 'console-menu-open')
  await statistics.focus()
  await page.keyboard.press('Escape')
  await statistics.waitFor({ state: 'hidden' })
  t.ok(await menu.evaluate((one) => one === document.activeElement), 'the focus is on the button')
  await menu.click()
  await statistics.click()
  await page.getByRole('heading', { name: texts.pageStatistics }).waitFor()
  await statistics.waitFor({ state: 'hidden' })
  t.equal(await statistics.count(), 0, 'the menu closes when a page opens')
  await menu.click()
  await button(page, texts.signOut).click()
  await page.getByRole('heading', { name: texts.signInHeading }).waitFor()
  await closeTab(t, tab, world.url)
})

t.test('the header is one row up to the width of the form', needsChromium, async (t) => {
  for (const locale of ['en-GB', 'sk-SK']) {
    const { world, tab, page } = await openDesk(t, { viewport: PHONE, locale })
    for (const width of [320, 390, 640, 844]) {
      await page.setViewportSize({ width, height: 390 })
      const box = await page.locator('.console-bar').boundingBox()
      t.ok(box && box.height <= MAXIMUM_HEADER_PX, `${locale}, ${width}: ${box?.height} px`)
      t.ok(await uncovered(page, 'h1'), 'the page begins on the first screen')
    }
    await page.setViewportSize({ width: 1280, height: 800 })
    t.ok(await page.locator('.console-bar nav').isVisible(), 'a wide screen shows the pages')
    t.notOk(await page.locator('.console-opener').isVisible(), 'and needs no menu')
    await closeTab(t, tab, world.url)
  }
})
