import { readFileSync } from 'node:fs'
import t from 'tap'
import { encode } from 'uqr'
import { openWorld, person, type Json, type World } from '../../conformance/world.ts'
import { buildPdf } from '../../fixtures/pdf.ts'
import { TEXTS } from '../../../web/texts/use-texts.ts'
import { closeTab, DEVICES, look, needsChromium, openBrowser, openTab } from '../browser.ts'
import { button, field, opened, pages, TITLE } from '../cases.ts'
import { holdViews, scrollAndRelease } from '../held-views.ts'

t.setTimeout(600_000)

const texts = TEXTS.en
const COUNT = 12

async function invited(world: World, document: Uint8Array): Promise<Json> {
  const { participants } = await opened(
    world,
    {
      participants: [person({ language: 'en', signatureFields: [field('f1', 1, 300)] })],
      sender: { name: 'Acme', replyTo: 'office@acme.example' },
    },
    document,
  )
  return participants[0]
}

t.test('the document is searched, paged through, saved and printed', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openWorld(t)
  const file = pages(COUNT)
  const { signerUrl } = await invited(world, file)
  const tab = await openTab(browser, DEVICES.desktop)
  const { page } = tab
  await page.addInitScript(() => {
    const printed: number[] = []
    Object.assign(window, { printed })
    window.print = () => printed.push(window.document.querySelectorAll('.print-pages img').length)
  })
  await holdViews(page)
  await page.goto(signerUrl)
  const last = `.thumbnail:nth-child(${COUNT})`
  await scrollAndRelease(page, last, 2)
  await page.locator('.page canvas').first().waitFor()
  const picture = page.locator(`${last} canvas`)
  await t.resolves(picture.waitFor(), 'a thumbnail is painted though its reports come together')
  t.ok((await page.locator('.thumbnail canvas').count()) < COUNT, 'thumbnails are painted lazily')
  await look(t, tab, 'thumbnails')
  await button(page, texts.goToPage(3)).click()
  const counter = page.getByLabel(texts.pageNumber(COUNT))
  const shows = (number: number) =>
    page.waitForFunction(
      (expected) => document.querySelector<HTMLInputElement>('.page-number')?.value === expected,
      String(number),
    )
  await t.resolves(shows(3), 'a thumbnail leads to its page')
  await counter.fill('9')
  await counter.press('Enter')
  await t.resolves(shows(9), 'a number leads to its page')
  await counter.fill('999')
  await counter.press('Enter')
  await t.resolves(shows(COUNT), 'a number that is too large leads to the last page')

  await button(page, texts.search).click()
  await page.getByRole('searchbox').fill('PÁGE')
  await page.getByText(texts.searchAt(1, COUNT), { exact: true }).waitFor()
  await t.resolves(shows(1), 'text on every page is found, without regard to case and accents')
  await page.keyboard.press('Shift+Enter')
  await page.getByText(texts.searchAt(COUNT, COUNT), { exact: true }).waitFor()
  await t.resolves(shows(COUNT), 'a page that was not painted before is shown')
  await page.waitForFunction(() => CSS.highlights.get('found')?.size === 1)
  const marked = await page.evaluate(() => String([...(CSS.highlights.get('found') ?? [])][0]))
  t.equal(marked, 'Page', 'what was found is marked')
  await look(t, tab, 'search')
  await page.getByRole('searchbox').fill('nothing like this')
  await t.resolves(page.getByText(texts.searchNone).waitFor(), 'nothing is called nothing')
  await page.keyboard.press('Escape')
  t.equal(await page.getByRole('searchbox').count(), 0)
  t.equal(await page.locator('.tools-search:focus').count(), 1, 'the focus is back (S12)')
  t.equal(await page.evaluate(() => CSS.highlights.size), 0)

  await button(page, texts.more).click()
  await look(t, tab, 'more')
  const download = page.waitForEvent('download')
  await button(page, texts.documentDownload).click()
  const saved = await download
  t.match(saved.suggestedFilename(), `${TITLE.split('/')[0]}`)
  t.same(readFileSync(await saved.path()), Buffer.from(file), 'the file is the document')

  await page.emulateMedia({ media: 'print' })
  await t.resolves(page.getByText(texts.paperHint).waitFor(), 'the print command says what to do')
  t.notOk(await page.locator('.page').first().isVisible(), 'pages that are not painted stay away')
  await page.emulateMedia({ media: 'screen' })
  await button(page, texts.more).click()
  await button(page, texts.documentPrint).click()
  await page.waitForFunction(() => (window as unknown as { printed: number[] }).printed.length > 0)
  const printed = await page.evaluate(() => (window as unknown as { printed: number[] }).printed)
  t.same(printed, [COUNT], 'every page is printed')
  await closeTab(t, tab, world.url)
})

t.test(
  'a QR code carries the link to a phone; help says what to check',
  needsChromium,
  async (t) => {
    const browser = await openBrowser(t)
    const world = await openWorld(t)
    const landscape = { mediaBox: [0, 0, 842, 595] }
    const { signerUrl } = await invited(world, buildPdf({ pages: [{}, landscape, {}] }))
    const tab = await openTab(browser, DEVICES.desktop)
    const { page } = tab
    await page.goto(signerUrl)
    await page.locator('.page canvas').first().waitFor()
    const picture = page.locator('.thumbnail:nth-child(2) canvas')
    await picture.waitFor()
    const isFilled = (one: Element) => one.clientHeight === one.parentElement?.clientHeight
    t.ok(await picture.evaluate(isFilled), 'a thumbnail has the shape of its page')
    await button(page, texts.more).click()
    await button(page, texts.phone).click()
    await look(t, tab, 'phone-code')
    const { data } = encode(signerUrl, { ecc: 'L', border: 4 })
    const dark = await page
      .getByRole('img', { name: texts.phoneCode })
      .locator('path')
      .getAttribute('d')
    const drawn = new Set(dark?.match(/M\d+ \d+/g))
    const expected = data.flatMap((row, y) =>
      row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}`] : [])),
    )
    t.same(drawn, new Set(expected), 'the modules are those of the signing link')
    await button(page, texts.close).click()

    await button(page, texts.more).click()
    await button(page, texts.safety).click()
    const help = await page.getByRole('dialog').textContent()
    for (const said of [texts.safetySender('Acme'), new URL(signerUrl).host]) t.match(help, said)
    await look(t, tab, 'safety')
    await closeTab(t, tab, world.url)

    const phone = await openTab(browser, DEVICES.phone)
    await phone.page.goto(signerUrl)
    await phone.page.locator('.page canvas').first().waitFor()
    await button(phone.page, texts.more).click()
    t.equal(await button(phone.page, texts.phone).count(), 0, 'a phone needs no code for itself')
    t.equal(await phone.page.locator('.thumbnail').count(), 0, 'nor thumbnails')
    await look(t, phone, 'more-phone')
    await closeTab(t, phone, world.url)
  },
)
