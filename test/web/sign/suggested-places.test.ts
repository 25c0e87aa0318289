/** Where people sign who choose no place: on no other signature, and on pages of any size. */
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { doOverlap } from '../../../domain/cases/placement.ts'
import type { Rectangle } from '../../../domain/cases/rectangle.ts'
import { TEXTS } from '../../../web/texts/use-texts.ts'
import { openWorld, person, type Json } from '../../conformance/world.ts'
import { buildPdf, FIRST_EXTRA } from '../../fixtures/pdf.ts'
import { closeTab, DEVICES, look, needsChromium, openBrowser, openTab } from '../browser.ts'
import { button, draw, opened, signAndConsent } from '../cases.ts'

t.setTimeout(600_000)

const texts = TEXTS.en
const A4 = { width: 595, height: 842 }
const A0 = [0, 0, 2384, 3370] as const

const people = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    person({ language: 'en', lastName: `Nová ${index}`, signatureFields: [] }),
  )

/** Opens the link, and creates a signature where the page suggests it. */
async function prepare(page: Page, signerUrl: string): Promise<void> {
  await page.goto(signerUrl)
  await button(page, texts.placeHere).click()
  await draw(page)
  await button(page, texts.useSignature).click()
  await page.locator('.field.signed').waitFor()
}

/** Signs, and returns the place that was sent. */
async function signed(page: Page): Promise<Rectangle> {
  const posted = page.waitForRequest((request) => request.url().endsWith('/signature'))
  await signAndConsent(page)
  const { signatures } = (await posted).postDataJSON() as Json
  await page.getByText(texts.doneHeading).waitFor()
  return signatures[0]
}

/** The pages are built before the service starts. */
async function start(t: Test) {
  const browser = await openBrowser(t)
  const world = await openWorld(t)
  return { world, newTab: () => openTab(browser, DEVICES.desktop) }
}
type Started = Awaited<ReturnType<typeof start>>

t.test('people who open their links at the same time', needsChromium, async (t) => {
  const { world, newTab } = await start(t)
  const { participants } = await opened(world, { participants: people(3) })
  const tabs = [await newTab(), await newTab(), await newTab()]
  for (const [index, { page }] of tabs.entries()) {
    await prepare(page, participants[index].signerUrl)
  }
  const places: Rectangle[] = []
  for (const { page } of tabs) places.push(await signed(page))
  for (const [index, place] of places.entries()) {
    const earlier = places.slice(0, index).filter((one) => doOverlap(one, place, A4))
    t.same(earlier, [], `place ${index + 1} is on no earlier one`)
  }
  for (const tab of tabs) await closeTab(t, tab, world.url)
})

t.test('a signature that came meanwhile', needsChromium, async (t) => {
  const { world, newTab } = await start(t)
  const { participants } = await opened(world, { participants: people(2) })
  const tab = await newTab()
  const { page } = tab
  await prepare(page, participants[1].signerUrl)
  const covered = await page.locator('.field').boundingBox()
  const sheet = await page.locator('[data-page="3"]').boundingBox()
  if (!covered || !sheet) throw new Error('there is no place')
  const taken = {
    page: 3,
    x: (covered.x - sheet.x) / sheet.width,
    y: (covered.y - sheet.y) / sheet.height,
    width: covered.width / sheet.width,
    height: covered.height / sheet.height,
    unit: 'fraction' as const,
  }
  await world.sign(participants[0], { signatures: [taken] })
  await signAndConsent(page)
  await page.getByRole('heading', { name: texts.placeTaken }).waitFor()
  await look(t, tab, 'place-taken')
  await button(page, texts.placeTakenShow).click()
  await t.resolves(page.locator('.field:focus').waitFor(), 'the place has the focus')
  const place = await signed(page)
  t.notOk(doOverlap(taken, place, A4), 'the signature is at a free place')
  await closeTab(t, tab, world.url)
})

async function signsAtSuggestion(
  t: Test,
  { world, newTab }: Started,
  document: Uint8Array,
): Promise<Rectangle> {
  const { participants } = await opened(world, { participants: people(1) }, document)
  const tab = await newTab()
  await prepare(tab.page, participants[0].signerUrl)
  const place = await signed(tab.page)
  await closeTab(t, tab, world.url)
  return place
}

t.test('pages of other sizes than A4', needsChromium, async (t) => {
  const started = await start(t)
  for (const mediaBox of [A0, [0, 0, 842, 595], [0, 0, 30, 30]] as const) {
    const document = buildPdf({ pages: [{}, {}, {}, { mediaBox }] })
    const { page } = await signsAtSuggestion(t, started, document)
    t.equal(page, 4, `${mediaBox[2]} by ${mediaBox[3]} points`)
  }
})

t.test('a place that is moved to a much larger page', needsChromium, async (t) => {
  const { world, newTab } = await start(t)
  const document = buildPdf({ pages: [{ mediaBox: A0 }, {}, {}] })
  const { participants } = await opened(world, { participants: people(1) }, document)
  const tab = await newTab()
  const { page } = tab
  await prepare(page, participants[0].signerUrl)
  await page.locator('.field').focus()
  for (const number of [2, 1]) {
    await page.keyboard.press('PageUp')
    // The field gets the focus on its new page a moment later; keys before that are lost.
    await page.locator(`[data-page="${number}"] .field:focus`).waitFor()
  }
  await page.locator('[data-page="1"] .layers canvas').waitFor()
  t.equal((await signed(page)).page, 1, 'the service accepts it')
  await closeTab(t, tab, world.url)
})

t.test('a document with a form field where people usually sign', needsChromium, async (t) => {
  const started = await start(t)
  const widget = '/Type /Annot /Subtype /Widget /FT /Tx /T (note) /F 4 /Rect [300 100 560 260]'
  const document = buildPdf({
    pages: [{}, {}, { extra: `/Annots [${FIRST_EXTRA} 0 R]` }],
    catalog: `/AcroForm << /Fields [${FIRST_EXTRA} 0 R] >>`,
    objects: [`<< ${widget} >>`],
  })
  const place = await signsAtSuggestion(t, started, document)
  const note = { page: 3, x: 300, y: 842 - 260, width: 260, height: 160, unit: 'pt' } as const
  t.notOk(doOverlap(note, place, A4))
})
