/** The signing page lets people sign only what they were shown (design 2, promise 4). */
import { Buffer } from 'node:buffer'
import t, { type Test } from 'tap'
import { openWorld, person } from '../../conformance/world.ts'
import { buildPdf } from '../../fixtures/pdf.ts'
import { TEXTS } from '../../../web/texts/use-texts.ts'
import {
  closeTab,
  DEVICES,
  look,
  needsChromium,
  openBrowser,
  openTab,
  type Tab,
} from '../browser.ts'
import { button, draw, field, opened, signAndConsent } from '../cases.ts'

t.setTimeout(600_000)

const texts = TEXTS.en
/** Several parts of the signing page's 128 KiB; the page's text is in the first. */
const DOCUMENT = buildPdf({ pages: [{}, {}], objects: [`<< /Filler (${'x'.repeat(600_000)}) >>`] })

/** Answers requests for the document with `from` written as `to`, of the same length. */
async function replaceText({ page }: Tab, from: string, to: string): Promise<void> {
  await page.route('**/objects/**', async (route) => {
    const answer = await route.fetch()
    const body = (await answer.body()).toString('latin1').replace(from, to)
    await route.fulfill({ response: answer, body: Buffer.from(body, 'latin1') })
  })
}

async function openDocument(t: Test) {
  const browser = await openBrowser(t)
  const world = await openWorld(t)
  const participants = [person({ language: 'en', signatureFields: [field('f1', 1, 300)] })]
  const signatureCase = await opened(world, { participants }, DOCUMENT)
  const tab = await openTab(browser, DEVICES.phone)
  return { world, tab, signerUrl: String(signatureCase.participants[0].signerUrl) }
}

t.test('another page in place of the one to sign cannot be signed', needsChromium, async (t) => {
  const { world, tab, signerUrl } = await openDocument(t)
  const { page } = tab
  await page.route('**/objects/**', (route) => route.abort('internetdisconnected'))
  await page.goto(signerUrl)
  const card = page.getByRole('alert').filter({ hasText: texts.documentPreparingFailed })
  await card.waitFor()
  t.ok(((await card.boundingBox())?.x ?? 0) > 0, 'it says that no page came, and has a margin')
  await page.unroute('**/objects/**')
  await replaceText(tab, '(Page 1)', '(Page 9)')
  await button(page, texts.tryAgain).click()
  await tab.page.getByText(texts.otherDocument).waitFor()
  t.equal(await button(tab.page, texts.finish).count(), 0, 'the way to a signature is closed')
  await look(t, tab, 'other-document')
  await tab.page.unroute('**/objects/**')
  await button(tab.page, texts.tryAgain).click()
  await tab.page.locator('.page canvas').first().waitFor()
  await closeTab(t, tab, world.url)
})

t.test(
  'a part that no page shows is compared before the signature is sent',
  needsChromium,
  async (t) => {
    const { world, tab, signerUrl } = await openDocument(t)
    const { page } = tab
    // The check of the last part waits until the signature is about to be sent.
    const held = Promise.withResolvers<void>()
    const isMiddle = (range = '') => range.startsWith('bytes=262144-')
    await page.route('**/objects/**', async (route) => {
      if (!isMiddle(route.request().headers().range)) return route.continue()
      await held.promise
      const answer = await route.fetch()
      const body = (await answer.body()).fill('y', 0, 1)
      return route.fulfill({ response: answer, body })
    })
    await page.goto(signerUrl)
    await button(page, texts.nextField).click()
    await draw(page)
    await button(page, texts.useSignature).click()
    await signAndConsent(page)
    await page.getByText(texts.signing).waitFor()
    held.resolve()
    await page.getByText(texts.otherDocument).waitFor()
    t.notOk(
      tab.requests.some((url) => url.endsWith('/signature')),
      'no signature was sent',
    )
    await closeTab(t, tab, world.url)
  },
)
