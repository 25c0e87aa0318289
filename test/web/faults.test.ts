/** Faults that people can meet on the pages: each has its sentence, and the page stays usable. */
import type { Page } from 'playwright-core'
import t from 'tap'
import { openFreshWorld, openWorld, person } from '../conformance/world.ts'
import { TEXTS } from '../../web/texts/use-texts.ts'
import { closeTab, DEVICES, look, needsChromium, openBrowser, openTab } from './browser.ts'
import { button, draw, field, opened, type TextName } from './cases.ts'
import { LANDSCAPE, pairKiosk, register } from './kiosks.ts'

t.setTimeout(600_000)

const texts = TEXTS.en

/** Answers the next requests of a path as the service does, with a code. */
async function refuse(page: Page, path: string, status: number, code?: string): Promise<void> {
  await page.unroute(path)
  const json = code === undefined ? { message: '' } : { message: '', code }
  await page.route(path, (route) => route.fulfill({ status, json }))
}

const CODE_FAULTS: readonly [status: number, code: string, says: TextName][] = [
  [409, 'OTP_NO_DESTINATION', 'codeNoDestination'],
  [409, 'OTP_DESTINATION_REFUSED', 'codeRefused'],
  [501, 'OTP_CHANNEL_UNAVAILABLE', 'codeNoChannel'],
]

t.test(
  'a code that cannot be sent, and one that is not complete (S3)',
  needsChromium,
  async (t) => {
    const browser = await openBrowser(t)
    const world = await openWorld(t)
    const participants = [person({ language: 'en', email: 'fault@example.com' })]
    const created = await opened(world, { multiFactorType: 'EMAIL', participants })
    const tab = await openTab(browser, DEVICES.phone)
    const { page } = tab
    await page.goto(created.participants[0].signerUrl)
    for (const [status, code, says] of CODE_FAULTS) {
      await refuse(page, '**/otp', status, code)
      await button(page, texts.codeSend).click()
      await page.getByText(texts[says]).waitFor()
      await look(t, tab, `code-${says}`)
    }
    await page.unroute('**/otp')
    await button(page, texts.codeSend).click()
    await page.getByLabel(texts.codeLabel).fill('123')
    await button(page, texts.codeSubmit).click()
    await page.getByText(texts.codeIncomplete).waitFor()
    await look(t, tab, 'code-incomplete')
    await refuse(page, '**/otp/verify', 409, 'OTP_EXPIRED')
    await page.getByLabel(texts.codeLabel).fill('123456')
    await button(page, texts.codeSubmit).click()
    await page.locator('.notice', { hasText: texts.codeIsOver }).waitFor()
    await look(t, tab, 'code-over-time')
    await closeTab(t, tab, world.url)
  },
)

const SIGN_FAULTS: readonly [status: number, code: string | undefined, says: TextName][] = [
  [503, 'SIGNING_UNAVAILABLE', 'signUnavailable'],
  [400, undefined, 'signRefused'],
]

t.test(
  'a signature that is not accepted is kept, and can be sent again',
  needsChromium,
  async (t) => {
    const browser = await openBrowser(t)
    const world = await openWorld(t)
    const participants = [person({ language: 'en', signatureFields: [field('f1', 1, 300)] })]
    const created = await opened(world, { participants })
    const tab = await openTab(browser, DEVICES.phone)
    const { page } = tab
    await page.goto(created.participants[0].signerUrl)
    await button(page, texts.nextField).click()
    await button(page, texts.useSignature).click()
    await page.getByText(texts.drawEmpty).waitFor()
    await look(t, tab, 'draw-empty')
    await draw(page)
    await button(page, texts.useSignature).click()
    await button(page, texts.finish).click()
    await button(page, texts.signDocument).click()
    await page.getByText(texts.consentMissing).waitFor()
    await look(t, tab, 'consent-missing')
    await page.getByLabel(texts.consentShort).check()
    for (const [status, code, says] of SIGN_FAULTS) {
      await refuse(page, '**/signature', status, code)
      await button(page, texts.signDocument).click()
      await page.getByText(texts[says]).waitFor()
      await look(t, tab, `sign-${says}`)
    }
    await page.unroute('**/signature')
    const validationErrors = [{ instancePath: '/signatures/0', keyword: 'overlap' }]
    const atPlace = { status: 400, json: { message: '', validationErrors } }
    await page.route('**/signature', (route) => route.fulfill(atPlace))
    await button(page, texts.signDocument).click()
    await page.getByText(texts.placeRefused).waitFor()
    await page.unroute('**/signature')
    await page.context().setOffline(true)
    await button(page, texts.signDocument).click()
    await page.getByText(texts.signOffline).waitFor()
    await look(t, tab, 'sign-offline')
    const paintOf = (name: string) =>
      button(page, name).evaluate((one) => getComputedStyle(one).backgroundColor)
    await button(page, texts.signing).hover()
    const [signing, back] = [await paintOf(texts.signing), await paintOf(texts.back)]
    t.equal(signing, back, 'a button that waits is painted so under the mouse, too')
    await page.context().setOffline(false)
    await page.getByText(texts.doneReady).waitFor()
    await refuse(page, '**/signedDocument', 503)
    await button(page, texts.download).click()
    await page.getByText(texts.downloadFailed).waitFor()
    await look(t, tab, 'download-failed')
    await closeTab(t, tab, world.url)
  },
)

