/** The verification page (ux.md, V1 to V3), on PDFs that a service made in this test. */
import { Buffer } from 'node:buffer'
import { unlinkSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { Page } from 'playwright-core'
import { VALIDATION_REPORT } from '../../../domain/contract/report-example.ts'
import type { ValidationReport } from '../../../domain/contract/validation-report.ts'
import { MAXIMUM_PDF_BYTES } from '../../../domain/limits.ts'
import { changeSentence } from '../../../web/texts/change-words.ts'
import type { Texts } from '../../../web/texts/en.ts'
import type { Language } from '../../../web/texts/plural.ts'
import { TEXTS } from '../../../web/texts/use-texts.ts'
import { openFreshWorld, person, type World } from '../../conformance/world.ts'
import { minimalPdf } from '../../fixtures/minimal-pdf.ts'
import { appended, referenceIn, sourceOf, stream, withEntry } from '../../fixtures/revisions.ts'
import {
  closeTab,
  DEVICES,
  look,
  needsChromium,
  openBrowser,
  openTab,
  type Tab,
} from '../browser.ts'
import { button, field, opened, pages, TITLE, type TextName } from '../cases.ts'

t.setTimeout(600_000)

const PEOPLE = [
  { firstName: 'Jana', lastName: 'Nováková' },
  { firstName: 'Peter', lastName: 'Kráľovič-Šťastný' },
]

/** A contract that two people signed and the service sealed. */
async function signedByTwo(world: World): Promise<Buffer> {
  const participants = PEOPLE.map((names, index) =>
    person({ ...names, signatureFields: [field(`f${index}`, 1, 300 + 100 * index)] }),
  )
  const { id, participants: signers } = await opened(world, { participants }, pages(3))
  for (const signer of signers) {
    const { status, text } = await world.sign(signer)
    if (status !== 200) throw new Error(text)
  }
  const { signedDocument } = await world.untilStatus(id, 'DONE')
  return Buffer.from(await world.download(signedDocument.url))
}

/** One bit of what everybody signed is another. */
function tampered(signed: Buffer): Buffer {
  const bytes = Buffer.from(signed)
  bytes.writeUInt8(bytes.readUInt8(300) ^ 1, 300)
  return bytes
}

/** The text of the second page is replaced by a revision of its own. */
function rewritten(signed: Buffer): Buffer {
  const [, second] = /\/Kids \[\s*\d+ 0 R (\d+) 0 R/.exec(signed.toString('latin1')) ?? []
  const contents = referenceIn(sourceOf(signed, Number(second)), 'Contents')
  return appended(signed, { [contents]: stream('BT /F1 12 Tf 72 700 Td (1 000 000 EUR) Tj ET') })
}

const NOTE = { part: 'note', action: 'added' } as const
const contentOf = (page: number) =>
  ({ page, part: 'content', action: 'changed', count: 1 }) as const

/** A note is added to the second page by a revision of its own. */
function noted(signed: Buffer): Buffer {
  const [, second] = /\/Kids \[\s*\d+ 0 R (\d+) 0 R/.exec(signed.toString('latin1')) ?? []
  const note = '<< /Type /Annot /Subtype /Text /Rect [72 700 92 720] /Contents (No) >>'
  const page = withEntry(sourceOf(signed, Number(second)), '/Annots [1950 0 R]')
  return appended(signed, { [Number(second)]: page, 1950: note })
}

const choose = (page: Page, name: string, bytes: Uint8Array) =>
  page
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'application/pdf', buffer: Buffer.from(bytes) })

const headed = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name }).waitFor()

/** Drops files on the page as a file manager does. @param content text, or a size in bytes */
const drop = (page: Page, count: number, content: string | number) =>
  page.evaluate(
    ([files, given]) => {
      const body = typeof given === 'string' ? given : new Uint8Array(given)
      const data = new DataTransfer()
      for (let index = 0; index < files; index++) data.items.add(new File([body], `${index}.pdf`))
      const options = { bubbles: true, cancelable: true, dataTransfer: data }
      const place = document.querySelector('main')
      place?.dispatchEvent(new DragEvent('dragover', options))
      place?.dispatchEvent(new DragEvent('drop', options))
    },
    [count, content] as const,
  )

