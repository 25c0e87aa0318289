import t from 'tap'
import { openWorld, person } from '../../conformance/world.ts'
import { TEXTS } from '../../../web/texts/use-texts.ts'
import { closeTab, DEVICES, look, needsChromium, openBrowser, openTab } from '../browser.ts'
import { button, draw, field, opened, signAndConsent } from '../cases.ts'

t.setTimeout(600_000)

t.test('a mail is promised to those who get one', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openWorld(t)
  const other = person({ firstName: 'Peter', email: 'peter@example.com' })
  for (const language of ['sk', 'en'] as const) {
    const texts = TEXTS[language]
    for (const notify of [true, false]) {
      const participants = [person({ language, notify }), other]
      const { participants: people } = await opened(world, { participants })
      await world.sign(people[0])
      const tab = await openTab(browser, DEVICES.phone)
      const { page } = tab
      await page.goto(people[0].signerUrl)
      await page.getByText(texts.doneHeading).waitFor()
      const said = await page.getByRole('status').textContent()
      t.equal(said, notify ? texts.doneNext : texts.doneNextUnmailed, `${language}, ${notify}`)
      await look(t, tab, `done-${language}-${notify}`)
      await closeTab(t, tab, world.url)
    }
  }
})

const DEFINITION = '**/caseDefinition'

t.test('who has signed sees it, also when the line fails then (S9)', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openWorld(t)
  const texts = TEXTS.en
  const participants = [person({ language: 'en', signatureFields: [field('f1', 1, 300)] })]
  const { id, participants: people } = await opened(world, { participants })
  const tab = await openTab(browser, DEVICES.phone)
  const { page } = tab
  await page.route(DEFINITION, (route) => route.abort('internetdisconnected'), { times: 1 })
  await page.goto(people[0].signerUrl)
  await page.locator('.page canvas').first().waitFor()
  t.pass('a line that failed once is not noticed (S9)')
  await button(page, texts.nextField).click()
  await draw(page)
  await button(page, texts.useSignature).click()
  await page.route(DEFINITION, (route) => route.abort('internetdisconnected'))
  await signAndConsent(page)
  await page.getByText(texts.doneHeading).waitFor()
  await world.untilStatus(id, 'DONE')
  for (let count = 0; count < 4; count += 1) await page.waitForRequest(DEFINITION)
  t.ok(await page.getByText(texts.doneHeading).isVisible(), 'the page stays')
  t.ok(await page.getByText(texts.doneNow).isVisible())
  await page.unroute(DEFINITION)
  await t.resolves(page.getByText(texts.doneReady).waitFor(), 'and goes on once the line is back')
  await closeTab(t, tab, world.url)
})
