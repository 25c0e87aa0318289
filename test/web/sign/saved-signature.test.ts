/** A signature that a person saves in the browser, in Chromium. */
import type { BrowserContext, Locator, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { openWorld, person, type Json, type World } from '../../conformance/world.ts'
import { TEXTS } from '../../../web/texts/use-texts.ts'
import {
  closeTab,
  DEVICES,
  look,
  needsChromium,
  openBrowser,
  openTab,
  type Tab,
} from '../browser.ts'
import { button, draw, field, opened, signAndConsent } from '../cases.ts'
import { drawn, handOver, inPerson, LANDSCAPE, pairKiosk, register, storage } from '../kiosks.ts'

t.setTimeout(600_000)

const texts = TEXTS.en
const KEY = 'signature/saved'
const SMALLEST = { viewport: { width: 320, height: 640 }, hasTouch: true } as const

/** How many lines the text of an element has. */
const linesOf = (one: Locator) =>
  one.evaluate((element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    return new Set([...range.getClientRects()].map(({ top }) => top)).size
  })

/** A link of a new case for a person of this name. */
async function invited(world: World, firstName: string, language = 'en'): Promise<string> {
  const participants = [person({ firstName, language, signatureFields: [field('f1', 1, 300)] })]
  const signatureCase: Json = await opened(world, { participants })
  return signatureCase.participants[0].signerUrl
}

/** Opens a link in a new page, and the pad on it. */
async function openPad(context: BrowserContext, url: string, says = texts): Promise<Page> {
  const page = await context.newPage()
  await page.goto(url)
  await button(page, says.nextField).click()
  await page.getByRole('dialog', { name: says.dialogHeading }).waitFor()
  return page
}

const selected = (page: Page) => page.getByRole('tab', { selected: true }).textContent()
const saveTick = (page: Page) => page.getByRole('checkbox', { name: texts.saveSignature })
const savedTab = (page: Page) => page.getByRole('tab', { name: texts.saved, exact: true })

/** Without the tick nothing is kept, also after the signature is used. */
async function checkOptIn(t: Test, world: World, { context, page }: Tab): Promise<void> {
  await page.goto(await invited(world, 'Jana'))
  await button(page, texts.nextField).click()
  await draw(page)
  t.equal(await saveTick(page).isChecked(), false, 'saving is off until somebody ticks it')
  await button(page, texts.useSignature).click()
  await page.getByText(texts.allFieldsDone).waitFor()
  t.same((await storage({ page } as Tab)).local, [], 'nothing outlives the tab unless it is ticked')
  t.equal(context.pages().length, 1)
}

/** Saves a drawing while a case is signed. @returns its data URL */
async function saveOne(t: Test, world: World, tab: Tab, name: string): Promise<string> {
  const page = await openPad(tab.context, await invited(world, 'Jana'))
  await draw(page)
  await saveTick(page).check()
  const where = await page.getByText(texts.saveWhere(new URL(world.url).host)).isVisible()
  t.ok(where, 'the pad says where it is kept')
  await look(t, { ...tab, page }, `${name}-save`)
  await button(page, texts.useSignature).click()
  await page.getByText(texts.allFieldsDone).waitFor()
  await signAndConsent(page)
  await page.getByText(texts.doneHeading).waitFor()
  const stored = await page.evaluate((key) => localStorage.getItem(key), KEY)
  await page.close()
  return (JSON.parse(stored ?? '{}') as { drawing?: string }).drawing ?? ''
}

t.test('a saved signature is offered to the same person, and removed', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openWorld(t)
  const phone = await openTab(browser, { ...DEVICES.phone, colorScheme: 'dark' })
  await checkOptIn(t, world, phone)
  const drawing = await saveOne(t, world, phone, 'saved-phone')
  t.match(drawing, /^data:image\/png;base64,/)

  const other = await openPad(phone.context, await invited(world, 'Peter'))
  t.equal(await savedTab(other).count(), 0, 'another person is not offered it')
  t.equal(await selected(other), texts.draw)
  await other.close()

  const again = await openPad(phone.context, await invited(world, 'Jana'))
  t.equal(await selected(again), texts.saved, 'the same person begins with it')
  t.equal(await saveTick(again).count(), 0, 'it is saved already')
  await look(t, { ...phone, page: again }, 'saved-phone-choice')
  await button(again, texts.useSignature).click()
  const posted = again.waitForRequest((request) => request.url().endsWith('/signature'))
  await signAndConsent(again)
  const sent = (await posted).postDataJSON() as { encodedSignature: string }
  t.equal(sent.encodedSignature, drawing, 'the saved picture is what is sent')
  await again.getByText(texts.doneHeading).waitFor()
  await again.close()

  const last = await openPad(phone.context, await invited(world, 'Jana'))
  await button(last, texts.savedForget).click()
  await last.getByText(texts.savedForgotten).waitFor()
  t.equal(await selected(last), texts.draw)
  t.equal(await last.evaluate(() => document.activeElement?.id), 'tab-draw', 'it has the focus')
  t.same((await storage({ page: last } as Tab)).local, [], 'the browser keeps nothing')
  t.equal(await savedTab(last).count(), 0)
  await closeTab(t, phone, world.url)
})

