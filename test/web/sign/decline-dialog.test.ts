import t from 'tap'
import { openWorld, person, type Json } from '../../conformance/world.ts'
import { until } from '../../fixtures/until.ts'
import { TEXTS } from '../../../web/texts/use-texts.ts'
import { closeTab, DEVICES, look, needsChromium, openBrowser, openTab } from '../browser.ts'
import { button, draw, field, opened } from '../cases.ts'

t.setTimeout(600_000)

const texts = TEXTS.en
const REASON = 'The price is another one.'
const participants = [person({ language: 'en', signatureFields: [field('f1', 1, 300)] })]

t.test(
  'somebody who does not want to sign says so, and may still sign',
  needsChromium,
  async (t) => {
    const browser = await openBrowser(t)
    const world = await openWorld(t)
    const sender = { name: 'Acme', replyTo: 'office@acme.example' }
    const { id, participants: people } = await opened(world, { participants, sender })
    const tab = await openTab(browser, DEVICES.phone)
    const { page } = tab
    // Another tab of the same browser: it does not know what this one sends.
    const second = await tab.context.newPage()
    for (const one of [second, page]) {
      await one.goto(people[0].signerUrl)
      await button(one, texts.more).click()
      await button(one, texts.decline).click()
      await one.getByLabel(texts.declineReason).fill(REASON)
    }
    await look(t, tab, 'decline')
    await page.route('**/decline', (route) => route.abort(), { times: 1 })
    await button(page, texts.declineSend).click()
    await page.getByText(texts.declineFailed).waitFor()
    t.equal(await page.getByLabel(texts.declineReason).inputValue(), REASON, 'the reason is kept')
    await button(page, texts.declineSend).click()
    await page.getByText(texts.declineSentText).waitFor()
    const heading = page
      .getByRole('heading', { name: texts.declineSent })
      .and(page.locator(':focus'))
    await t.resolves(heading.waitFor(), 'the heading has the focus: the button is gone')
    await look(t, tab, 'declined')
    const { events } = (await world.asTenant('GET', `/cases/${id}/events`)).json
    const entry = events.find(({ type }: Json) => type === 'participant.declined')
    t.match(entry, { actor: 'participant', data: { reason: REASON, channel: 'EMAIL' } })
    t.equal((await world.get(id)).status, 'IN_PROGRESS', 'the case stays as it is')
    await page.getByRole('dialog').getByText(texts.close).click()
    await t.resolves(button(page, texts.nextField).waitFor(), 'the document can still be signed')
    await button(page, texts.more).click()
    await button(page, texts.decline).click()
    await t.resolves(page.getByText(texts.declineSentText).waitFor(), 'it is not asked for again')
    t.equal(
      await page.getByLabel(texts.declineReason).count(),
      0,
      'a second reason is not recorded',
    )
    await page.keyboard.press('Escape')

    const other = 'The document is not for me.'
    await second.getByLabel(texts.declineReason).fill(other)
    await button(second, texts.declineSend).click()
    const refused = second.getByRole('alert').getByText(texts.declineRefused)
    await t.resolves(refused.waitFor(), 'a reason that is not recorded is not said to be')
    t.equal(await second.getByLabel(texts.declineReason).inputValue(), other, 'it can be copied')
    tab.complaints.length = 0
    await closeTab(t, tab, world.url)
  },
)

t.test(
  'Escape and Back lose no drawing, and do not leave without asking',
  needsChromium,
  async (t) => {
    const browser = await openBrowser(t)
    const world = await openWorld(t)
    const { participants: people } = await opened(world, { participants })
    const tab = await openTab(browser, DEVICES.desktop)
    const { page } = tab
    await page.goto(`${world.url}/verify`)
    await page.goto(people[0].signerUrl)
    await button(page, texts.nextField).click()
    await draw(page)
    const ink = () =>
      page.locator('.pad canvas').evaluate((one) => {
        const { width, height } = one as HTMLCanvasElement
        const { data } = (one as HTMLCanvasElement)
          .getContext('2d')!
          .getImageData(0, 0, width, height)
        return data.filter((value, at) => at % 4 === 3 && value > 0).length
      })
    const drawn = await ink()
    t.ok(drawn > 0)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await button(page, texts.nextField).click()
    await page.locator('.pad canvas').waitFor()
    await until(async () => (await ink()) === drawn)
    t.equal(await ink(), drawn, 'Escape closes the pad and keeps the drawing')
    await page.goBack()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    t.match(page.url(), '/sign/', 'Back closes the pad')
    await button(page, texts.nextField).click()
    await page.locator('.pad canvas').waitFor()
    await until(async () => (await ink()) === drawn)
    t.equal(await ink(), drawn, 'and keeps the drawing')
    await button(page, texts.useSignature).click()
    await page.getByText(texts.allFieldsDone).waitFor()

    await page.goBack()
    await page.getByRole('heading', { name: texts.leave }).waitFor()
    await look(t, tab, 'leave')
    await button(page, texts.leaveStay).click()
    await page.getByText(texts.allFieldsDone).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: texts.leave }).waitFor()
    await button(page, texts.leaveGo).click()
    await t.resolves(page.waitForURL('**/verify'), 'who wants to leave, leaves')
    await closeTab(t, tab, world.url)
  },
)
