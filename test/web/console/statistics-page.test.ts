import t from 'tap'
import { CONSOLE_SLOVAK } from '../../../web/texts/console-sk.ts'
import { closeTab, DEVICES, look, needsChromium, openTab, type Tab } from '../browser.ts'
import { button } from '../cases.ts'
import { enter, openDesk, texts } from './desk.ts'
import { fakeCases, fakeWebhooks } from './lists.ts'

t.setTimeout(600_000)

const { measures } = texts

/** The last row of the table of a measure: the current week. */
const thisWeek = ({ page }: Tab, measure: string) =>
  page.getByRole('table', { name: measure }).locator('tbody tr').last().locator('td')

t.test('the cases of the service are counted', needsChromium, async (t) => {
  const { world, tab, page } = await openDesk(t)
  await world.done()
  await world.inProgress()
  await world.cancelled()
  const created = await world.create()
  await world.upload(created, Buffer.from('not a PDF'))
  await world.untilStatus(created.case.id, 'UPLOAD_REJECTED')
  await page.getByRole('link', { name: texts.pageStatistics }).click()
  await page.getByText(texts.statisticsOver(4)).waitFor()
  t.equal(await thisWeek(tab, measures.sent).textContent(), '2', 'not the one without a document')
  t.equal(await thisWeek(tab, measures.signed).textContent(), '1')
  t.match(await thisWeek(tab, measures.medianMs).textContent(), /minutes?$/)
  t.equal(await thisWeek(tab, measures.rejected).textContent(), '1')
  t.equal(await thisWeek(tab, measures.undelivered).textContent(), '0')
  await world.inProgress()
  await thisWeek(tab, measures.sent).filter({ hasText: '3' }).waitFor()
  await closeTab(t, tab, world.url)
})

t.test('charts of many cases, and of more than are counted', needsChromium, async (t) => {
  const { browser, world, tab, page } = await openDesk(t)
  await fakeCases(page, { isCut: true })
  await fakeWebhooks(page, 6)
  await page.goto(`${world.url}/console#/statistics`)
  await page.getByText(texts.statisticsCut).waitFor()
  await page.getByText(texts.statisticsWebhooksCut(10)).waitFor()
  t.equal(await page.locator('.chart svg').count(), Object.keys(measures).length)
  const heights = await page
    .locator('.chart', { hasText: measures.sent })
    .locator('rect')
    .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().height))
  const rows = page.getByRole('table', { name: measures.sent }).locator('td')
  const counts = (await rows.allTextContents()).map(Number)
  const tallest = heights.indexOf(Math.max(...heights))
  t.equal(counts[tallest], Math.max(...counts), 'the tallest bar is the largest number')
  t.ok(counts.every((count, index) => count > 0 === (heights[index] ?? 0) > 0))
  await look(t, tab, 'console-statistics')
  await page.setViewportSize({ width: 320, height: 640 })
  await look(t, tab, 'console-statistics-narrow')
  await closeTab(t, tab, world.url)
  const dark = await openTab(browser, { ...DEVICES.phone, locale: 'en-GB', colorScheme: 'dark' })
  await fakeCases(dark.page, { isCut: false })
  await enter(dark, world)
  await button(dark.page, texts.menu).click()
  await button(dark.page, 'Slovenčina').click()
  await dark.page.getByRole('link', { name: CONSOLE_SLOVAK.pageStatistics }).click()
  await dark.page.getByRole('heading', { name: CONSOLE_SLOVAK.measures.sent }).waitFor()
  await look(t, dark, 'console-statistics-dark-sk')
  await closeTab(t, dark, world.url)
})

t.test('a list that cannot be read is reported', needsChromium, async (t) => {
  const { world, tab, page } = await openDesk(t)
  await page.route('**/tenant/webhook-events?*', (route) => route.fulfill({ status: 429 }))
  await page.goto(`${world.url}/console#/statistics`)
  await page.getByText(texts.faultTooMany).waitFor()
  t.equal(await page.locator('.chart').count(), 0, 'a part of the numbers is not shown')
  await closeTab(t, tab, world.url)
})
