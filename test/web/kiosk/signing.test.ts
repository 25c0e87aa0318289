/** When a kiosk loads the script of the signing page. */
import t from 'tap'
import { openFreshWorld } from '../../conformance/world.ts'
import { TEXTS } from '../../../web/texts/use-texts.ts'
import { closeTab, look, needsChromium, openBrowser, openTab } from '../browser.ts'
import { button } from '../cases.ts'
import { handOver, inPerson, LANDSCAPE, pairKiosk, register } from '../kiosks.ts'

t.setTimeout(600_000)

const texts = TEXTS.en
/** The chunk of the signing page, and not its entry. */
const SIGNING = /\/assets\/app-[\w-]+\.js$/

t.test('the signing page is loaded while the kiosk is idle', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openFreshWorld(t)
  const tab = await openTab(browser, LANDSCAPE)
  const { page, requests } = tab
  await page.goto(`${world.url}/kiosk`)
  await page.getByLabel(texts.kioskPairLabel).waitFor()
  t.notOk(
    requests.some((url) => SIGNING.test(url)),
    'not before the screen is paired',
  )
  const loaded = page.waitForResponse((response) => SIGNING.test(response.url()))
  const device = await register(world)
  await pairKiosk(tab, world, device.token)
  t.equal((await loaded).status(), 200, 'it is loaded once the kiosk is connected')
  await closeTab(t, tab, world.url)
})

t.test('a kiosk without the script says so and tries again', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openFreshWorld(t)
  const tab = await openTab(browser, LANDSCAPE)
  const { page, context } = tab
  await page.clock.install()
  await context.route(SIGNING, (route) => route.abort('internetdisconnected'))
  const device = await register(world)
  await pairKiosk(tab, world, device.token)
  await handOver(world, await inPerson(world), device)
  await button(page, texts.kioskYes).click()
  await page.getByText(texts.loading).waitFor()
  t.ok(await button(page, texts.kioskExit).isVisible(), 'the visit can be ended meanwhile')
  await page.clock.fastForward(11_000)
  await button(page, texts.tryAgain).waitFor()
  await look(t, tab, 'kiosk-signing-missing')
  await context.unroute(SIGNING)
  await button(page, texts.tryAgain).click()
  await button(page, texts.kioskYes).click()
  await t.resolves(page.locator('.page canvas').first().waitFor(), 'the document opens then')
  await closeTab(t, tab, world.url)
})
