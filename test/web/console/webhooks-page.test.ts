import t from 'tap'
import { openWorld } from '../../conformance/world.ts'
import { answering, openReceiver } from '../../conformance/receiver.ts'
import { closeTab, DEVICES, look, needsChromium, openBrowser, openTab } from '../browser.ts'
import { button } from '../cases.ts'
import { enter, texts } from './desk.ts'

t.setTimeout(600_000)

/** The endpoint is repaired after it refused this many webhooks. */
const REFUSALS = 1

t.test(
  'a refused webhook is shown with its answer and delivered again',
  needsChromium,
  async (t) => {
    const browser = await openBrowser(t)
    const receiver = await openReceiver(t)
    const world = await openWorld(t, { EGRESS_ALLOW: '127.0.0.0/8' })
    const url = receiver.address('hook', (response, attempt) =>
      answering(attempt <= REFUSALS ? 400 : 204)(response, attempt),
    )
    const callback = { url, authType: 'NONE' }
    const { id } = await world.cancelled({ callback, title: 'Zmluva' })
    const tab = await openTab(browser, { ...DEVICES.desktop, locale: 'en-GB' })
    const { page } = tab
    await enter(tab, world)
    await page.goto(`${world.url}/console#/webhooks`)
    await page.getByText(texts.deliveryStates.failed, { exact: true }).waitFor()
    await look(t, tab, 'console-webhooks')
    await page.getByRole('link', { name: texts.webhooks['case-cancelled'] }).click()
    t.ok(page.url().endsWith(id))
    await page.getByText(texts.answered(400)).waitFor()
    t.ok(await page.getByText(`POST ${url}`).isVisible(), 'the request is shown')
    await look(t, tab, 'console-deliveries')
    await button(page, `${texts.redeliver}: ${texts.webhooks['case-cancelled']}`).click()
    await page.getByText(texts.answered(204)).waitFor()
    await page.locator('.badge', { hasText: texts.deliveryStates.delivered }).waitFor()
    const again = page.getByRole('button', { name: texts.redeliver }).and(page.locator(':focus'))
    t.equal(await again.count(), 1, 'the button keeps the focus')
    const said = page.getByRole('status').filter({ hasText: texts.deliveryStates.delivered })
    await t.resolves(said.waitFor(), 'what came of it is announced')
    t.equal(await page.getByText(texts.redelivered).count(), 0, 'it is not announced for later')
    await page.goto(`${world.url}/console#/webhooks`)
    await page.getByText(texts.webhooksAllDelivered).waitFor()
    t.equal(receiver.at('hook').length, REFUSALS + 1)
    await closeTab(t, tab, world.url)
  },
)
