/** The report of the verification page to keep: as PDF, as JSON, on paper. */
import { Buffer } from 'node:buffer'
import t from 'tap'
import type { Download, Page } from 'playwright-core'
import type { ValidationReport } from '../../../domain/contract/validation-report.ts'
import { TEXTS } from '../../../web/texts/use-texts.ts'
import { openWorld } from '../../conformance/world.ts'
import { pdfText, skipPdfText } from '../../fixtures/pdf-text.ts'
import {
  closeTab,
  DEVICES,
  look,
  needsChromium,
  openBrowser,
  openTab,
  type Tab,
} from '../browser.ts'
import { button } from '../cases.ts'

t.setTimeout(600_000)

const READERS = [
  { language: 'sk', device: 'phone', colorScheme: 'dark', locale: 'sk-SK' },
  { language: 'en', device: 'desktop', colorScheme: 'light', locale: 'en-GB' },
] as const

async function readBytes(download: Download): Promise<Buffer> {
  return Buffer.concat(await (await download.createReadStream()).toArray())
}

/** Clicks and waits for the file that the browser saves. */
async function saved(page: Page, click: () => Promise<void>): Promise<Download> {
  const [download] = await Promise.all([page.waitForEvent('download'), click()])
  return download
}

/** What the browser prints, as text without spaces and line ends. */
const printed = async ({ page }: Tab) => pdfText(await page.pdf()).replaceAll(/\s/g, '')

const skip = needsChromium.skip || skipPdfText

t.test('the report is saved as PDF and JSON, and printed', { skip }, async (t) => {
  const browser = await openBrowser(t)
  const world = await openWorld(t)
  const done = await world.done()
  const signed = await world.download(done.signedDocument.url)
  const { sha256 } = done.signedDocument
  for (const { language, device, colorScheme, locale } of READERS) {
    const texts = TEXTS[language]
    const tab = await openTab(browser, { ...DEVICES[device], colorScheme, locale })
    const { page } = tab
    await page.goto(`${world.url}/verify`)
    await page.locator('input[type=file]').setInputFiles({
      name: 'Zmluva o dielo.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from(signed),
    })
    await page.getByRole('heading', { name: texts.reportKeep }).waitFor()
    await look(t, tab, `verify-report-${device}`)

    const asPdf = button(page, texts.reportDownloadPdf)
    await page.route('**/verify/uploads', (route) => route.fulfill({ status: 429, json: {} }))
    await asPdf.click()
    await page.getByRole('alert').getByText(texts.verifyLimitedText).waitFor()
    await look(t, tab, `verify-report-${device}-failed`)
    await page.unroute('**/verify/uploads')
    await asPdf.focus()
    const pdf = await saved(page, () => page.keyboard.press('Enter'))
    t.equal(pdf.suggestedFilename(), 'Zmluva o dielo-report.pdf')
    const text = pdfText(await readBytes(pdf))
    t.match(text, /TOTAL_PASSED\. 2 of 2 signatures are valid/)
    t.match(text.replaceAll(/\s/g, ''), sha256)
    await page.getByRole('status').getByText(texts.reportPdfSaved).waitFor()
    t.equal(await page.getByText(texts.verifyLimitedText).count(), 0, 'the fault is gone')
    await look(t, tab, `verify-report-${device}-saved`)

    const link = page.getByRole('link', { name: texts.reportDownload })
    const json = await saved(page, () => link.click())
    t.equal(json.suggestedFilename(), 'Zmluva o dielo-report.json')
    const report = JSON.parse((await readBytes(json)).toString()) as ValidationReport
    t.equal(report.document.sha256, sha256)

    await page.evaluate(() => {
      window.print = () => document.body.setAttribute('data-printed', 'yes')
    })
    await button(page, texts.reportPrint).click()
    t.equal(await page.getAttribute('body', 'data-printed'), 'yes')
    const paper = await printed(tab)
    t.match(paper, sha256, 'with the digest of the file')
    t.match(paper, 'JanaNováková')
    for (const left of [texts.reportPrint, texts.reportPdfHint, texts.verifyAnother]) {
      t.notOk(paper.includes(left.replaceAll(/\s/g, '')), `not on paper: ${left}`)
    }
    await page.emulateMedia({ media: 'print' })
    await look(t, tab, `verify-report-${device}-paper`)
    await closeTab(t, tab, world.url)
  }
  t.same(await world.uploads(), [], 'no upload is kept (V3)')
})
