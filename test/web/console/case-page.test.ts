import t from 'tap'
import { person } from '../../conformance/world.ts'
import { signSample } from '../../pades/validate/sample.ts'
import { CONSOLE_SLOVAK } from '../../../web/texts/console-sk.ts'
import { closeTab, look, needsChromium } from '../browser.ts'
import { button, opened, pages, TITLE } from '../cases.ts'
import { openDesk, texts } from './desk.ts'

t.setTimeout(600_000)

const JANA = person({ language: 'en' })
/** Beside the signatures of the sample. */
const BESIDE = { id: 'f', page: 1, x: 60, y: 20, width: 120, height: 40, unit: 'pt' }
const PETER = person({ firstName: 'Peter', lastName: 'Kôň', email: 'peter@example.com' })

t.test('a case shows its progress and trail, and people are reminded', needsChromium, async (t) => {
  const { world, tab, page } = await openDesk(t)
  const { id, participants } = await opened(world, { participants: [JANA, PETER] })
  await page.getByRole('link', { name: TITLE }).click()
  await page.getByText(texts.signedOf(0, 2)).waitFor()
  await world.untilEvent(id, 'participant.invited')
  await button(page, texts.remindPerson('Peter Kôň')).click()
  await page.getByText(texts.reminded).waitFor()
  await look(t, tab, 'console-case')
  const names = page.locator('.timeline bdi', { hasText: 'Peter Kôň' })
  await names.first().waitFor()
  await world.sign(participants[0])
  await page.getByText(texts.signedOf(1, 2)).waitFor()
  t.ok(await page.locator('.timeline').getByText(texts.events['participant.signed']).count())
  await world.sign(participants[1])
  await page.locator('.badge', { hasText: texts.statuses.DONE }).waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: `${texts.download}: ${texts.signedPdf}` }).click()
  t.match((await download).suggestedFilename(), /\.pdf$/)
  const evidence = page.getByRole('link', { name: `${texts.download}: ${texts.evidence}` })
  t.equal(await evidence.count(), 1)
  await page.setViewportSize({ width: 320, height: 640 })
  await look(t, tab, 'console-case-narrow')
  await closeTab(t, tab, world.url)
})

t.test('a case is cancelled with a reason, by keyboard alone', needsChromium, async (t) => {
  const { world, tab, page } = await openDesk(t)
  const { id } = await opened(world)
  await page.goto(`${world.url}/console#/cases/${id}`)
  await world.untilEvent(id, 'participant.invited')
  await button(page, texts.remindPerson('Jana Nováková')).click()
  await page.getByText(texts.reminded).waitFor()
  await button(page, texts.cancelCase).focus()
  await page.keyboard.press('Enter')
  await page.getByLabel(texts.cancelReason).fill('New version')
  await look(t, tab, 'console-cancel')
  await page.keyboard.press('Enter')
  await page.locator('.badge', { hasText: texts.statuses.CANCELLED }).waitFor()
  await page.getByText('New version').first().waitFor()
  const status = page.getByRole('status').filter({ hasText: texts.signedOf(0, 1) })
  const said = [texts.statuses.CANCELLED, texts.signedOf(0, 1)].join(' · ')
  t.equal(await status.textContent(), said, 'the end is announced, and no deadline is left')
  t.ok(await page.locator('h1:focus').count(), 'the focus is on the heading: the button is gone')
  t.equal((await world.get(id)).cancelReason, 'New version')
  const notice = await page.locator('.notice').textContent()
  t.match(notice, ` · ${texts.reason} New version`, 'a dot parts the reason from the time')
  t.equal(await button(page, texts.cancelCase).count(), 0)
  t.equal(await page.getByText(texts.reminded).count(), 0, 'no reminder is announced any more')
  await closeTab(t, tab, world.url)
})

t.test('a copied link is announced, and a refused one shown', needsChromium, async (t) => {
  const { world, tab, page } = await openDesk(t)
  const { id, participants } = await opened(world, { participants: [JANA] })
  await page.goto(`${world.url}/console#/cases/${id}`)
  const copy = button(page, texts.copyLinkOf('Jana Nováková'))
  await copy.waitFor()
  t.equal(await page.title(), `${TITLE} – Console – sigcase`, 'the tab is named as the case')
  await page.evaluate(() => {
    navigator.clipboard.writeText = (text) => {
      document.documentElement.dataset['copied'] = text
      return Promise.resolve()
    }
  })
  await copy.click()
  await page.getByRole('status').filter({ hasText: texts.copied }).waitFor()
  t.equal(await page.locator('html').getAttribute('data-copied'), participants[0].signerUrl)
  await look(t, tab, 'console-copied')
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('not permitted'))
  })
  await copy.click()
  await page.getByRole('status').filter({ hasText: texts.copyRefused }).waitFor()
  t.equal(await page.locator('.token').textContent(), participants[0].signerUrl)
  await look(t, tab, 'console-copy-refused')
  await closeTab(t, tab, world.url)
})

