/** The look that a tenant chose, on the pages of its cases (decision 226), in Chromium. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { brandColours } from '../../domain/tenants/branding.ts'
import { TEXTS } from '../../web/texts/use-texts.ts'
import { openWorld, type Json } from '../conformance/world.ts'
import { LOGO_PNG } from '../fixtures/logos.ts'
import { closeTab, DEVICES, look, needsChromium, openBrowser, openTab } from './browser.ts'
import { button, opened, signAndConsent } from './cases.ts'
import { drawn, handOver, inPerson, LANDSCAPE, pairKiosk, register } from './kiosks.ts'

t.setTimeout(300_000)

const COLOUR = '#ffcc00'

const linkOf = ({ participants }: Json): string => participants[0].signerUrl

async function openBranded(t: Test) {
  const file = join(t.testdir({}), 'logo')
  await writeFile(file, LOGO_PNG)
  return openWorld(t, { BRAND_COLOUR: COLOUR, BRAND_LOGO: file, SENDER_NAME: 'Acme' })
}

/** Waits until the main button has this background, as `rgb(…)`. */
const untilButtonIs = (page: Page, colour: string) =>
  page.waitForFunction((expected) => {
    const button = document.querySelector('.button.primary')
    return button !== null && getComputedStyle(button).backgroundColor === expected
  }, colour)

function rgb(colour: string): string {
  const value = Number.parseInt(colour.slice(1), 16)
  return `rgb(${value >> 16}, ${(value >> 8) & 0xff}, ${value & 0xff})`
}

/** The box of the logo, which must be on the screen and small, whatever its shape. */
async function assertSmallLogo(t: Test, page: Page, name: string): Promise<void> {
  const box = await page.getByRole('img', { name }).boundingBox()
  const { width = 0 } = page.viewportSize() ?? {}
  if (!box) return void t.fail('there is no logo')
  t.ok(box.width > 8 && box.width <= width * 0.45, `width ${box.width}`)
  t.ok(box.height > 8 && box.height <= 40, `height ${box.height}`)
  t.ok(box.x >= 0 && box.y >= 0 && box.y < 100, 'at the top')
}

t.test('pages of a case have its logo and its colours in both themes', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openBranded(t)
  const signatureCase = await opened(world, { sender: undefined, multiFactorType: 'EMAIL' })
  const { light, dark } = brandColours(COLOUR)
  const themes = [
    ['light', light],
    ['dark', dark],
  ] as const
  for (const [colorScheme, { background }] of themes) {
    const tab = await openTab(browser, { ...DEVICES.phone, colorScheme, locale: 'sk-SK' })
    const { page } = tab
    await page.goto(linkOf(signatureCase))
    await page.getByText(TEXTS.sk.asksYou('Acme')).waitFor()
    await assertSmallLogo(t, page, TEXTS.sk.logoOf('Acme'))
    await t.resolves(untilButtonIs(page, rgb(background)), colorScheme)
    t.ok(await page.getByText(TEXTS.sk.serviceName, { exact: true }).isVisible())
    await look(t, tab, `brand-${colorScheme}`)
    await closeTab(t, tab, world.url)
  }
  await world.asTenant('DELETE', `/cases/${signatureCase.id}`)
  const tab = await openTab(browser, { ...DEVICES.desktop, locale: 'en-US' })
  await tab.page.goto(linkOf(signatureCase))
  await tab.page.getByRole('heading', { name: TEXTS.sk.cancelledHeading }).waitFor()
  await assertSmallLogo(t, tab.page, TEXTS.sk.logoOf('Acme'))
  await look(t, tab, 'brand-cancelled')
  await tab.page.goto(`${world.url}/verify`)
  await tab.page.getByRole('heading').first().waitFor()
  t.equal(await tab.page.locator('.logo').count(), 0, 'verdicts have the look of the service')
  await closeTab(t, tab, world.url)
})

t.test(
  'a kiosk has the look of its tenant before and after a document',
  needsChromium,
  async (t) => {
    const browser = await openBrowser(t)
    const world = await openBranded(t)
    const { light, dark } = brandColours(COLOUR)
    const texts = TEXTS.en
    for (const [colorScheme, { background }] of Object.entries({ light, dark })) {
      const tab = await openTab(browser, {
        ...LANDSCAPE,
        colorScheme: colorScheme as 'light' | 'dark',
      })
      const { page } = tab
      const device = await register(world)
      await pairKiosk(tab, world, device.token)
      const logo = page.getByRole('img', { name: texts.logoOf('Acme') })
      await logo.waitFor()
      t.ok(await page.getByText('Acme', { exact: true }).isVisible(), 'whose screen it is')
      await look(t, tab, `brand-kiosk-idle-${colorScheme}`)
      await handOver(world, await inPerson(world), device)
      await page.getByText(texts.kioskGreeting('Jana N.')).waitFor()
      await logo.waitFor()
      await t.resolves(untilButtonIs(page, rgb(background)), 'the greeting has the colour')
      await look(t, tab, `brand-kiosk-greeting-${colorScheme}`)
      await button(page, texts.kioskYes).click()
      await page.locator('.page canvas').first().waitFor()
      await drawn(tab)
      await button(page, texts.useSignature).click()
      await signAndConsent(page)
      await page.getByText(texts.kioskThanks).waitFor()
      await page.getByText(texts.kioskReady).waitFor()
      await t.resolves(logo.waitFor(), 'the logo is there after a visit')
      const kept = await page.evaluate(() =>
        document.documentElement.style.getPropertyValue('--brand-light'),
      )
      t.equal(kept, light.background, 'so are the colours')
      await closeTab(t, tab, world.url)
    }
  },
)

t.test('a kiosk that is paired anew does not keep the look before it', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openBranded(t)
  const tab = await openTab(browser, LANDSCAPE)
  const { page } = tab
  await pairKiosk(tab, world, (await register(world)).token)
  const logo = page.getByRole('img', { name: TEXTS.en.logoOf('Acme') })
  await logo.waitFor()
  const { deviceId, token } = await register(world)
  // The channel of the new device does not open, so its look stays unknown.
  await page.route(`**/devices/${deviceId}/events`, (route) => route.abort())
  const asked = page.waitForRequest(`**/devices/${deviceId}/events`)
  await page.goto(`${world.url}/kiosk#${token}`)
  await asked
  await t.resolves(logo.waitFor({ state: 'detached' }))
  t.equal(await page.evaluate(() => document.documentElement.style.length), 0, 'no colours either')
  await page.close()
})
