/** Pages on small screens, at 200 % zoom and with large text, in both languages. */
import { Buffer } from 'node:buffer'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { openFreshWorld, person, type World } from '../conformance/world.ts'
import { minimalPdf } from '../fixtures/minimal-pdf.ts'
import { CONSOLE_ENGLISH } from '../../web/texts/console-en.ts'
import { CONSOLE_SLOVAK } from '../../web/texts/console-sk.ts'
import { TEXTS } from '../../web/texts/use-texts.ts'
import {
  checkFit,
  closeTab,
  needsChromium,
  openBrowser,
  openTab,
  uncovered,
  type Tab,
} from './browser.ts'
import { button, draw, field, opened, pages } from './cases.ts'
import { enter } from './console/desk.ts'
import { wordsOutside } from './words.ts'
import { handOver, inPerson, register } from './kiosks.ts'

t.setTimeout(600_000)

/** In CSS pixels. The first is a screen of 1280 by 800 at 200 %; all have two pixels for one. */
const SIZES = [
  { width: 640, height: 400 },
  { width: 844, height: 390 },
  { width: 320, height: 256 },
] as const
/** Text of twice the size, as people choose it in their browser, on the narrowest screen. */
const LARGE_TEXT = { size: { width: 320, height: 640 }, standard: 32, usual: 16 } as const
/** A screen of 1280 by 1024 at 200 %: lower than the pad with all that belongs to it. */
const HALF_OF_SCREEN = { width: 640, height: 512 } as const
/** So much of the document is to be read at once, and of the pad to be drawn on. */
const LEAST_READ_PX = 120
const LEAST_PAD_PX = 90
const LANGUAGES = ['sk', 'en'] as const
type Language = (typeof LANGUAGES)[number]
const CONSOLE = { sk: CONSOLE_SLOVAK, en: CONSOLE_ENGLISH } as const

/** A tab of one language. */
async function open(t: Test, language: Language) {
  const browser = await openBrowser(t)
  const world = await openFreshWorld(t)
  const locale = language === 'sk' ? 'sk-SK' : 'en-GB'
  const [viewport] = SIZES
  const tab = await openTab(browser, { viewport, hasTouch: true, deviceScaleFactor: 2, locale })
  return { world, tab, page: tab.page }
}

/** No text leaves its button or the screen. A word may break where it is wider than the screen. */
async function checkLargeText(t: Test, { page, context }: Tab, name: string): Promise<void> {
  const { size, standard, usual } = LARGE_TEXT
  const scrolled = await page.evaluate(() => scrollY)
  const session = await context.newCDPSession(page)
  await session.send('Page.setFontSizes', { fontSizes: { standard } })
  await page.setViewportSize(size)
  const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth)
  t.equal(scrollWidth, size.width, `${name}, large text: the shell does not scroll sideways (S1)`)
  t.same(await wordsOutside(page), [], `${name}, large text: words stay in their buttons (S12)`)
  await session.send('Page.setFontSizes', { fontSizes: { standard: usual } })
  await session.detach()
  await page.setViewportSize(SIZES[0])
  await page.evaluate((top) => scrollTo({ top, behavior: 'instant' }), scrolled)
}

/** Checks a state of a page in all sizes. @param check also in each size */
async function inAllSizes(
  t: Test,
  tab: Tab,
  name: string,
  check?: (name: string) => Promise<unknown>,
): Promise<void> {
  for (const size of SIZES) {
    await tab.page.setViewportSize(size)
    const sized = `${name}-${size.width}x${size.height}`
    await checkFit(t, tab, sized)
    await check?.(sized)
  }
  await tab.page.setViewportSize(SIZES[0])
  // Its words are longer.
  if (name.includes('-sk')) await checkLargeText(t, tab, name)
}

/** A case of one person of the language. */
const invited = async (world: World, language: Language, more: object = {}, document = pages(3)) =>
  opened(
    world,
    { participants: [person({ language, signatureFields: [field('f1', 1, 300)] })], ...more },
    document,
  )