t.test('the choice fits on 320 pixels in Slovak', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openWorld(t)
  const tab = await openTab(browser, SMALLEST)
  await saveOne(t, world, tab, 'saved-320')
  const slovak = TEXTS.sk
  const page = await openPad(tab.context, await invited(world, 'Jana', 'sk'), slovak)
  await page.getByAltText(slovak.savedPreview).waitFor()
  await look(t, { ...tab, page }, 'saved-320-choice')
  const tabs = await page.getByRole('tab').all()
  const boxes = await Promise.all(tabs.map((one) => one.boundingBox()))
  t.equal(boxes.length, 4)
  for (const one of tabs) t.equal(await linesOf(one), 1, 'a method does not break')
  for (const box of boxes) {
    t.ok(box && box.x >= 0 && box.x + box.width <= 320, 'each method is in view')
    t.ok(box && box.height >= 44, 'each is large enough to tap')
  }
  await page.getByRole('tab', { name: slovak.draw }).click()
  await look(t, { ...tab, page }, 'saved-320-draw')
  await closeTab(t, tab, world.url)
})

t.test('a browser that refuses storage says so and signs', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openWorld(t)
  const tab = await openTab(browser, DEVICES.desktop)
  await tab.context.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
  })
  const page = await openPad(tab.context, await invited(world, 'Jana'))
  await draw(page)
  await saveTick(page).check()
  await button(page, texts.useSignature).click()
  await page.getByText(texts.saveFailed).waitFor()
  t.equal(await saveTick(page).isChecked(), false)
  await look(t, { ...tab, page }, 'save-failed')
  await button(page, texts.useSignature).click()
  await t.resolves(page.getByText(texts.allFieldsDone).waitFor(), 'it is used without being saved')
  await closeTab(t, tab, world.url)
})

t.test('a kiosk neither saves nor offers a signature (K4)', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openWorld(t)
  const tab = await openTab(browser, LANDSCAPE)
  const { page } = tab
  const device = await register(world)
  await pairKiosk(tab, world, device.token)
  // As a personal browser would have it, for the same name.
  await page.evaluate((key) => {
    const drawing = 'data:image/png;base64,AAAA'
    localStorage.setItem(key, JSON.stringify({ name: 'Jana Nováková', drawing }))
  }, KEY)
  await handOver(world, await inPerson(world), device)
  await button(page, texts.kioskYes).click()
  await page.locator('.page canvas').first().waitFor()
  await drawn(tab)
  t.equal(await saveTick(page).count(), 0, 'there is nothing to tick')
  t.equal(await savedTab(page).count(), 0, 'a saved signature is not offered')
  await closeTab(t, tab, world.url)
})
