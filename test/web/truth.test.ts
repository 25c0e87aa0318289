import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { openWorld, person, type Json } from '../conformance/world.ts'
import { CURRENT_CONSENTS } from '../../domain/consent.ts'
import { TEXTS } from '../../web/texts/use-texts.ts'
import { closeTab, DEVICES, look, needsChromium, openBrowser, openTab } from './browser.ts'
import { button, draw, field, opened, pages, readPage, scrollToPart } from './cases.ts'

t.setTimeout(150_000)

const texts = TEXTS.en
const english = (more: Record<string, unknown> = {}) => [person({ language: 'en', ...more })]

const viewed = (page: Page, count: number, of: number) =>
  page.getByText(texts.reviewed(count, of), { exact: true })

async function checkSkimming(t: Test, page: Page, count: number): Promise<void> {
  await page.locator('.page canvas').first().waitFor()
  for (let number = 1; number <= count; number++) {
    // The page is painted and in the middle of the screen, for an instant.
    await scrollToPart(page, number, 0.5)
    await page.locator(`[data-page="${number}"] canvas`).waitFor()
    await page.waitForTimeout(300)
  }
  t.ok(await viewed(page, 0, count).isVisible(), 'pages that only passed by do not count (S8)')
  await scrollToPart(page, 2, 0.95)
  await page.waitForTimeout(2_500)
  t.ok(await viewed(page, 0, count).isVisible(), 'nor does a page half of which is covered (S8)')
}

t.test('pages count as viewed when they were uncovered for a second', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openWorld(t)
  for (const device of [DEVICES.phone, DEVICES.desktop]) {
    const participants = english({ signatureFields: [field('f1', 1, 300)] })
    const { participants: people } = await opened(world, { participants }, pages(3))
    const tab = await openTab(browser, device)
    const { page } = tab
    await page.goto(people[0].signerUrl)
    await checkSkimming(t, page, 3)
    await readPage(page, 1)
    t.notOk(await viewed(page, 3, 3).isVisible(), 'page 3 was not read yet')
    for (const number of [2, 3]) await readPage(page, number)
    await viewed(page, 3, 3).waitFor()
    t.pass('pages that were shown whole count, also in parts (S8)')
    await closeTab(t, tab, world.url)
  }
})

t.test('the consent that is shown is the one that is recorded', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openWorld(t)
  const participants = english({ signatureFields: [field('f1', 1, 300)] })
  const created = await opened(world, { participants })
  const tab = await openTab(browser, DEVICES.phone)
  const { page } = tab
  await page.goto(created.participants[0].signerUrl)
  await page.locator('.page canvas').first().waitFor()
  await button(page, TEXTS.sk.languageName).click()
  await page.locator('.field').press('Enter')
  await draw(page)
  await button(page, TEXTS.sk.useSignature).click()
  await button(page, TEXTS.sk.finish).click()
  const { version, text } = CURRENT_CONSENTS.sk
  const label = page.locator('label.tick')
  t.equal(await label.textContent(), text, 'the whole text, in the language of the page (S7)')
  await look(t, tab, 'consent-other-language')
  await label.click()
  const posted = page.waitForRequest((request) => request.url().endsWith('/signature'))
  await button(page, TEXTS.sk.signDocument).click()
  const { consent } = (await posted).postDataJSON() as Json
  t.equal(consent.textVersion, version, 'what was read is what is recorded (S7)')
  await world.untilStatus(created.id, 'DONE')
  const { events } = (await world.asTenant('GET', `/cases/${created.id}/events`)).json as Json
  const consented = events.find(({ type }: Json) => type === 'participant.consented')
  t.equal(consented.data.textVersion, '2026-11-22-sk', 'the trail names text and language')
  await closeTab(t, tab, world.url)
})

t.test('nothing is called signed before it is', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openWorld(t)
  for (const language of ['sk', 'en'] as const) {
    const words = TEXTS[language]
    const signatureFields = [field('f1', 1, 300), field('f2', 1, 500)]
    const created = await opened(world, { participants: [person({ language, signatureFields })] })
    const tab = await openTab(browser, { viewport: { width: 320, height: 640 } })
    const { page } = tab
    await page.goto(created.participants[0].signerUrl)
    await page.locator('.field').first().press('Enter')
    await draw(page)
    const choices = await page.getByRole('dialog').getByRole('checkbox').count()
    t.equal(choices, 0, 'one drawing goes into all fields, and nothing says otherwise (S6)')
    await button(page, words.useSignature).click()
    await page.getByText(words.allFieldsDone).waitFor()
    t.equal(await page.locator('.field img, .field canvas').count(), 2, 'it is in both fields')
    const said = await page.locator('body').innerText()
    t.notMatch(said, /sú podpísané|are signed/i, 'fields are not signed yet (S5)')
    t.match(said, /ešte nie je podpísaný|not signed yet/, 'what is still to do is said (S5)')
    t.ok(await button(page, words.finish).isVisible())
    t.match(words.finish, /k\spodpisu|to signing/, 'the button names the next act (S7)')
    await look(t, tab, `placed-${language}`)
    await closeTab(t, tab, world.url)
  }
})