/** From the document to the consent. */
async function checkSigning(t: Test, tab: Tab, language: Language, name: string): Promise<void> {
  const { page } = tab
  const texts = TEXTS[language]
  await page.locator('.page canvas').first().waitFor()
  await inAllSizes(t, tab, `${name}-document`, async (sized) => {
    await page.locator('[data-page="1"]').evaluate((one) => one.scrollIntoView())
    const read = await uncovered(page, '[data-page="1"]')
    t.ok(read >= LEAST_READ_PX, `${sized}: ${read} px of the document are uncovered`)
  })
  await button(page, texts.nextField).click()
  await page.locator('.pad canvas').waitFor()
  await inAllSizes(t, tab, `${name}-pad`, async (sized) => {
    const pad = await uncovered(page, '.pad canvas')
    t.ok(pad >= LEAST_PAD_PX, `${sized}: ${pad} px of the pad are in view`)
  })
  for (const method of await page.getByRole('tab').allTextContents()) {
    await page.getByRole('tab', { name: method }).click()
    await inAllSizes(t, tab, `${name}-pad-${method}`)
  }
  await page.getByRole('tab', { name: texts.draw }).click()
  await page.setViewportSize(HALF_OF_SCREEN)
  const use = await button(page, texts.useSignature).boundingBox()
  const bottom = (use?.y ?? Infinity) + (use?.height ?? 0)
  t.ok(bottom <= HALF_OF_SCREEN.height, `what goes on ends at ${bottom} px, in view`)
  await page.setViewportSize(SIZES[0])
  await draw(page)
  await button(page, texts.useSignature).click()
  await page.getByText(texts.allFieldsDone).waitFor()
  await inAllSizes(t, tab, `${name}-placed`, async (sized) => {
    const read = await uncovered(page, '[data-page="1"]')
    t.ok(read >= LEAST_READ_PX, `${sized}: ${read} px of the document are uncovered`)
  })
  await button(page, texts.finish).click()
  await page.getByLabel(texts.consentShort).check()
  await inAllSizes(t, tab, `${name}-consent`)
  await button(page, texts.signDocument).click()
}