t.test('a page in a frame that the tenant did not permit says so', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openWorld(t)
  const { participants } = await opened(world)
  const tab = await openTab(browser, DEVICES.phone)
  await refuse(tab.page, '**/caseDefinition', 403, 'EMBEDDING_NOT_ALLOWED')
  await refuse(tab.page, '**/branding', 403, 'EMBEDDING_NOT_ALLOWED')
  await tab.page.goto(participants[0].signerUrl)
  await tab.page.getByRole('heading', { name: texts.notEmbeddableHeading }).waitFor()
  await look(t, tab, 'not-embeddable')
  await closeTab(t, tab, world.url)
})

t.test(
  'a wrong pairing code, and a kiosk that is open on another screen',
  needsChromium,
  async (t) => {
    const browser = await openBrowser(t)
    const world = await openFreshWorld(t)
    const { token } = await register(world)
    const first = await openTab(browser, LANDSCAPE)
    await first.page.goto(`${world.url}/kiosk`)
    await first.page.getByLabel(texts.kioskPairLabel).fill('AAAA-AAAA')
    await button(first.page, texts.kioskPairSubmit).click()
    await first.page.getByText(texts.kioskPairWrong).waitFor()
    await look(t, first, 'kiosk-pair-wrong')
    const invalid = first.page.locator('[aria-invalid=true]')
    t.equal(await invalid.count(), 1, 'the field is marked, and what is wrong is read with it')
    const { kioskPairLimited: limited, kioskPairUnanswered: unanswered } = texts
    const tooMany = { status: 429, json: {} }
    const cut = { status: 200, contentType: 'application/json', body: '{"deviceId":' }
    // Each sentence differs from the one before, so the page has answered when it is there.
    for (const [answer, said] of [
      [{ status: 503, json: {} }, unanswered],
      [tooMany, limited],
      [cut, unanswered],
      [tooMany, limited],
    ] as const) {
      await first.page.unroute('**/kiosk/pair')
      await first.page.route('**/kiosk/pair', (route) => route.fulfill(answer))
      await button(first.page, texts.kioskPairSubmit).click()
      await first.page.getByRole('alert').getByText(said).waitFor()
      t.equal(await invalid.count(), 0, `${answer.status}: no code is called wrong`)
    }
    await first.page.unroute('**/kiosk/pair')
    await first.page.context().setOffline(true)
    await button(first.page, texts.kioskPairSubmit).click()
    await first.page.getByText(texts.kioskPairUnanswered).waitFor()
    await first.page.context().setOffline(false)
    await pairKiosk(first, world, token)
    const second = await openTab(browser, LANDSCAPE)
    await pairKiosk(second, world, token)
    await first.page.getByText(texts.kioskReplaced).waitFor()
    await look(t, first, 'kiosk-other-screen')
    await button(first.page, texts.kioskReplacedUse).click()
    await t.resolves(first.page.getByText(texts.kioskConnected).waitFor(), 'it takes over again')
    await closeTab(t, second, world.url)
    await closeTab(t, first, world.url)
  },
)

t.test('a page whose script does not arrive says so (S11)', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openWorld(t)
  const paths = ['/', '/sign/x', '/verify', '/kiosk', '/console', '/docs']
  const english = (page: Page) => page.getByText('did not load completely')
  const open = async (path: string) => {
    const { page } = await openTab(browser, DEVICES.phone)
    await page.route('**/*.js', (route) => route.abort())
    await page.goto(`${world.url}${path}`)
    return page
  }
  // They wait at the same time.
  const pages = await Promise.all(paths.map(open))
  for (const [index, page] of pages.entries()) {
    await english(page).waitFor()
    await page.getByText('Stránka sa nenačítala celá').waitFor()
    await page.unroute('**/*.js')
    await page.reload()
    await page.locator('#app :is(h1, nav)').first().waitFor()
    t.equal(await english(page).count(), 0, `${paths[index]}: the page replaces it`)
  }
})
