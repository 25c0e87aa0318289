import t from 'tap'
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
import { button, draw, field, opened } from '../cases.ts'

t.setTimeout(600_000)

const texts = TEXTS.en
/** From the link to the page that says that it is signed. */
const MOST_TAPS = 6
const MOST_TAPS_PER_FURTHER_FIELD = 2

async function invited(world: World, signatureFields: object[]): Promise<Json> {
  const { participants } = await opened(world, {
    participants: [person({ language: 'en', signatureFields })],
  })
  return participants[0]
}

/** Signs as the page leads, and counts each press of the finger: a stroke is one. */
async function tapsToSign(tab: Tab, url: string): Promise<number> {
  const { page } = tab
  await page.addInitScript(() => {
    const counted = window as unknown as { taps: number }
    counted.taps = 0
    window.addEventListener('pointerdown', () => counted.taps++, { capture: true })
  })
  await page.goto(url)
  await page.locator('.page canvas').first().waitFor()
  const next = button(page, texts.nextField).or(button(page, texts.placeHere))
  while (await next.count()) {
    await next.click()
    await draw(page)
    await button(page, texts.useSignature).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await button(page, texts.finish).click()
  await page.locator('label.tick').click()
  await button(page, texts.signDocument).click()
  await page.getByText(texts.doneHeading).waitFor()
  return page.evaluate(() => (window as unknown as { taps: number }).taps)
}

t.test('from the link to done: few taps', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openWorld(t)
  const fields = [field('f1', 1, 300), field('f2', 2, 300), field('f3', 3, 300)]
  for (const count of [0, 1, 3]) {
    const tab = await openTab(browser, DEVICES.phone)
    const { signerUrl } = await invited(world, fields.slice(0, count))
    const taps = await tapsToSign(tab, signerUrl)
    const most = MOST_TAPS + Math.max(0, count - 1) * MOST_TAPS_PER_FURTHER_FIELD
    t.ok(taps >= 5 && taps <= most, `${count} fields: ${taps} taps, at most ${most}`)
    await closeTab(t, tab, world.url)
  }
})

/** Addresses of the fonts of typed signatures. */
const HAND = '**/caveat-*'
const PATIENCE_MS = 300_000

async function openTypePad(page: Tab['page']): Promise<void> {
  await button(page, texts.nextField).click()
  await page.getByRole('tab', { name: texts.type }).click()
  await page.getByAltText(texts.typePreview).waitFor()
}

t.test('a typed signature has styles', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openWorld(t)
  const { signerUrl } = await invited(world, [field('f1', 1, 300)])
  const tab = await openTab(browser, DEVICES.phone)
  const { page } = tab
  await page.goto(signerUrl)
  const title = page.getByRole('banner').getByRole('heading', { level: 1 })
  await t.resolves(title.waitFor(), 'the title is in the header of the page')
  await page.route(HAND, (route) => route.abort())
  await openTypePad(page)
  await page.unroute(HAND)
  await page.getByLabel(texts.typeLabel).fill('Jana')
  const isLoaded = () => [...document.fonts].some(({ family }) => family.includes('Hand Latin'))
  const options = { timeout: PATIENCE_MS }
  await t.resolves(
    page.waitForFunction(isLoaded, null, options),
    'fonts are loaded once they can be',
  )
  tab.complaints.length = 0
  await page.reload()
  await openTypePad(page)
  const pictures = await page
    .locator('.hand img')
    .evaluateAll((all) => all.map((one) => (one as HTMLImageElement).src))
  t.equal(new Set(pictures).size, 3, 'each style looks different')
  await page.getByRole('radio', { name: texts.typeStyle(3) }).check()
  await look(t, tab, 'type-styles')
  const name = page.getByLabel(texts.typeLabel)
  const typed = await name.inputValue()
  await name.fill('Jana \u0378')
  await page.getByRole('alert').getByText(texts.typeNoFont).first().waitFor()
  t.equal(await page.locator('.hand').count(), 0, 'a name that would be a box is not offered')
  await button(page, texts.useSignature).click()
  await t.resolves(name.waitFor(), 'nor can it be signed with')
  await look(t, tab, 'type-no-font')
  await name.fill('अनीता')
  await page.getByAltText(texts.typePreview).waitFor()
  t.equal(await page.getByText(texts.typeNoFont).count(), 0, 'the service has a font for it')
  await name.fill(typed)
  await button(page, texts.useSignature).click()
  const kept = await page.evaluate(() => Object.values(sessionStorage).join())
  t.ok(kept.includes(String(pictures[2])), 'the chosen style is used')
  await closeTab(t, tab, world.url)
})