for (const language of LANGUAGES) {
  const texts = TEXTS[language]

  t.test(`the signing page on small screens, ${language}`, needsChromium, async (t) => {
    const { world, tab, page } = await open(t, language)
    const more = { multiFactorType: 'EMAIL' }
    const { participants } = await invited(world, language, more)
    await page.goto(participants[0].signerUrl)
    await button(page, texts.codeSend).click()
    await page.getByLabel(texts.codeLabel).fill('000000')
    await button(page, texts.codeSubmit).click()
    await page.getByText(texts.codeWrong(4)).waitFor()
    await inAllSizes(t, tab, `sign-${language}-code`)
    await page.getByLabel(texts.codeLabel).fill(await world.code('jana@example.com'))
    await button(page, texts.codeSubmit).click()
    await page.locator('.page canvas').first().waitFor()
    await button(page, texts.more).click()
    await inAllSizes(t, tab, `sign-${language}-more`)
    for (const choice of [texts.safety, texts.decline]) {
      await button(page, choice).click()
      await inAllSizes(t, tab, `sign-${language}-more-${choice}`)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await button(page, texts.more).click()
    }
    await page.keyboard.press('Escape')
    await checkSigning(t, tab, language, `sign-${language}`)
    await page.getByText(texts.doneReady).waitFor()
    await inAllSizes(t, tab, `sign-${language}-done`)
    await page.goto(participants[0].signerUrl.replace(/.$/, (last: string) => `${last}x`))
    await page.getByText(texts.linkHeading).waitFor()
    await inAllSizes(t, tab, `sign-${language}-link`)
    await closeTab(t, tab, world.url)
  })

  t.test(`the kiosk on small screens, ${language}`, needsChromium, async (t) => {
    const { world, tab, page } = await open(t, language)
    const device = await register(world)
    await page.goto(`${world.url}/kiosk`)
    await button(page, texts.kioskPairSubmit).waitFor()
    await inAllSizes(t, tab, `kiosk-${language}-pairing`)
    await page.goto(`${world.url}/kiosk#${device.token}`)
    await page.getByText(texts.kioskConnected).waitFor()
    await inAllSizes(t, tab, `kiosk-${language}-idle`)
    const participants = [
      person({ language, notify: false, signatureFields: [field('f1', 1, 300)] }),
    ]
    await handOver(world, await inPerson(world, 'Jana', { participants }), device)
    await page.getByText(texts.kioskGreeting('Jana N.')).waitFor()
    await inAllSizes(t, tab, `kiosk-${language}-greeting`)
    await button(page, texts.kioskYes).click()
    await checkSigning(t, tab, language, `kiosk-${language}`)
    await page.getByText(texts.kioskThanksUnmailed).waitFor()
    t.equal(await page.getByText(texts.kioskThanksText).count(), 0, 'no mail is promised')
    await inAllSizes(t, tab, `kiosk-${language}-thanks`)
    await closeTab(t, tab, world.url)
  })

  t.test(`verification on small screens, ${language}`, needsChromium, async (t) => {
    const { world, tab, page } = await open(t, language)
    const { id, participants } = await invited(world, language)
    await world.sign(participants[0])
    const { signedDocument } = await world.untilStatus(id, 'DONE')
    const signed = Buffer.from(await world.download(signedDocument.url))
    await page.goto(`${world.url}/verify`)
    await page.getByText(texts.verifyTitle).first().waitFor()
    await inAllSizes(t, tab, `verify-${language}-choose`)
    const documents = {
      signed,
      changed: Buffer.concat([signed.subarray(0, 300), Buffer.from('x'), signed.subarray(301)]),
      unsigned: Buffer.from(minimalPdf()),
    }
    for (const [name, buffer] of Object.entries(documents)) {
      const file = { name: `${name}.pdf`, mimeType: 'application/pdf', buffer }
      await page.locator('input[type=file]').setInputFiles(file)
      await page.locator('.verdict').waitFor()
      await inAllSizes(t, tab, `verify-${language}-${name}`)
      await button(page, texts.verifyAnother).click()
    }
    await closeTab(t, tab, world.url)
  })

  t.test(`the console on small screens, ${language}`, needsChromium, async (t) => {
    const { world, tab, page } = await open(t, language)
    const words = CONSOLE[language]
    const beginsInView = async (sized: string) => {
      await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
      t.ok(await uncovered(page, 'h1'), `${sized}: the heading is on the first screen`)
    }
    await page.goto(`${world.url}/console`)
    await page.locator('h1').waitFor()
    await inAllSizes(t, tab, `console-${language}-sign-in`)
    await page.goto('about:blank')
    await enter(tab, world)
    await inAllSizes(t, tab, `console-${language}-empty`, beginsInView)
    const { id } = await invited(world, language, { title: 'Zmluva o dielo č. 2026/114' })
    await world.cancelled({ title: 'Nájomná zmluva' })
    await world.untilEvent(id, 'participant.invited')
    const show: Record<string, (on: Page) => Promise<unknown>> = {
      '#/cases': (on) => on.locator('.case-row').first().waitFor(),
      [`#/cases/${id}`]: (on) =>
        on.locator('.timeline').getByText(words.events['participant.invited']).waitFor(),
      '#/new': async (on) => {
        const file = { name: 'a.pdf', mimeType: 'application/pdf', buffer: Buffer.from(pages(1)) }
        await on.locator('input[type=file]').setInputFiles(file)
        await button(on, words.fieldAdd(1)).click()
        await on.locator('.field-grip').first().waitFor()
      },
      '#/devices': async (on) => {
        await on.getByLabel(words.deviceName).fill('Recepcia')
        await button(on, words.deviceRegister).click()
        await on.locator('.pairing-code').waitFor()
      },
      '#/webhooks': (on) => on.locator('h1').waitFor(),
      '#/statistics': (on) =>
        on.getByRole('heading', { name: words.measures.undelivered }).waitFor(),
    }
    for (const [hash, shown] of Object.entries(show)) {
      await page.goto(`${world.url}/console${hash}`)
      await shown(page)
      const name = `console-${language}${hash.replaceAll(/[#/]/g, '-').slice(0, 12)}`
      await inAllSizes(t, tab, name, beginsInView)
    }
    await closeTab(t, tab, world.url)
  })
}