/** What both readers see: a Slovak phone by night, an English desktop by day. */
const READERS = [
  { language: 'sk', device: 'phone', colorScheme: 'dark', locale: 'sk-SK' },
  { language: 'en', device: 'desktop', colorScheme: 'light', locale: 'en-GB' },
] as const

type Reader = (typeof READERS)[number]

type Visit = (tab: Tab, texts: Texts, device: Reader['device'], language: Language) => Promise<void>

/** Each reader in turn opens the page at an address. @param options those of the browser */
async function eachReader(
  t: Test,
  world: World,
  url: string,
  visit: Visit,
  options?: { showsPdfs: boolean },
): Promise<void> {
  const browser = await openBrowser(t, options)
  for (const { language, device, colorScheme, locale } of READERS) {
    const tab = await openTab(browser, { ...DEVICES[device], colorScheme, locale })
    await tab.page.goto(url)
    await visit(tab, TEXTS[language], device, language)
    await closeTab(t, tab, world.url)
  }
}

/** Somebody who reads English opens the page. */
async function englishReader(t: Test, device: keyof typeof DEVICES) {
  const world = await openFreshWorld(t)
  const tab = await openTab(await openBrowser(t), { ...DEVICES[device], locale: 'en-GB' })
  await tab.page.goto(`${world.url}/verify`)
  return { world, tab, page: tab.page, texts: TEXTS.en }
}

t.test('one sentence, the signatures, the whole report (V1)', needsChromium, async (t) => {
  const world = await openFreshWorld(t)
  const signed = await signedByTwo(world)
  await eachReader(t, world, world.url, async (tab, texts, device) => {
    const { page } = tab
    const name = `verify-${device}`
    await page.getByRole('link', { name: texts.homeVerify }).click()
    await headed(page, texts.verifyTitle)
    t.ok(await page.getByText(texts.verifyPrivacy).isVisible(), 'no upload is kept (V3)')
    await look(t, tab, `${name}-choose`)
    await choose(page, `${TITLE}.pdf`, signed)
    const year = new Date(world.clock.nowMs()).getFullYear()
    const who = '\u2068Jana Nováková\u2069 (and|a) \u2068Peter Kráľovič-Šťastný\u2069'
    const sentence = `^(Signed by|Podpísali) ${who}, .*${year}, (odvtedy|not changed since)`
    await headed(page, new RegExp(sentence.replaceAll(' ', '\\s')))
    t.equal(await page.evaluate(() => document.activeElement?.tagName), 'H1')
    const said = (await page.textContent('main')) ?? ''
    for (const text of [
      'Jana Nováková',
      'Peter Kráľovič-Šťastný',
      'PAdES-BASELINE-LTA',
      texts.trustOwn,
      texts.issuedHere,
      texts.signatureSeal,
      texts.verdictNotQualified(2),
      texts.notQualifiedSeal,
      texts.verifyForgotten,
    ]) {
      t.ok(said.includes(text), text)
    }
    t.match(said, new RegExp(`${year}.*(UTC|GMT|CET)`), 'times name their zone')
    t.equal(await page.locator('.checks .good').count(), 12, 'four checks of three signatures')
    await look(t, tab, `${name}-genuine`)
    await page.getByText(texts.reportHeading).click()
    await look(t, tab, `${name}-report`)
    const waited = page.waitForEvent('download')
    await page.getByRole('link', { name: texts.reportDownload }).click()
    const download = await waited
    t.match(download.suggestedFilename(), /^Zmluva .*-report\.json$/)
    const chunks = await (await download.createReadStream()).toArray()
    const report = JSON.parse(Buffer.concat(chunks).toString()) as ValidationReport
    t.equal(report.summary.validSignaturesCount, 3)
    await button(page, texts.verifyAnother).click()
    await headed(page, texts.verifyTitle)
    await choose(page, 'tail.pdf', Buffer.concat([signed, Buffer.from('\n% more\n')]))
    await page.locator('.verdict.warn').waitFor()
    const verdict = (await page.locator('.verdict').textContent()) ?? ''
    t.ok(verdict.startsWith(texts.remarkBytesAfter), 'the remark comes first')
    t.ok(verdict.includes(texts.issuedHere), 'and does not deny the issue')
    await look(t, tab, `${name}-tail`)
    await button(page, texts.verifyAnother).click()
    await headed(page, texts.verifyTitle)
  })
  t.same(await world.uploads(), [], 'no upload is kept (V3)')
})

