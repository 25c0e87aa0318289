import type { Page } from 'playwright-core'
import t from 'tap'
import { openFreshWorld, SECOND_MS, type Json, type World } from '../../conformance/world.ts'
import { TEXTS } from '../../../web/texts/use-texts.ts'
import { closeTab, look, needsChromium, openBrowser, openTab, type Tab } from '../browser.ts'
import { button, signAndConsent, TITLE } from '../cases.ts'
import { runClockUntil, stopClock } from '../clock.ts'
import { drawn, handOver, inPerson, LANDSCAPE, pairKiosk, register } from '../kiosks.ts'

t.setTimeout(600_000)

const texts = TEXTS.en
const LARGE_PX = 64
const FRAME_MS = 20

async function kiosk(world: World, tab: Tab): Promise<Json> {
  const device = await register(world)
  await pairKiosk(tab, world, device.token)
  return device
}

async function greeted(world: World, { page }: Tab, device: Json, firstName = 'Jana') {
  const signatureCase = await inPerson(world, firstName)
  await handOver(world, signatureCase, device)
  await page.getByText(texts.kioskGreeting(`${firstName} N.`)).waitFor()
  return signatureCase
}

async function reading(world: World, tab: Tab, device: Json): Promise<Json> {
  const signatureCase = await greeted(world, tab, device)
  await button(tab.page, texts.kioskYes).click()
  await tab.page.locator('.page canvas').first().waitFor()
  return signatureCase
}

/** Personal content: names, and pictures of drawings. */
const remains = (page: Page) =>
  page.evaluate(
    () =>
      document.documentElement.outerHTML.match(/Jana|Nov\u00e1kov\u00e1|data:image\/png/g) ?? [],
  )

t.test('thanks for 5 to 10 seconds, large buttons, no autofill (K5)', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openFreshWorld(t)
  const tab = await openTab(browser, LANDSCAPE)
  const { page, context } = tab
  await page.clock.install()
  await page.goto(`${world.url}/kiosk`)
  await button(page, TEXTS.sk.languageName).click()
  const slovak = page.getByRole('heading', { name: TEXTS.sk.kioskPairHeading })
  await t.resolves(slovak.waitFor(), 'the screen can be paired in both languages (K10)')
  await button(page, texts.languageName).click()
  await page.getByLabel(texts.kioskPairLabel).fill('kiosk.acme.wrong')
  await button(page, texts.kioskPairSubmit).click()
  await t.resolves(page.getByText(texts.kioskPairWrong).waitFor(), 'a wrong token is reported (K8)')
  const device = await kiosk(world, tab)
  const cookies = await context.cookies()
  t.match(cookies, [{ httpOnly: true, sameSite: 'Strict' }], 'the cookie is for the server (K8)')
  t.equal(cookies.length, 1)
  await reading(world, tab, device)
  const finish = await button(page, texts.finish).boundingBox()
  t.ok((finish?.height ?? 0) >= LARGE_PX, `Finish is ${finish?.height} px high (K3)`)
  t.not((await remains(page)).length, 0)
  const exit = page.getByRole('complementary').getByText(texts.kioskExit)
  t.equal(await exit.count(), 1, 'the way out is in a landmark')
  await drawn(tab)
  const clear = await button(page, texts.drawClear).boundingBox()
  t.ok((clear?.height ?? 0) >= LARGE_PX, `Clear is ${clear?.height} px high (K3)`)
  t.equal(await page.getByRole('tab', { name: texts.upload }).count(), 0, 'no file to choose (K3)')
  await page.getByRole('tab', { name: texts.type }).click()
  const autofill = await page.getByLabel(texts.typeLabel).getAttribute('autocomplete')
  t.equal(autofill, 'off', 'nothing is filled in by the browser (K9)')
  await page.getByRole('tab', { name: texts.draw }).click()
  await button(page, texts.useSignature).click()
  t.equal(await page.locator('a[href]').count(), 0, 'no link leads away (K9)')
  const select = await page
    .locator('.textLayer span')
    .first()
    .evaluate((element) => getComputedStyle(element).userSelect)
  t.equal(select, 'none', 'no text is selected (K9)')
  const thanks = page.getByText(texts.kioskThanks)
  await stopClock(page)
  await signAndConsent(page)
  await runClockUntil(page, FRAME_MS, () => thanks.isVisible())
  await page.clock.runFor(5 * SECOND_MS)
  t.ok(await thanks.isVisible(), 'thanks after 5 seconds (K5)')
  await page.clock.runFor(5 * SECOND_MS)
  await t.resolves(page.getByText(texts.kioskReady).waitFor(), 'idle after 10 (K5)')
  t.same(await remains(page), [], 'no name remains')
  await closeTab(t, tab, world.url)
})

