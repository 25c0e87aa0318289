import t, { type Test } from 'tap'
import type { Browser } from 'playwright-core'
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
import { button, draw, field, opened, readPage, SENDER, TITLE } from '../cases.ts'
import { stopClock, waitOnStoppedClock } from '../clock.ts'

/** A JWS: three letters alone can be part of any signature of a link. */
const TOKEN = /eyJ[\w-]*\.eyJ/
const LANGUAGES = { phone: 'sk', desktop: 'en' } as const

/** Has the code sent, and enters it as people paste it. */
async function passCode(t: Test, tab: Tab, world: World, language: 'sk' | 'en', email: string) {
  const { page } = tab
  const texts = TEXTS[language]
  await button(page, texts.codeSend).waitFor()
  t.notOk(
    tab.requests.some((url) => url.includes('/objects/')),
    'no byte of the document before the code (S3)',
  )
  await look(t, tab, `${language}-code-before`)
  await button(page, texts.codeSend).click()
  const input = page.getByLabel(texts.codeLabel)
  await input.waitFor()
  t.equal(await input.getAttribute('inputmode'), 'numeric')
  t.equal(await input.getAttribute('autocomplete'), 'one-time-code', 'filled in by phones (S3)')
  t.match(await page.textContent('main'), 'j***@e***.com', 'the destination is masked')
  await input.fill('000000')
  await button(page, texts.codeSubmit).click()
  await page.getByText(texts.codeWrong(4)).waitFor()
  await look(t, tab, `${language}-code-wrong`)
  const code = await world.code(email)
  await input.fill(`${code.slice(0, 3)} ${code.slice(3)}`)
  // The first page counts as viewed after a second: the clock is stopped before it is shown.
  await stopClock(page)
  await button(page, texts.codeSubmit).click()
}

async function wholeFlow(t: Test, world: World, browser: Browser, device: 'phone' | 'desktop') {
  const language = LANGUAGES[device]
  const texts = TEXTS[language]
  const email = `jana.${device}@example.com`
  const { id, participants } = await opened(world, {
    multiFactorType: 'EMAIL',
    participants: [
      person({ language, email, signatureFields: [field('f1', 1, 300), field('f2', 3, 500)] }),
    ],
  })
  const tab = await openTab(browser, { ...DEVICES[device], locale: 'fr-FR' })
  const { page } = tab
  await page.clock.install()
  await page.goto(participants[0].signerUrl)
  await passCode(t, tab, world, language, email)

  await waitOnStoppedClock(page, page.locator('.page canvas').first())
  await waitOnStoppedClock(page, page.getByText(texts.reviewed(0, 3)))
  await page.clock.resume()
  t.equal(await page.getAttribute('html', 'lang'), language)
  for (const text of [TITLE, SENDER, 'Jana Nováková', texts.fieldsLeft(2)]) {
    t.ok(await page.getByText(text).count(), `the page says “${text}” (S2)`)
  }
  t.equal(await page.locator('.textLayer').first().textContent(), 'Page 1', 'text is text (S4)')
  await look(t, tab, `${device}-document`)
  const viewport = page.viewportSize() ?? { width: 0, height: 0 }
  await page.setViewportSize({ width: 320, height: 640 })
  await look(t, tab, `${device}-narrow`)
  await page.setViewportSize(viewport)

  const waits = await button(page, texts.finish).getAttribute('aria-disabled')
  t.equal(waits, 'true', 'nothing is finished before every field is signed (S5)')
  const focused = page.locator('[data-field="f1"]:focus')
  await button(page, texts.nextField).click()
  await t.resolves(page.getByRole('dialog').waitFor(), 'the pad opens at the next field (S5)')
  await button(page, texts.useSignature).click()
  await page.getByText(texts.drawEmpty).waitFor()
  await draw(page)
  await look(t, tab, `${device}-draw`)
  // A device that is turned keeps the drawing (S6).
  await page.setViewportSize({ width: viewport.height, height: viewport.width })
  await look(t, tab, `${device}-turned`)
  await page.setViewportSize(viewport)
  await button(page, texts.useSignature).click()
  await t.resolves(focused.waitFor(), 'the dialog gives the focus back (S12)')
  await page.getByText(texts.allFieldsDone).waitFor()

  await page.reload()
  await page.getByText(texts.allFieldsDone).waitFor()
  await stopClock(page)
  for (const number of [1, 2, 3]) await readPage(page, number)
  await page.clock.resume()
  await page.getByText(texts.reviewed(3, 3)).waitFor()
  await look(t, tab, `${device}-signed`)
  await button(page, texts.finish).click()
  await button(page, texts.signDocument).click()
  await page.getByText(texts.consentMissing).waitFor()
  await page.getByLabel(texts.consentShort).check()
  await look(t, tab, `${device}-consent`)
  const posts: Json[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/signature')) posts.push(request.postDataJSON())
  })
  await button(page, texts.signDocument).dblclick()
  await page.getByText(texts.doneHeading).waitFor()
  t.equal(posts.length, 1, 'two clicks sign once (S9)')
  t.match(posts[0], { fieldIds: ['f1', 'f2'] }, 'signed once, for every field (S6)')
  t.match(posts[0].consent, { textVersion: /./, acceptedAt: /Z$/ }, 'the text that was read (S7)')
  t.match(posts[0].client, { viewedAllPages: true, language }, 'every page was seen (S8)')
  await page.getByText(texts.doneReady).waitFor()
  await look(t, tab, `${device}-done`)
  const download = page.waitForEvent('download')
  await button(page, texts.download).click()
  const name = (await download).suggestedFilename()
  t.match(name, /^Zmluva .*-signed\.pdf$/, 'the document can be downloaded (S10)')
  t.equal((await world.get(id)).status, 'DONE')
  const kept = await page.evaluate(() => Object.keys(sessionStorage).join())
  t.notMatch(kept, 'draft', 'the drawing is not kept once it is sent')
  t.notOk(
    tab.requests.some((url) => TOKEN.test(url) && !url.includes('#')),
    'no token in a URL (S14)',
  )
  await closeTab(t, tab, world.url)
}

t.setTimeout(600_000)

t.test(
  'a document is signed from the link, with a code, on phone and desktop',
  needsChromium,
  async (t) => {
    const browser = await openBrowser(t)
    const world = await openWorld(t)
    await t.test('phone, Slovak', (t) => wholeFlow(t, world, browser, 'phone'))
    await t.test('desktop, English', (t) => wholeFlow(t, world, browser, 'desktop'))
  },
)
