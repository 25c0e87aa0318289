import { Buffer } from 'node:buffer'
import { readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import t from 'tap'
import { MINUTE_MS, openWorld, person, type Json } from '../../conformance/world.ts'
import { makePng } from '../../pades/appearance/make-png.ts'
import { TEXTS } from '../../../web/texts/use-texts.ts'
import { closeTab, DEVICES, look, needsChromium, openBrowser, openTab } from '../browser.ts'
import { button, field, goToNextField, opened, pages, signAndConsent } from '../cases.ts'

t.setTimeout(600_000)

const texts = TEXTS.en
const english = (more: Record<string, unknown> = {}) => [person({ language: 'en', ...more })]

/** What 200 pages may cost: when every page kept its pixels it was over 900 MiB. */
const GROWTH_LIMIT_BYTES = 256 * 1024 * 1024
/** What Linux counts in, of /proc/[pid]/status. */
const KIB = 1_024

/** @returns bytes that tabs of this browser have in memory: scripts, their workers, pixels */
async function residentBytes(browser: Browser): Promise<number> {
  const devtools = await browser.newBrowserCDPSession()
  const { processInfo } = await devtools.send('SystemInfo.getProcessInfo')
  await devtools.detach()
  const sizes = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => /VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1])
  return sizes.reduce((sum, size) => sum + Number(size) * KIB, 0)
}

t.test(
  'somebody without fields signs at the end, with a picture (S6)',
  needsChromium,
  async (t) => {
    const browser = await openBrowser(t)
    const world = await openWorld(t)
    const participants = english({ signatureFields: [] })
    const signatureCase = await opened(world, { participants })
    const tab = await openTab(browser, DEVICES.phone)
    const { page } = tab
    await page.goto(signatureCase.participants[0].signerUrl)
    await page.getByText(texts.placeHint).waitFor()
    await look(t, tab, 'place-hint')
    await button(page, texts.placeHere).click()
    await page.getByRole('tab', { name: texts.upload }).click()
    const choose = page.getByLabel(texts.uploadLabel)
    await button(page, texts.uploadLabel).waitFor()
    t.notOk(await choose.isVisible(), 'words of the browser are in its language (S13)')
    const file = (name: string, mimeType: string, buffer: Buffer) => ({ name, mimeType, buffer })
    await choose.setInputFiles(file('a.gif', 'image/gif', Buffer.from('GIF89a')))
    await page.getByText(texts.uploadWrongType).waitFor()
    await choose.setInputFiles(file('a.png', 'image/png', Buffer.alloc(6 * 1024 * 1024)))
    await page.getByText(texts.uploadTooLarge).waitFor()
    await choose.setInputFiles(file('a.png', 'image/png', Buffer.from('no picture')))
    await page.getByText(texts.uploadBroken).waitFor()
    await look(t, tab, 'upload-broken')
    const png = makePng({
      width: 2_400,
      height: 800,
      colourType: 2,
      depth: 8,
      pixel: (x, y) => [x % 256, y % 256, (x * y) % 256],
    })
    await choose.setInputFiles(file('a.png', 'image/png', Buffer.from(png)))
    await page.getByAltText(texts.uploadPreview).waitFor()
    await look(t, tab, 'upload')
    await button(page, texts.useSignature).click()
    const posted = page.waitForRequest((request) => request.url().endsWith('/signature'))
    await signAndConsent(page)
    const { signatures, encodedSignature, client } = (await posted).postDataJSON() as Json
    t.equal(client.viewedAllPages, false, 'pages that were not seen are not reported as seen (S8)')
    t.match(signatures, [{ page: 3, unit: 'fraction' }], 'the last page, unless they say another')
    t.ok(encodedSignature.length < 512 * 1024, 'a picture is made smaller before it is sent')
    await page.getByText(texts.doneHeading).waitFor()
    await world.untilStatus(signatureCase.id, 'DONE')
    await closeTab(t, tab, world.url)
  },
)

