/** Long lists of the console show their beginning, and more on request. */
import t from 'tap'
import { closeTab, look, needsChromium } from '../browser.ts'
import { button } from '../cases.ts'
import { openDesk, texts } from './desk.ts'
import { fakeDevices, fakeWebhooks } from './lists.ts'

t.setTimeout(600_000)

t.test('a long list of kiosks is shown in steps', needsChromium, async (t) => {
  const { world, tab, page } = await openDesk(t)
  await fakeDevices(page, 25)
  await page.goto(`${world.url}/console#/devices`)
  await page.getByText(texts.devicesCut(10)).waitFor()
  const kiosks = page.locator('.plain-list > li')
  t.equal(await kiosks.count(), 10)
  await look(t, tab, 'console-devices-cut')
  await button(page, texts.showMore).focus()
  await page.keyboard.press('Enter')
  await page.getByText(texts.devicesCut(20)).waitFor()
  t.equal(await kiosks.count(), 20)
  await button(page, texts.showMore).click()
  await kiosks.nth(24).waitFor()
  await button(page, texts.showMore).waitFor({ state: 'detached' })
  t.equal(await kiosks.count(), 25)
  t.equal(await page.getByText(texts.devicesCut(25)).count(), 0, 'the list is complete')
  await closeTab(t, tab, world.url)
})

t.test('a long list of undelivered webhooks is shown in steps', needsChromium, async (t) => {
  const { world, tab, page } = await openDesk(t)
  // Two states, each with five pages in a step.
  await fakeWebhooks(page, 7)
  await page.goto(`${world.url}/console#/webhooks`)
  await page.getByText(texts.webhooksCut(10)).waitFor()
  const webhooks = page.locator('.plain-list > li')
  t.equal(await webhooks.count(), 10)
  await look(t, tab, 'console-webhooks-cut')
  await button(page, texts.showMore).click()
  await button(page, texts.showMore).waitFor({ state: 'detached' })
  t.equal(await webhooks.count(), 14)
  const times = await page
    .locator('.plain-list time')
    .evaluateAll((all) => all.map((time) => time.getAttribute('datetime')))
  t.same(times, times.toSorted().toReversed(), 'the newest first')
  await closeTab(t, tab, world.url)
})

t.test('a step that cannot be read is read at the next interval', needsChromium, async (t) => {
  const { world, tab, page } = await openDesk(t)
  await fakeDevices(page, 15)
  await page.goto(`${world.url}/console#/devices`)
  await page.getByText(texts.devicesCut(10)).waitFor()
  let isRefusing = true
  await page.route('**/tenant/devices?*cursor=*', (route) =>
    isRefusing ? route.fulfill({ status: 429 }) : route.fallback(),
  )
  await button(page, texts.showMore).click()
  await page.getByRole('alert').getByText(texts.faultTooMany).waitFor()
  t.equal(await page.locator('.plain-list > li').count(), 10, 'what was read stays')
  isRefusing = false
  await page.locator('.plain-list > li').nth(14).waitFor()
  await closeTab(t, tab, world.url)
})
