import type { Page } from 'playwright-core'
import t from 'tap'
import { openWorld, person, type Json, type World } from '../../conformance/world.ts'
import { TEXTS } from '../../../web/texts/use-texts.ts'
import { closeTab, DEVICES, look, needsChromium, openBrowser, openTab } from '../browser.ts'
import { button, draw, opened } from '../cases.ts'

t.setTimeout(600_000)

const texts = TEXTS.en

async function invited(world: World, signatureFields: object[]): Promise<Json> {
  const { participants } = await opened(world, {
    participants: [person({ language: 'en', signatureFields })],
  })
  return participants[0]
}

const box = async (page: Page, selector: string) => {
  const found = await page.locator(selector).boundingBox()
  if (!found) throw new Error(`there is no ${selector}`)
  return found
}

/** Where a thing is once it no longer moves. */
async function settled(page: Page, selector: string) {
  let before = await box(page, selector)
  for (;;) {
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
    const now = await box(page, selector)
    if (now.x === before.x && now.y === before.y) return now
    before = now
  }
}

/** Drags with the mouse from the middle of one thing to another point. */
async function drag(page: Page, selector: string, byX: number, byY: number): Promise<void> {
  const { x, y, width, height } = await box(page, selector)
  const [fromX, fromY] = [x + width / 2, y + height / 2]
  await page.mouse.move(fromX, fromY)
  await page.mouse.down()
  for (const part of [0.3, 0.6, 1]) await page.mouse.move(fromX + byX * part, fromY + byY * part)
  await page.mouse.up()
}

const pageOfPlace = (page: Page) =>
  page
    .locator('.own-place')
    .evaluate((one) => one.closest('[data-page]')?.getAttribute('data-page'))

t.test(
  'a place of one’s own is dragged, resized, moved by keys, removed',
  needsChromium,
  async (t) => {
    const browser = await openBrowser(t)
    const world = await openWorld(t)
    const { signerUrl } = await invited(world, [])
    for (const [name, device] of Object.entries(DEVICES)) {
      const tab = await openTab(browser, device)
      const { page } = tab
      await page.goto(signerUrl)
      await page.locator('.page canvas').first().waitFor()
      await look(t, tab, `place-${name}-none`)
      await button(page, texts.placeHere).click()
      await page.getByRole('dialog').waitFor()
      await page.keyboard.press('Escape')
      await t.resolves(page.locator('.field:focus').waitFor(), `${name}: the place has the focus`)
      t.equal(await pageOfPlace(page), '3', `${name}: by default on the last page`)
      await page.locator('[data-page="3"] .layers canvas').waitFor()
      await look(t, tab, `place-${name}`)

      const before = await box(page, '.field')
      await page.mouse.click(before.x - 30, before.y - 60)
      t.same(await box(page, '.field'), before, `${name}: a stray tap does not move it`)
      t.equal(await page.getByRole('dialog').count(), 0)

      await drag(page, '.field', -80, -60)
      const dragged = await box(page, '.field')
      t.ok(Math.abs(dragged.x - before.x + 80) < 2, `${name}: dragged by ${dragged.x - before.x}`)
      t.ok(Math.abs(dragged.y - before.y + 60) < 2, `${name}: dragged by ${dragged.y - before.y}`)
      t.equal(await page.getByRole('dialog').count(), 0, `${name}: a drag is not a tap`)

      await drag(page, '.own-resize', 40, 20)
      const resized = await box(page, '.field')
      t.ok(Math.abs(resized.width - dragged.width - 40) < 2, `${name}: wider by dragging`)
      t.ok(Math.abs(resized.height - dragged.height - 20) < 2, `${name}: and higher`)

      await page.locator('.field').focus()
      await page.keyboard.press('Shift+ArrowLeft')
      t.ok((await box(page, '.field')).width < resized.width, `${name}: narrower by keys`)
      await page.keyboard.press('ArrowLeft')
      t.ok((await box(page, '.field')).x < resized.x, `${name}: moved by keys`)
      await page.keyboard.press('PageUp')
      await page.locator('[data-page="2"] .field:focus').waitFor()
      for (let step = 0; step < 60 && (await pageOfPlace(page)) === '2'; step++) {
        await page.keyboard.press('ArrowUp')
      }
      t.equal(await pageOfPlace(page), '1', `${name}: moved by arrow keys to the page before`)
      await page.locator('[data-page="1"] .field:focus').waitFor()

      await page.reload()
      await page.locator('[data-page="1"] .field').waitFor()
      const again = button(page, texts.placeHere).and(page.locator(':focus'))
      await button(page, texts.placeRemove).click()
      await again.waitFor()
      t.equal(await page.locator('.field').count(), 0, `${name}: removed`)
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').waitFor()
      await page.keyboard.press('Escape')
      await page.locator('.field:focus').waitFor()
      await page.locator('.field').evaluate((one) => {
        const by = innerHeight - one.getBoundingClientRect().top
        scrollBy({ top: -by, behavior: 'instant' })
      })
      await page.keyboard.press('ArrowUp')
      const isInView = page.waitForFunction(() => {
        const { left, right, top, bottom } = document.activeElement!.getBoundingClientRect()
        const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
        return document.activeElement!.contains(there)
      })
      await t.resolves(isInView, `${name}: a place that keys move stays in view (S12)`)
      await page.keyboard.press('Delete')
      await t.resolves(again.waitFor(), `${name}: the focus is not lost with the place (S12)`)
      await closeTab(t, tab, world.url)
    }
  },
)

t.test('a place is dragged to another page', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openWorld(t)
  const { signerUrl } = await invited(world, [])
  const tab = await openTab(browser, DEVICES.desktop)
  const { page } = tab
  await page.goto(signerUrl)
  await page.locator('[data-page="1"] .layers').click({ position: { x: 300, y: 900 } })
  await page.locator('.field').waitFor()
  t.equal(await page.getByRole('dialog').count(), 0, 'a tap chooses the place and no more')
  const { x, y, width, height } = await settled(page, '.field')
  await page.mouse.move(x + width / 2, y + height / 2)
  await page.mouse.down()
  // At the lower edge the document scrolls by itself.
  await page.mouse.move(x + width / 2, 700)
  await page.mouse.move(x + width / 2, 720)
  await page.waitForFunction(() =>
    document.querySelector('.own-place')?.closest('[data-page]')?.matches('[data-page="2"]'),
  )
  await page.mouse.up()
  // The document goes on scrolling until the button is up.
  const number = Number(await pageOfPlace(page))
  t.ok(number >= 2, `page ${number}`)
  const posted = page.waitForRequest((request) => request.url().endsWith('/signature'))
  await page.locator('.field').click()
  await draw(page)
  await button(page, texts.useSignature).click()
  await button(page, texts.finish).click()
  await page.locator('label.tick').click()
  await button(page, texts.signDocument).click()
  t.match(((await posted).postDataJSON() as Json).signatures, [{ page: number, unit: 'fraction' }])
  await page.getByText(texts.doneHeading).waitFor()
  await closeTab(t, tab, world.url)
})