t.test('what was changed, and after which signature (V2)', needsChromium, async (t) => {
  const world = await openFreshWorld(t)
  const signed = await signedByTwo(world)
  await eachReader(t, world, `${world.url}/verify`, async (tab, texts, device, language) => {
    const { page } = tab
    await choose(page, 'zmluva.pdf', tampered(signed))
    await headed(page, texts.verdictChanged)
    t.ok(await page.getByText(texts.changesInside('Jana Nováková')).isVisible())
    t.equal(await page.locator('.badge.bad').count(), 4)
    await look(t, tab, `verify-${device}-tampered`)
    await button(page, texts.verifyAnother).click()
    await choose(page, 'zmluva.pdf', rewritten(signed))
    await headed(page, texts.verdictChanged)
    await look(t, tab, `verify-${device}-rewritten`)
    const changes = (await page.locator('.panel.bad').textContent()) ?? ''
    t.ok(changes.includes(changeSentence(language, contentOf(2))), changes)
    t.match(changes, /sigcase local seal/, 'after the last signature')
    await button(page, texts.verifyAnother).click()
    await choose(page, 'zmluva.pdf', noted(signed))
    await headed(page, texts.verdictChanged)
    const words = (await page.locator('.panel.bad').textContent()) ?? ''
    t.ok(words.includes(changeSentence(language, { ...contentOf(2), ...NOTE })), words)
    await look(t, tab, `verify-${device}-noted`)
  })
  const open: Visit = async ({ page, context }, texts) => {
    await choose(page, 'zmluva.pdf', noted(signed))
    await headed(page, texts.verdictChanged)
    const opened = context.waitForEvent('page')
    await page.getByRole('link', { name: texts.changesOpenSigned }).click()
    const other = await opened
    await other.waitForURL(/^blob:/)
    await other.close()
  }
  await eachReader(t, world, `${world.url}/verify`, open, { showsPdfs: true })
})

t.test('a PDF that is not signed, and one that strangers signed', needsChromium, async (t) => {
  const world = await openFreshWorld(t)
  const elsewhere = await signedByTwo(await openFreshWorld(t))
  await eachReader(t, world, `${world.url}/verify`, async (tab, texts, device) => {
    const { page } = tab
    await choose(page, 'leták.pdf', minimalPdf())
    await headed(page, texts.verdictUnsigned)
    await look(t, tab, `verify-${device}-unsigned`)
    await button(page, texts.verifyAnother).click()
    await choose(page, 'zmluva.pdf', elsewhere)
    await headed(page, texts.verdictUntrusted)
    t.ok((await page.getByText(texts.whyNoChain).count()) >= 3)
    t.equal(await page.getByText(texts.issuedHere).count(), 0)
    await look(t, tab, `verify-${device}-strangers`)
  })
})

interface Fault {
  heading: TextName
  /** Or so many of them. */
  bytes: Uint8Array | number
  /** What the service does; else it is asked. */
  answer?: { path: string; status?: number }
}

const FAULTS: readonly Fault[] = [
  { heading: 'verifyTooLargeHeading', bytes: MAXIMUM_PDF_BYTES + 1 },
  { heading: 'verifyNotPdfHeading', bytes: Buffer.from('hello') },
  { heading: 'verifyUnreadableHeading', bytes: Buffer.from('%PDF-1.7\nnothing\n%%EOF\n') },
  {
    heading: 'verifyLimitedHeading',
    bytes: minimalPdf(),
    answer: { path: '**/verify/uploads', status: 429 },
  },
  {
    heading: 'verifyUnavailableHeading',
    bytes: minimalPdf(),
    answer: { path: '**/verify', status: 503 },
  },
  { heading: 'verifyOfflineHeading', bytes: minimalPdf(), answer: { path: '**/objects/**' } },
]