t.test('values of the timeline do not turn what follows them', needsChromium, async (t) => {
  const { world, tab, page } = await openDesk(t)
  const { id } = await opened(world, { participants: [{ ...JANA, lastName: 'חדשה' }] })
  const body = { reason: 'ביטול 7' }
  await world.asTenant('DELETE', `/cases/${id}`, { body })
  await page.goto(`${world.url}/console#/cases/${id}`)
  await page.locator('.timeline').getByText(texts.events['case.cancelled']).waitFor()
  const isolated = await page.locator('.timeline bdi').allTextContents()
  t.ok(isolated.includes(body.reason), 'the reason is isolated')
  t.ok(isolated.includes('Jana חדשה'), 'so is the name')
  const bare = await page.locator('.timeline li').evaluateAll((entries) =>
    entries.flatMap((entry) => {
      const copy = entry.cloneNode(true) as Element
      for (const one of copy.querySelectorAll('bdi')) one.remove()
      return copy.textContent ?? ''
    }),
  )
  t.notMatch(bare.join(), /[\u0590-\u05ff]/, 'no value is outside')
  await closeTab(t, tab, world.url)
})

t.test('a reason that the service wrote is marked as English', needsChromium, async (t) => {
  const { world, tab, page } = await openDesk(t, { locale: 'sk-SK' })
  const created = await world.create({ title: 'Objednávka' })
  await world.upload(created, new TextEncoder().encode('%PDF-1.7'.padEnd(2_000, ' broken')))
  const { id, rejectReason } = await world.untilStatus(created.case.id, 'UPLOAD_REJECTED')
  await world.untilEvent(id, 'document.rejected')
  await page.goto(`${world.url}/console#/cases/${id}`)
  await page.getByText(CONSOLE_SLOVAK.details).waitFor()
  const words = page.locator('.timeline').getByText(CONSOLE_SLOVAK.rejections.DAMAGED)
  await t.resolves(words.waitFor(), 'the timeline says it in the language of the page')
  t.same(await page.locator('bdi[lang=en]').allTextContents(), [rejectReason], 'as details')
  await look(t, tab, 'console-rejected-sk')
  await closeTab(t, tab, world.url)
})

t.test('a case says which signatures its document had broken', needsChromium, async (t) => {
  const { world, tab, page } = await openDesk(t)
  const signed = await signSample()
  signed[300]! ^= 1
  const { id } = await opened(
    world,
    { participants: [{ ...JANA, signatureFields: [BESIDE] }] },
    signed,
  )
  await page.goto(`${world.url}/console#/cases/${id}`)
  const notice = page.locator('.notice', { hasText: texts.carried })
  await notice.waitFor()
  const lines = ['Janka', 'Lubos', 'Seal'].map(
    (name) => `${name} ${texts.carriedFaults.SIGNATURE_BROKEN}`,
  )
  t.same(await notice.getByRole('listitem').allTextContents(), lines)
  await look(t, tab, 'console-carried')
  await closeTab(t, tab, world.url)
})

t.test('people and places of a case are used for another document', needsChromium, async (t) => {
  const { world, tab, page } = await openDesk(t)
  page.setDefaultTimeout(60_000)
  const signatureFields = [{ page: 1, x: 72, y: 500, width: 200, height: 60, unit: 'pt' }]
  const { id } = await opened(world, { participants: [{ ...JANA, signatureFields }] })
  await page.goto(`${world.url}/console#/cases/${id}`)
  await page.getByRole('link', { name: texts.createLike }).click()
  await page.getByText(texts.createLikeThis).waitFor()
  const file = { name: 'New.pdf', mimeType: 'application/pdf', buffer: Buffer.from(pages(1)) }
  await page.locator('input[type=file]').setInputFiles(file)
  await button(page, texts.fieldOf('Jana Nováková', 1)).waitFor()
  await look(t, tab, 'console-create-like')
  await button(page, texts.send).click()
  await page.waitForURL((url) => /#\/cases\//.test(url.hash) && !url.hash.endsWith(id))
  const { cases } = (await world.asTenant('GET', '/cases')).json
  const made = cases.find((one: { id: string }) => one.id !== id)
  t.match(made.participants, [{ firstName: 'Jana', signatureFields: [{ ...signatureFields[0] }] }])
  await closeTab(t, tab, world.url)
})
