import t from 'tap'
import { openFreshWorld, person } from '../../conformance/world.ts'
import { TEXTS } from '../../../web/texts/use-texts.ts'
import { closeTab, look, needsChromium, openBrowser, openTab } from '../browser.ts'
import { button, opened } from '../cases.ts'
import { handOver, inPerson, LANDSCAPE, pairKiosk, register, storage } from '../kiosks.ts'

t.setTimeout(600_000)

const texts = TEXTS.en

t.test('a kiosk is paired by its link, which is exchanged at once', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openFreshWorld(t)
  const device = await register(world)
  const tab = await openTab(browser, LANDSCAPE)
  const { page } = tab
  await page.goto(`${world.url}/kiosk#${device.token}`)
  await page.getByText(texts.kioskConnected).waitFor()
  t.equal(page.url(), `${world.url}/kiosk`, 'the token is not in the address (K8)')
  t.equal(await page.evaluate(() => history.length), 2, 'nor in the history')
  t.notMatch(JSON.stringify(await storage(tab)), device.token)
  t.notOk(tab.requests.some((url) => url.includes(device.token)))

  const other = await register(world)
  await page.evaluate((token) => (location.hash = token), other.token)
  await page.waitForFunction(() => location.hash === '')
  await page.getByText(texts.kioskConnected).waitFor()
  const id = await page.evaluate(() => localStorage.getItem('kiosk/device'))
  t.match(id, other.deviceId, 'another link pairs the screen anew')

  await page.goto(`${world.url}/kiosk#wrong`)
  await page.reload()
  await page.evaluate(() => (location.hash = 'wrong'))
  await page.getByText(texts.kioskPairWrong).waitFor()
  t.equal(page.url(), `${world.url}/kiosk`)
  await closeTab(t, tab, world.url)
})

/** What may be in the storage in place of the device. */
const BROKEN = [
  '{"deviceId":',
  'null',
  '{"deviceId":1,"name":{},"channel":"/"}',
  '{"deviceId":"1","name":"Reception","channel":"http://["}',
  '{"deviceId":"1","name":"Reception","channel":"https://example.com/"}',
]

t.test('a kiosk whose storage is damaged can be paired again', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openFreshWorld(t)
  const device = await register(world)
  const tab = await openTab(browser, LANDSCAPE)
  const { page } = tab
  await page.goto(`${world.url}/kiosk`)
  for (const entry of BROKEN) {
    await page.evaluate((text) => localStorage.setItem('kiosk/device', text), entry)
    await page.reload()
    await t.resolves(page.getByLabel(texts.kioskPairLabel).waitFor(), entry)
  }
  await pairKiosk(tab, world, device.token)

  await page.evaluate(() => localStorage.setItem('kiosk/handled', 'broken\nžltý'))
  await page.reload()
  await t.resolves(page.getByText(texts.kioskConnected).waitFor(), 'an id that no header can carry')
  await closeTab(t, tab, world.url)
})

t.test('a kiosk works in a browser that stores nothing', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openFreshWorld(t)
  const device = await register(world)
  const tab = await openTab(browser, LANDSCAPE)
  await tab.page.addInitScript(() => {
    for (const name of ['getItem', 'setItem', 'removeItem'] as const) {
      Storage.prototype[name] = () => {
        throw new DOMException('The operation is insecure', 'SecurityError')
      }
    }
  })
  await pairKiosk(tab, world, device.token)
  await handOver(world, await inPerson(world), device)
  await button(tab.page, texts.kioskNo).click()
  await t.resolves(tab.page.getByText(texts.kioskConnected).waitFor())
  await closeTab(t, tab, world.url)
})

t.test('the pad of digits is in view at 1280 by 800', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openFreshWorld(t)
  const device = await register(world)
  const tab = await openTab(browser, LANDSCAPE)
  const { page } = tab
  await page.goto(`${world.url}/kiosk#${device.token}`)
  await page.getByText(texts.kioskConnected).waitFor()
  const email = 'digits@example.com'
  const signatureCase = await opened(world, {
    quickSign: true,
    multiFactorType: 'EMAIL',
    participants: [person({ language: 'en', email })],
  })
  await handOver(world, signatureCase, device)
  await button(page, texts.kioskYes).click()
  await button(page, texts.codeSend).click()
  await page.locator('.number-pad').waitFor()
  t.equal(await page.evaluate(() => scrollY), 0)
  for (const name of ['1', '0', texts.kioskDelete, texts.codeSubmit]) {
    const box = await button(page, name).boundingBox()
    t.ok(box && box.y >= 0 && box.y + box.height <= 800, `${name} is in view`)
  }
  await look(t, tab, 'kiosk-digits')
  for (const digit of await world.code(email)) await button(page, digit).click()
  await button(page, texts.codeSubmit).click()
  await t.resolves(page.locator('.page canvas').first().waitFor())
  await closeTab(t, tab, world.url)
})
