import t from 'tap'
import { person } from '../../conformance/world.ts'
import { closeTab, DEVICES, look, needsChromium, openTab } from '../browser.ts'
import { button, opened, TITLE } from '../cases.ts'
import { enter, openDesk, texts } from './desk.ts'
import { CONSOLE_SLOVAK } from '../../../web/texts/console-sk.ts'

t.setTimeout(600_000)

const JANA = person({ language: 'en' })
const PETER = person({ firstName: 'Peter', lastName: 'Kôň', email: 'peter@example.com' })

t.test('cases are listed, searched and filtered', needsChromium, async (t) => {
  const { world, tab, page } = await openDesk(t)
  await opened(world, { participants: [JANA, PETER] })
  await world.cancelled({ title: 'Nájomná zmluva' })
  await world.create({ title: 'Objednávka 7' })
  await page.getByText(texts.casesFound(3)).waitFor()
  t.match(await page.locator('.case-row').first().textContent(), 'Objednávka 7', 'newest first')
  await look(t, tab, 'console-cases')
  await page.getByLabel(texts.search).fill('kon zmluva')
  await page.getByText(texts.casesFound(1)).waitFor()
  t.match(await page.locator('.case-row').textContent(), /Peter Kôň/)
  await page.getByLabel(texts.search).fill('')
  await page.getByLabel(texts.filterStatus).selectOption('CANCELLED')
  await page.getByText(texts.casesFound(1)).waitFor()
  t.match(await page.locator('.case-row').textContent(), /Nájomná zmluva/)
  await page.setViewportSize({ width: 320, height: 640 })
  await look(t, tab, 'console-cases-narrow')
  await closeTab(t, tab, world.url)
})

t.test('both languages and themes, and a case that is not there', needsChromium, async (t) => {
  const { browser, world, tab } = await openDesk(t)
  await closeTab(t, tab, world.url)
  const { id } = await opened(world, { participants: [JANA, PETER] })
  const dark = await openTab(browser, { ...DEVICES.phone, locale: 'en-GB', colorScheme: 'dark' })
  await enter(dark, world)
  await button(dark.page, 'Slovenčina').click()
  await dark.page.getByText(CONSOLE_SLOVAK.casesFound(1)).waitFor()
  await look(t, dark, 'console-cases-dark-sk')
  await dark.page.getByRole('link', { name: TITLE }).click()
  await dark.page.getByText(CONSOLE_SLOVAK.signedOf(0, 2)).waitFor()
  await look(t, dark, 'console-case-dark-sk')
  const other = id.replace(/^./, (digit: string) => (digit === '0' ? '1' : '0'))
  await dark.page.goto(`${world.url}/console#/cases/${other}`)
  await dark.page.getByText(CONSOLE_SLOVAK.faultNotFound).waitFor()
  await dark.page.reload()
  t.equal(await dark.page.getAttribute('html', 'lang'), 'sk', 'the language stays')
  await closeTab(t, dark, world.url)
})
