import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { openFreshWorld, type World } from '../../conformance/world.ts'
import { until } from '../../fixtures/until.ts'
import { TEXTS } from '../../../web/texts/use-texts.ts'
import { closeTab, look, needsChromium, openBrowser, openTab, type Tab } from '../browser.ts'
import { button } from '../cases.ts'
import { runClockUntil } from '../clock.ts'
import { drawn, handOver, inPerson, LANDSCAPE, pairKiosk, register, storage } from '../kiosks.ts'

const texts = TEXTS.en
const PORTRAIT = { viewport: { width: 800, height: 1280 }, hasTouch: true, locale: 'en-GB' }
const CHANNEL = /\/devices\/[^/]+\/events$/
/** More than a kiosk waits for a sign of life, and before it asks anew. */
const SILENCE_MS = 32_000
const RECONNECT_MS = 3_000
const SMALLEST_TYPE_PX = 24
/** Long enough for a stream to begin and send an event. */
const QUIET_MS = 1_500

t.setTimeout(600_000)

const rootStyle = ({ page }: Tab) =>
  page.evaluate(() => {
    const { fontSize, userSelect } = getComputedStyle(document.documentElement)
    return { fontSize: Number.parseFloat(fontSize), userSelect }
  })

/** What the idle screen says and offers, and what it must not. */
async function checkIdle(t: Test, tab: Tab): Promise<void> {
  const { page } = tab
  t.ok(await page.getByText('Reception').isVisible(), 'the device is named (K1)')
  t.match(await page.locator('.clock').textContent(), /^\d\d:\d\d$/, 'the time is shown (K1)')
  const { fontSize, userSelect } = await rootStyle(tab)
  t.ok(fontSize >= SMALLEST_TYPE_PX, `type of ${fontSize} px (K1)`)
  t.equal(userSelect, 'none', 'nothing is selected by touch (K9)')
  t.equal(await page.locator('a[href]').count(), 0, 'no link leads away (K1, K9)')
  await checkLanguages(t, tab, texts.kioskReady, TEXTS.sk.kioskReady)
}

/** Slovak and back by the buttons of the screen. */
async function checkLanguages(t: Test, { page }: Tab, english: string, slovak: string) {
  await button(page, TEXTS.sk.languageName).click()
  await page.getByText(slovak).waitFor()
  t.equal(await page.getAttribute('html', 'lang'), 'sk', `${slovak}: in Slovak (K10)`)
  await button(page, TEXTS.en.languageName).click()
  await page.getByText(english).waitFor()
  t.equal(await page.getAttribute('html', 'lang'), 'en', `${english}: in English (K10)`)
}

async function wholeVisit(t: Test, world: World, tab: Tab, name: string): Promise<void> {
  const { page, context } = tab
  const device = await register(world)
  await page.addInitScript(() => {
    const asked: string[] = []
    Object.assign(window, { asked })
    WakeLock.prototype.request = (type = 'screen') => {
      asked.push(type)
      return Promise.reject(new Error('the battery is low'))
    }
  })
  await page.goto(`${world.url}/kiosk`)
  const asked = () => (window as unknown as { asked: string[] }).asked
  await page.waitForFunction(() => (window as unknown as { asked: string[] }).asked.length > 0)
  t.same(await page.evaluate(asked), ['screen'], 'the screen is kept on (K9)')
  await look(t, tab, `kiosk-${name}-pairing`)
  await pairKiosk(tab, world, device.token)
  await look(t, tab, `kiosk-${name}-idle`)
  await checkIdle(t, tab)
  const signatureCase = await inPerson(world)
  await handOver(world, signatureCase, device)
  await page.getByText(texts.kioskGreeting('Jana N.')).waitFor()
  t.equal(await page.locator('.page').count(), 0, 'no document before the answer (K2)')
  await look(t, tab, `kiosk-${name}-greeting`)
  const greetings = [texts, TEXTS.sk].map(({ kioskGreeting }) => kioskGreeting('Jana N.'))
  await checkLanguages(t, tab, greetings[0] ?? '', greetings[1] ?? '')
  await button(page, texts.kioskYes).click()
  await page.locator('.page canvas').first().waitFor()
  await look(t, tab, `kiosk-${name}-document`)
  await drawn(tab)
  const pad = await page.locator('.pad canvas').boundingBox()
  const { width } = page.viewportSize() ?? { width: 0 }
  t.ok((pad?.width ?? 0) > 0.6 * width, 'the drawing area has 60 % of the width (K3)')
  await look(t, tab, `kiosk-${name}-draw`)
  await button(page, texts.useSignature).click()
  await context.setOffline(true)
  await button(page, texts.finish).click()
  await page.getByLabel(texts.consentShort).check()
  await button(page, texts.signDocument).click()
  await page.getByText(texts.kioskSignOffline).waitFor()
  t.equal(await page.getByText(texts.signOffline).count(), 0, 'no promise to keep it (K4)')
  await context.setOffline(false)
  await page.getByText(texts.kioskThanks).waitFor()
  t.equal(await button(page, texts.download).count(), 0, 'nothing to download (K5)')
  await look(t, tab, `kiosk-${name}-thanks`)
  await page.getByText(texts.kioskReady).waitFor()
  t.same(await storage(tab), { local: ['kiosk/device', 'kiosk/handled'], session: [] })
}