t.test(
  'a typed name; a session that ran out; a second signature elsewhere (S9)',
  needsChromium,
  async (t) => {
    const browser = await openBrowser(t)
    const world = await openWorld(t)
    const email = 'typed@example.com'
    const participants = [
      person({ language: 'en', email, signatureFields: [field('f1', 1, 300)] }),
      person({ firstName: 'Peter', email: 'other@example.com' }),
    ]
    const signatureCase = await opened(world, { multiFactorType: 'EMAIL', participants })
    const [one] = signatureCase.participants
    const tab = await openTab(browser, DEVICES.desktop)
    const { page } = tab
    const enterCode = async (sent: number) => {
      await button(page, texts.codeSend).click()
      await page.getByLabel(texts.codeLabel).fill(await world.code(email, sent))
      await page.keyboard.press('Enter')
    }
    await page.goto(one.signerUrl)
    await enterCode(1)
    await page.locator('.page canvas').first().waitFor()
    const said = await page.textContent('body')
    for (const text of [texts.signUntil, texts.progressOf(0, 2)]) {
      t.ok(said?.includes(text), `${text} (S2)`)
    }
    t.notMatch(said, 'Peter', 'others are counted and not named (S2)')
    // By keyboard alone (S12).
    await button(page, texts.nextField).press('Enter')
    await page.getByRole('tab', { name: texts.draw }).press('ArrowRight')
    await page.getByAltText(texts.typePreview).waitFor()
    t.equal(await page.getByLabel(texts.typeLabel).inputValue(), 'Jana Nováková')
    await look(t, tab, 'type')
    for (let step = 0; step < 12; step++) {
      await page.keyboard.press('Tab')
      const isInside = await page.evaluate(
        () =>
          document.activeElement === document.body || !!document.activeElement?.closest('dialog'),
      )
      t.ok(isInside, 'the focus stays in the dialog (S12)')
    }
    await button(page, texts.useSignature).press('Enter')
    await page.getByText(texts.allFieldsDone).waitFor()

    world.clock.pass(31 * MINUTE_MS)
    await signAndConsent(page)
    await page.getByText(texts.codeAgain).waitFor()
    await look(t, tab, 'code-again')
    await enterCode(2)
    await page.getByText(texts.allFieldsDone).waitFor()

    const session = (await world.passCode(one)).otpSession
    const headers = { 'service-otp-session': session }
    t.equal((await world.sign(one, {}, { headers })).status, 200)
    await signAndConsent(page)
    await page.getByText(texts.doneHeading).waitFor()
    t.match(await page.textContent('main'), texts.doneNext, 'what happens next (S10)')
    await look(t, tab, 'done-others-missing')
    await closeTab(t, tab, world.url)
  },
)

t.test(
  'two hundred pages on a phone: memory stays bounded, the last is reached (S4)',
  needsChromium,
  async (t) => {
    const browser = await openBrowser(t)
    const world = await openWorld(t)
    const participants = english({ signatureFields: [field('f1', 200, 300)] })
    const signatureCase = await opened(world, { participants }, pages(200))
    const tab = await openTab(browser, DEVICES.phone)
    const { page } = tab
    await page.goto(signatureCase.participants[0].signerUrl)
    await page.locator('.page canvas').first().waitFor()
    const before = await residentBytes(browser)
    let largest = before
    let most = 0
    for (let number = 10; number <= 200; number += 10) {
      await page.locator(`[data-page="${number}"]`).scrollIntoViewIfNeeded()
      await page.locator(`[data-page="${number}"] .layers canvas`).waitFor()
      most = Math.max(most, await page.locator('.page canvas').count())
      largest = Math.max(largest, await residentBytes(browser))
    }
    t.ok(most <= 6, `at most ${most} pages hold pixels at once`)
    t.ok(before > 0, 'the tab is measured')
    t.ok(largest - before < GROWTH_LIMIT_BYTES, `from ${before} to ${largest} bytes`)
    t.comment(`memory of the tab: ${before} bytes before, ${largest} at most`)
    await goToNextField(page)
    await page.locator('[data-field="f1"]').waitFor()
    const number = page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('.page-number')?.value === '200',
    )
    await t.resolves(number, 'the last page is reached')
    await closeTab(t, tab, world.url)
  },
)

t.test('a page that cannot be painted says so, and is tried again', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openWorld(t)
  const { participants } = await opened(world, { participants: english() })
  const tab = await openTab(browser, DEVICES.phone)
  const { page } = tab
  // As on a phone that lacks memory: there is no context to draw a page with.
  await page.addInitScript(() => {
    const given = HTMLCanvasElement.prototype.getContext
    Object.assign(window, {
      regainMemory: () => (HTMLCanvasElement.prototype.getContext = given),
    })
    const without = function (this: HTMLCanvasElement, ...parameters: unknown[]) {
      return this.ariaHidden === 'true' ? null : Reflect.apply(given, this, parameters)
    }
    HTMLCanvasElement.prototype.getContext = without as typeof given
  })
  await page.goto(participants[0].signerUrl)
  const first = page.getByRole('region', { name: texts.pageLabel(1, 3), exact: true })
  await first.getByRole('alert').getByText(texts.pageFailed).waitFor()
  await look(t, tab, 'page-failed')
  t.equal(await page.getByText(texts.reviewed(0, 3)).count(), 1, 'it was not viewed (S8)')
  await page.evaluate(() => (window as unknown as { regainMemory(): void }).regainMemory())
  await first.getByRole('button', { name: texts.tryAgain }).click()
  await t.resolves(first.locator('canvas').waitFor({ state: 'attached' }))
  t.equal(await first.getByText(texts.pageFailed).count(), 0)
  await closeTab(t, tab, world.url)
})