/** Two heartbeats and a second, and then an attempt without an answer and the pause after it. */
const SILENCE_MS = 32_000
const ATTEMPT_MS = 12_000
const CHANNEL = /\/devices\/[^/]+\/events$/

t.test(
  'a silent line is shown as lost, and attempts have a limit (K7)',
  needsChromium,
  async (t) => {
    const browser = await openBrowser(t)
    const world = await openFreshWorld(t)
    const tab = await openTab(browser, LANDSCAPE)
    const { page } = tab
    await page.clock.install()
    await kiosk(world, tab)
    // The line is dead and says nothing: requests are neither answered nor refused.
    let attempts = 0
    await page.route(CHANNEL, () => {
      attempts += 1
    })
    const lost = page.locator('[data-connection="lost"]')
    // A heartbeat of the server can come between; the next is 15 seconds of real time away.
    const isLost = runClockUntil(page, SILENCE_MS, () => lost.isVisible())
    await t.resolves(isLost, 'no green light on a silent line (K1, K7)')
    await t.resolves(
      page.getByText(texts.kioskNotReady).waitFor(),
      'no document is announced meanwhile (K1)',
    )
    const isGivenUp = runClockUntil(page, ATTEMPT_MS, () => attempts >= 2)
    await t.resolves(isGivenUp, 'an attempt that hangs is given up for the next (K7)')
    await page.unroute(CHANNEL)
    await page.clock.runFor(ATTEMPT_MS)
    await page.getByText(texts.kioskConnected).waitFor()
    await closeTab(t, tab, world.url)
  },
)

t.test('somebody leaves without signing, and nothing is left (K4)', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openFreshWorld(t)
  const tab = await openTab(browser, LANDSCAPE)
  const { page } = tab
  const device = await kiosk(world, tab)
  await reading(world, tab, device)
  await drawn(tab)
  await button(page, texts.useSignature).click()
  await look(t, tab, 'kiosk-exit')
  await button(page, texts.kioskExit).click()
  await page.getByText(texts.kioskExitText).waitFor()
  await look(t, tab, 'kiosk-exit-asks')
  await button(page, texts.back).click()
  await page.getByText(texts.allFieldsDone).waitFor()
  await button(page, texts.kioskExit).click()
  await page.getByRole('dialog').getByRole('button', { name: texts.kioskExit }).click()
  await page.getByText(texts.kioskReady).waitFor()
  t.same(await remains(page), [], 'nothing is left of who went away (K4)')
  const isForgotten = page.waitForFunction(() => document.title.startsWith('Reception'))
  await t.resolves(isForgotten, 'the tab does not name the document any more (K4)')
  await closeTab(t, tab, world.url)
})

t.test(
  'a language that a visitor chose ends with the visit (K4, K10)',
  needsChromium,
  async (t) => {
    const browser = await openBrowser(t)
    const world = await openFreshWorld(t)
    const tab = await openTab(browser, LANDSCAPE)
    const { page } = tab
    const device = await kiosk(world, tab)
    await greeted(world, tab, device)
    await button(page, TEXTS.sk.languageName).click()
    await page.getByText(TEXTS.sk.kioskGreeting('Jana N.')).waitFor()
    await handOver(world, await inPerson(world, 'Eva'), device)
    const next = page.getByText(texts.kioskGreeting('Eva N.'))
    await t.resolves(next.waitFor(), 'the next visitor is greeted in their own language')
    await button(page, TEXTS.sk.languageName).click()
    await button(page, TEXTS.sk.kioskNo).click()
    const idle = page.getByText(texts.kioskReady)
    await t.resolves(idle.waitFor(), 'the idle screen has the language of the device')
    await closeTab(t, tab, world.url)
  },
)

t.test('a case that cannot be read is greeted by its title', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openFreshWorld(t)
  const tab = await openTab(browser, LANDSCAPE)
  const { page } = tab
  const device = await kiosk(world, tab)
  await page.route('**/caseDefinition', (route) => route.fulfill({ status: 503, json: {} }))
  await handOver(world, await inPerson(world), device)
  const question = page.getByRole('heading', { name: texts.kioskGreetingDocument(TITLE) })
  await t.resolves(question.waitFor(), 'without a name, the question is about the document')
  await look(t, tab, 'kiosk-greeting-document')
  await page.unroute('**/caseDefinition')
  await button(page, texts.kioskYesDocument).click()
  await page.locator('.page canvas').first().waitFor()
  await closeTab(t, tab, world.url)
})
