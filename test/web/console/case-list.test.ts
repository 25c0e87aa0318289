import t from 'tap'
import { person } from '../../conformance/world.ts'
import { closeTab, DEVICES, look, needsChromium, openTab } from '../browser.ts'
import { button, opened, TITLE } from '../cases.ts'
import { enter, openDesk, texts } from './desk.ts'
import { fakeIndex } from './lists.ts'
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
  const sizes = await page
    .locator('.filters .input')
    .evaluateAll((all) => all.map((one) => getComputedStyle(one).fontSize))
  t.same([...new Set(sizes)], ['16px'], 'phones do not zoom into the filters')
  await look(t, tab, 'console-cases')
  await page.getByLabel(texts.search).fill('kon zmluva')
  await page.getByText(texts.casesFound(1)).waitFor()
  t.match(await page.locator('.case-row').textContent(), /Peter Kôň/)
  await page.getByLabel(texts.search).fill('')
  await page.getByText(texts.casesFound(3)).waitFor()
  await page.getByLabel(texts.filterStatus).selectOption('CANCELLED')
  await page.getByText(texts.casesFound(1)).waitFor()
  t.match(await page.locator('.case-row').textContent(), /Nájomná zmluva/)
  await page.setViewportSize({ width: 320, height: 640 })
  await look(t, tab, 'console-cases-narrow')
  await closeTab(t, tab, world.url)
})

const DAY_MS = 24 * 60 * 60 * 1000
/** A day, as a field of days has it, some days from now. */
const dayFromNow = (days: number) =>
  new Date(Date.now() + days * DAY_MS).toISOString().replace(/T.*/, '')

t.test('the service searches, filters by day and sorts', needsChromium, async (t) => {
  const { world, tab, page } = await openDesk(t)
  const asked: Record<string, unknown>[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/graphql')) asked.push(request.postDataJSON().variables)
  })
  await world.create({ title: 'Objednávka jabĺk' })
  await world.create({ title: 'Objednávka hrušiek' })
  const rows = page.locator('.case-row')
  await page.getByText(texts.casesFound(2)).waitFor()
  await page.getByLabel(texts.order).selectOption('CREATED_ASC')
  await rows.first().getByText('Objednávka jabĺk').waitFor()
  await page.getByLabel(texts.search).focus()
  await page.keyboard.type('objednavka hrusiek')
  await page.getByText(texts.casesFound(1)).waitFor()
  t.match(asked.at(-1), { search: 'objednavka hrusiek', sort: 'CREATED_ASC', filter: {} })
  await page.getByLabel(texts.search).fill('')
  await page.getByText(texts.casesFound(2)).waitFor()
  await page.getByLabel(texts.filterFrom).fill(dayFromNow(2))
  await page.getByText(texts.casesFound(0)).waitFor()
  t.equal(await page.getByText(texts.casesNone).count(), 0, 'the tenant has cases')
  await page.getByLabel(texts.filterFrom).fill(dayFromNow(-2))
  await page.getByText(texts.casesFound(2)).waitFor()
  await page.getByLabel(texts.filterUntil).fill(dayFromNow(-2))
  await page.getByText(texts.casesFound(0)).waitFor()
  await world.create({ title: 'Objednávka sliviek' })
  await page.getByLabel(texts.filterUntil).fill(dayFromNow(2))
  await page.getByText(texts.casesFound(3)).waitFor()
  await page.getByLabel(texts.search).fill('objednavka ceresni')
  await page.getByText(texts.casesFound(0)).waitFor()
  await world.create({ title: 'Objednávka čerešní' })
  await page.getByText(texts.casesFound(1)).waitFor()
  await closeTab(t, tab, world.url)
})

t.test('many cases are shown in steps', needsChromium, async (t) => {
  const { world, tab, page } = await openDesk(t)
  await fakeIndex(page, { count: 200 })
  await page.reload()
  await page.getByText(texts.casesSome(120)).waitFor()
  const rows = page.locator('.case-row')
  t.equal(await rows.count(), 120)
  // Other tests look at rows: with 120 of them, axe takes two seconds.
  await look(t, tab, 'console-cases-cut', { within: '.case-list + *' })
  await button(page, texts.showMore).focus()
  await page.keyboard.press('Enter')
  await page.getByText(texts.casesFound(200)).waitFor()
  t.equal(await rows.count(), 200)
  t.equal(await button(page, texts.showMore).count(), 0)
  await closeTab(t, tab, world.url)
})

t.test('a service without an index says what is sorted', needsChromium, async (t) => {
  const { world, tab, page } = await openDesk(t)
  await fakeIndex(page, { count: 500, code: 'INDEX_REQUIRED' })
  await page.reload()
  const rows = page.locator('.case-row')
  const status = page.getByRole('status')
  await status.getByText(texts.faultIndexRequired).waitFor()
  await status.getByText(texts.orderPartly).waitFor()
  t.equal(await rows.count(), 100)
  await look(t, tab, 'console-cases-no-index', { within: '[role="status"]' })
  await page.unroute('**/graphql')
  await fakeIndex(page, { count: 500, code: 'TIMEOUT' })
  await page.getByLabel(texts.order).selectOption('CREATED_ASC')
  await status.getByText(texts.faultTimeout).waitFor()
  await page.unroute('**/graphql')
  await fakeIndex(page, { count: 30, code: 'INDEX_REQUIRED' })
  await page.getByLabel(texts.order).selectOption('CREATED_DESC')
  await page.getByText(texts.casesFound(30)).waitFor()
  t.equal(await page.getByText(texts.orderPartly).count(), 0, 'all of them are sorted')
  await closeTab(t, tab, world.url)
})

t.test('both languages and themes, and a case that is not there', needsChromium, async (t) => {
  const { browser, world, tab } = await openDesk(t)
  await closeTab(t, tab, world.url)
  const { id } = await opened(world, { participants: [JANA, PETER] })
  const dark = await openTab(browser, { ...DEVICES.phone, locale: 'en-GB', colorScheme: 'dark' })
  await enter(dark, world)
  await button(dark.page, texts.menu).click()
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