async function meets(page: Page, { heading, bytes, answer }: Fault, texts: Texts) {
  const path = answer?.path ?? ''
  if (answer) {
    await page.route(path, (route) =>
      answer.status === undefined
        ? route.abort('internetdisconnected')
        : route.fulfill({ status: answer.status, json: { message: '' } }),
    )
  }
  if (typeof bytes === 'number') await drop(page, 1, bytes)
  else await choose(page, 'dokument.pdf', bytes)
  await headed(page, texts[heading])
  if (answer) await page.unroute(path)
}

t.test('everything that keeps from a report has its own words', needsChromium, async (t) => {
  const world = await openFreshWorld(t)
  await eachReader(t, world, `${world.url}/verify`, async (tab, texts, device) => {
    const { page } = tab
    for (const fault of FAULTS) {
      await meets(page, fault, texts)
      await look(t, tab, `verify-${device}-${fault.heading}`)
      if (fault.answer) {
        await button(page, texts.tryAgain).click()
        await headed(page, texts.verdictUnsigned)
      }
      await button(page, texts.verifyAnother).click()
    }
  })
})

t.test('dropped, chosen with the keyboard, and given up', needsChromium, async (t) => {
  const { world, tab, page, texts } = await englishReader(t, 'desktop')
  const chooser = page.waitForEvent('filechooser')
  await button(page, texts.verifyChoose).focus()
  await page.keyboard.press('Enter')
  await (await chooser).setFiles([])
  await drop(page, 2, 'hello')
  await page.getByText(texts.verifyOneOnly).waitFor()
  await drop(page, 1, 'hello')
  await headed(page, texts.verifyNotPdfHeading)
  await button(page, texts.verifyAnother).click()
  await page.route('**/verify', () => undefined, { times: 1 })
  await choose(page, 'slow.pdf', minimalPdf())
  await headed(page, texts.verifyChecking)
  await look(t, tab, 'verify-desktop-checking')
  await button(page, texts.cancel).click()
  await headed(page, texts.verifyTitle)
  await page.setViewportSize({ width: 320, height: 640 })
  await look(t, tab, 'verify-narrow')
  await closeTab(t, tab, world.url)
})

t.test('names of others are words and nothing else', needsChromium, async (t) => {
  const { world, tab, page, texts } = await englishReader(t, 'phone')
  const report = structuredClone(VALIDATION_REPORT)
  const [signature] = report.signatures
  if (!signature?.signer) throw new Error('the example has no signer')
  signature.signer.commonName = '<img src=x onerror=alert(1)>\u202egnp.exe'
  signature.indication = 'INDETERMINATE'
  signature.subIndication = 'REVOKED_NO_POE'
  report.summary.indication = 'INDETERMINATE'
  await page.route('**/verify', (route) => route.fulfill({ json: report }))
  await choose(page, 'x.pdf', minimalPdf())
  await headed(page, texts.verdictUncertain)
  await page.getByText(texts.whyRevoked).waitFor()
  t.equal(await page.locator('img:not(.brand img)').count(), 0)
  t.notMatch(await page.textContent('.signatures'), '\u202e')
  await look(t, tab, 'verify-phone-revoked')
  await closeTab(t, tab, world.url)
})

t.test('a file that disappears before it is sent is asked for again', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openFreshWorld(t)
  const folder = t.testdir({ 'signed.pdf': Buffer.from(minimalPdf()) })
  const path = join(folder, 'signed.pdf')
  const tab = await openTab(browser, { ...DEVICES.phone, locale: 'en-GB' })
  const { page } = tab
  await page.goto(`${world.url}/verify`)
  await page.route('**/verify/uploads', (route) => route.abort('internetdisconnected'))
  await page.locator('input[type=file]').setInputFiles(path)
  await page.getByRole('heading', { name: TEXTS.en.verifyOfflineHeading }).waitFor()
  await page.unroute('**/verify/uploads')
  unlinkSync(path)
  await button(page, TEXTS.en.tryAgain).click()
  await page.getByRole('heading', { name: TEXTS.en.verifyGoneHeading }).waitFor()
  await look(t, tab, 'verify-gone')
  t.equal(await button(page, TEXTS.en.tryAgain).count(), 0, 'the same file does not come back')
  await button(page, TEXTS.en.verifyAnother).click()
  await t.resolves(page.locator('input[type=file]').waitFor({ state: 'attached' }))
  await closeTab(t, tab, world.url)
})
