/** Pages of the console follow changes by the stream, and by polling where there is no stream. */
import t from 'tap'
import { closeTab, needsChromium } from '../browser.ts'
import { opened, TITLE } from '../cases.ts'
import { openDesk, texts } from './desk.ts'

t.setTimeout(300_000)
const PATIENCE_MS = 60_000

const isRead = (url: string) => /\/graphql$|\/cases\//.test(url)

t.test('the list and a case follow without reading all again', needsChromium, async (t) => {
  const { world, tab, page } = await openDesk(t)
  page.setDefaultTimeout(PATIENCE_MS)
  const { id, participants } = await opened(world)
  await page.locator('.case-row', { hasText: TITLE }).waitFor()
  await page.locator('.badge', { hasText: texts.statuses.IN_PROGRESS }).waitFor()
  t.ok(tab.requests.some((url) => url.endsWith('/graphql/stream')))
  const reads = tab.requests.filter(isRead).length
  await world.sign(participants[0])
  await page.locator('.badge', { hasText: texts.statuses.DONE }).waitFor()
  t.equal(tab.requests.filter(isRead).length, reads, 'the list was not read again')
  await page.getByRole('link', { name: TITLE }).click()
  await page.locator('.timeline').getByText(texts.events['case.completed']).waitFor()
  t.ok(tab.requests.some((url) => url.endsWith(`/cases/${id}`)))
  await closeTab(t, tab, world.url)
})

t.test('without a stream the page reads every few seconds', needsChromium, async (t) => {
  const { world, tab, page } = await openDesk(t)
  page.setDefaultTimeout(PATIENCE_MS)
  await page.route('**/graphql/stream', (route) => route.fulfill({ status: 429 }))
  await page.reload()
  await page.getByText(texts.casesNone).waitFor()
  await opened(world)
  await page.locator('.case-row', { hasText: TITLE }).waitFor()
  await closeTab(t, tab, world.url)
})
