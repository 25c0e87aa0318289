import t from 'tap'
import { TEXTS } from '../../../web/texts/use-texts.ts'
import { closeTab, DEVICES, look, needsChromium, openTab } from '../browser.ts'
import { button } from '../cases.ts'
import { inPerson, LANDSCAPE, pairKiosk, register } from '../kiosks.ts'
import { enter, openDesk, texts } from './desk.ts'

t.setTimeout(600_000)

const INTAKE_LIMIT_MS = 60_000

t.test('a kiosk is registered, paired by its codes and removed', needsChromium, async (t) => {
  const { browser, world, tab, page } = await openDesk(t)
  await page.goto(`${world.url}/console#/devices`)
  await page.getByText(texts.devicesNone).waitFor()
  await button(page, texts.deviceRegister).click()
  await page.getByText(texts.ruleRequired).waitFor()
  const name = page.getByLabel(texts.deviceName)
  const faulty = name.and(page.locator(':focus'))
  await t.resolves(faulty.waitFor(), 'the focus is on what is to be corrected')
  await name.fill('Recepcia')
  await button(page, texts.deviceRegister).click()
  await page.getByRole('img', { name: texts.pairQr('Recepcia') }).waitFor()
  await t.equal(await name.inputValue(), '', 'Enter does not register it twice')
  await page.getByText(texts.pairToken).click()
  await look(t, tab, 'console-device-paired')
  const code = page.locator('.pairing-code')
  const first = (await code.textContent()) ?? ''
  await button(page, texts.pairCodeNew).click()
  await code.filter({ hasNotText: first }).waitFor()
  const second = (await code.textContent()) ?? ''
  const token = (await page.locator('.token').textContent()) ?? ''
  const answer = await world.ask('POST', '/kiosk/pair', { body: { token } })
  t.equal(answer.status, 200, 'the token pairs a kiosk')
  await page.setViewportSize({ width: 320, height: 640 })
  await look(t, tab, 'console-devices-narrow')
  const kiosk = await openTab(browser, LANDSCAPE)
  await pairKiosk(kiosk, world, second)
  t.ok(await kiosk.page.getByText('Recepcia').count(), 'the code pairs this kiosk')
  await page.getByText(texts.deviceConnected, { exact: true }).waitFor()
  await look(t, tab, 'console-device-connected')
  await closeTab(t, kiosk, world.url)
  await t.resolves(page.getByText(texts.deviceAway, { exact: true }).waitFor(), 'it went away')
  await button(page, `${texts.deviceRemove}: Recepcia`).click()
  await page.getByText(texts.devicesNone).waitFor()
  t.equal(await page.locator('.pairing-code').count(), 0, 'codes that do not work are not shown')
  const focused = page.getByRole('heading', { name: texts.devices }).and(page.locator(':focus'))
  await t.resolves(focused.waitFor(), 'the focus is on the heading: the button is gone')
  await closeTab(t, tab, world.url)
})

t.test('a pairing code that cannot be created is reported', needsChromium, async (t) => {
  const { world, tab, page } = await openDesk(t)
  await page.route('**/pairingCode', (route) => route.fulfill({ status: 429 }))
  await page.goto(`${world.url}/console#/devices`)
  await page.getByLabel(texts.deviceName).fill('Recepcia')
  await button(page, texts.deviceRegister).click()
  await page.getByRole('alert').getByText(texts.faultTooMany).waitFor()
  t.equal(await page.locator('.pairing-code').count(), 0)
  await page.unroute('**/pairingCode')
  await button(page, texts.pairCodeNew).click()
  await page.locator('.pairing-code').waitFor()
  t.equal(await page.getByText(texts.faultTooMany).count(), 0)
  await closeTab(t, tab, world.url)
})

t.test('the demo button shows a case on a kiosk', needsChromium, async (t) => {
  const { browser, world, tab, page } = await openDesk(t)
  const device = await register(world)
  const kiosk = await openTab(browser, LANDSCAPE)
  await pairKiosk(kiosk, world, device.token)
  await page.goto(`${world.url}/console#/devices`)
  await button(page, `${texts.demo}: Reception`).click()
  // Intake reads the document in a process of its own first.
  const badge = page.locator('.badge', { hasText: texts.statuses.IN_PROGRESS })
  await badge.waitFor({ timeout: INTAKE_LIMIT_MS })
  await kiosk.page
    .getByText(/Jana D/)
    .first()
    .waitFor()
  await look(t, tab, 'console-demo-case')
  await closeTab(t, kiosk, world.url)
  await closeTab(t, tab, world.url)
})

t.test('a case that is signed in person is handed to a kiosk', needsChromium, async (t) => {
  const { browser, world, tab, page } = await openDesk(t)
  const device = await register(world)
  const kiosk = await openTab(browser, LANDSCAPE)
  await pairKiosk(kiosk, world, device.token)
  const { id } = await inPerson(world, 'Peter')
  await page.goto(`${world.url}/console#/cases/${id}`)
  await button(page, texts.handOver).click()
  await page.getByText(texts.handedOver).waitFor()
  await kiosk.page.getByText(/Peter/).first().waitFor()
  t.notOk(await kiosk.page.getByText(TEXTS.en.kioskConnected).isVisible(), 'no longer idle')
  await closeTab(t, kiosk, world.url)
  const later = await inPerson(world, 'Eva')
  await page.goto(`${world.url}/console#/cases/${later.id}`)
  await page
    .getByRole('option', { name: texts.kioskAway('Reception') })
    .waitFor({ state: 'attached' })
  await button(page, texts.handOver).click()
  await t.resolves(page.getByText(texts.handedOverLater).waitFor(), 'nothing is called shown')
  await look(t, tab, 'console-handed-over-later')
  const dark = await openTab(browser, { ...DEVICES.phone, locale: 'en-GB', colorScheme: 'dark' })
  await enter(dark, world)
  await dark.page.goto(`${world.url}/console#/cases/${id}`)
  await button(dark.page, texts.handOver).waitFor()
  await look(t, dark, 'console-hand-over-dark')
  await closeTab(t, dark, world.url)
  await closeTab(t, tab, world.url)
})