t.test('a kiosk: paired, opened, signed, thanked, idle', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openFreshWorld(t)
  for (const [name, device] of Object.entries({ landscape: LANDSCAPE, portrait: PORTRAIT })) {
    const tab = await openTab(browser, device)
    await wholeVisit(t, world, tab, name)
    await closeTab(t, tab, world.url)
  }
})

/** A sign of life: the kiosk does not think that the person has left. */
async function moveMouse(page: Page): Promise<void> {
  await page.mouse.move(10, 10)
  await page.mouse.move(20, 20)
}

/** The channel falls silent and cannot be had again for a while. */
async function loseLine(t: Test, { page }: Tab): Promise<void> {
  const lost = page.locator('.banner', { hasText: texts.kioskLost })
  const place = page.locator('.banner-place[role=status]')
  t.equal(await place.count(), 1, 'the place for the news is there before, so that it is read')
  await page.route(CHANNEL, (route) => route.abort('internetdisconnected'))
  // A heartbeat of the server can come between; the next is 15 seconds of real time away.
  await runClockUntil(page, SILENCE_MS, async () => {
    await moveMouse(page)
    return lost.isVisible()
  })
  const exit = page.locator('.kiosk-exit > .button')
  // It moves once the browser has reported the height of the news.
  const isUncovered = async () => {
    const [news, way] = [await lost.boundingBox(), await exit.boundingBox()]
    return (way?.y ?? 0) >= (news?.height ?? 999)
  }
  await until(isUncovered)
  t.ok(await isUncovered(), 'the news does not cover the way out (K7)')
  const resumed: (string | undefined)[] = []
  page.on('request', (request) => {
    if (CHANNEL.test(request.url())) resumed.push(request.headers()['last-event-id'])
  })
  await page.unroute(CHANNEL)
  await runClockUntil(page, RECONNECT_MS, async () => {
    await moveMouse(page)
    return resumed.length > 0
  })
  await lost.waitFor({ state: 'detached' })
  t.match(resumed[0], /./, 'the channel resumes after the last event (K7)')
}

t.test('a kiosk forgets who went away (K4)', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openFreshWorld(t)
  const tab = await openTab(browser, LANDSCAPE)
  const { page } = tab
  await page.clock.install()
  const device = await register(world)
  await pairKiosk(tab, world, device.token)
  await handOver(world, await inPerson(world), device)
  await button(page, texts.kioskYes).click()
  await page.locator('.page canvas').first().waitFor()
  await drawn(tab)
  // Each timer fires once at most: the line is not lost again and again without time to connect.
  await page.clock.fastForward(61_000)
  await page.getByRole('dialog', { name: texts.kioskStill }).waitFor()
  await look(t, tab, 'kiosk-still-there')
  await button(page, texts.kioskStay).click()
  await loseLine(t, tab)
  await button(page, texts.useSignature).click()
  await page.getByText(texts.allFieldsDone).waitFor()
  await page.clock.fastForward(61_000)
  await page.clock.fastForward(30_000)
  await page.getByText(texts.kioskReady).waitFor()
  t.same(await storage(tab), { local: ['kiosk/device', 'kiosk/handled'], session: [] })
  for (const again of [() => page.reload(), () => page.goBack().then(() => page.goForward())]) {
    await again()
    await page.getByText(texts.kioskConnected).waitFor()
    await page.waitForTimeout(QUIET_MS)
    t.notMatch(await page.textContent('body'), 'Jana', 'the person before is not shown (K4)')
  }
  await closeTab(t, tab, world.url)
})

t.test(
  'a kiosk shows what was opened last, and ends what was cancelled (K6, K7)',
  needsChromium,
  async (t) => {
    const browser = await openBrowser(t)
    const world = await openFreshWorld(t)
    const tab = await openTab(browser, LANDSCAPE)
    const { page } = tab
    const device = await register(world)
    await pairKiosk(tab, world, device.token)
    await handOver(world, await inPerson(world), device)
    await page.getByText(texts.kioskGreeting('Jana N.')).waitFor()
    const second = await inPerson(world, 'Peter')
    await handOver(world, second, device)
    await page.getByText(texts.kioskGreeting('Peter N.')).waitFor()
    await page.getByText(texts.kioskOther).waitFor()
    const describing = await page.locator('h1').getAttribute('aria-describedby')
    const described = page.locator(`[id="${describing}"]`)
    t.equal(await described.textContent(), texts.kioskOther, 'it is read with the question')
    await look(t, tab, 'kiosk-replaced')
    await world.asTenant('DELETE', `/cases/${second.id}`)
    await page.getByText(texts.kioskClosed).waitFor()
    await look(t, tab, 'kiosk-closed')
    await page.getByText(texts.kioskReady).waitFor()
    await handOver(world, await inPerson(world, 'Eva', { pin: '4711' }), device)
    await button(page, texts.kioskYes).click()
    for (const digit of '4711') await button(page, digit).click()
    const typed = await page.getByLabel(texts.pinLabel).inputValue()
    t.equal(typed, '4711', 'digits are tapped on the screen (K3)')
    await button(page, texts.pinSubmit).click()
    await page.locator('.page canvas').first().waitFor()
    await page.context().setOffline(true)
    await page.context().setOffline(false)
    await world.asTenant('DELETE', `/tenant/devices/${device.deviceId}`)
    await page.getByText(texts.kioskPairHeading).waitFor()
    t.same(
      await storage(tab),
      { local: [], session: [] },
      'a removed device has no stored data (K8)',
    )
    await closeTab(t, tab, world.url)
  },
)
