import t from 'tap'
import { openWorld, person } from '../../conformance/world.ts'
import { TEXTS } from '../../../web/texts/use-texts.ts'
import { closeTab, DEVICES, look, needsChromium, openBrowser, openTab } from '../browser.ts'
import { opened } from '../cases.ts'

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
