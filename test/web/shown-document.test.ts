/** What people saw is what they sign: a document that was replaced in the store is not signed. */
import { Buffer } from 'node:buffer'
import t from 'tap'
import { openWorld, person } from '../conformance/world.ts'
import { TEXTS } from '../../web/texts/use-texts.ts'
import { closeTab, DEVICES, look, needsChromium, openBrowser, openTab } from './browser.ts'
import { button, draw, field, opened, pages, signAndConsent } from './cases.ts'

t.setTimeout(120_000)

const texts = TEXTS.en
/** Of the version in `%PDF-1.7`: a reader does not mind another one. */
const VERSION_AT = 7

t.test(
  'a document that was replaced while it was shown is not signed',
  needsChromium,
  async (t) => {
    const browser = await openBrowser(t)
    const world = await openWorld(t)
    const participants = [person({ language: 'en', signatureFields: [field('a', 1, 100)] })]
    const signatureCase = await opened(world, { participants }, pages(3))
    const tab = await openTab(browser, DEVICES.desktop)
    const { page } = tab
    let isReplaced = true
    await page.route(/\/objects\/.*document\.pdf/, async (route) => {
      const response = await route.fetch()
      const body = Buffer.from(await response.body())
      const begin = /bytes=(\d+)-/.exec(route.request().headers().range ?? '')?.[1] ?? '0'
      if (isReplaced && begin === '0') body[VERSION_AT] = '6'.charCodeAt(0)
      await route.fulfill({ response, body })
    })
    const signNow = async () => {
      await page.goto(signatureCase.participants[0].signerUrl)
      await page.locator('.field').click()
      await draw(page)
      await button(page, texts.useSignature).click()
      await signAndConsent(page)
    }
    await signNow()
    await page.getByText(texts.documentChanged).waitFor()
    await look(t, tab, 'document-changed')
    t.notOk(
      tab.requests.some((url) => url.endsWith('/signature')),
      'nothing was sent',
    )
    isReplaced = false
    await page.goto('about:blank')
    await signNow()
    await page.getByRole('heading', { name: texts.doneHeading }).waitFor()
    await closeTab(t, tab, world.url)
  },
)
