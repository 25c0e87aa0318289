import { Buffer } from 'node:buffer'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { decodePng } from '../../pades/appearance/png.ts'
import { openWorld, person, type Json } from '../conformance/world.ts'
import { renderFirstPage, VIEWERS, type GreyImage } from '../fixtures/rendered.ts'
import { makePng } from '../pades/appearance/make-png.ts'
import { CURRENT_CONSENTS } from '../../domain/consent.ts'
import { buildPdf } from '../fixtures/pdf.ts'
import { TEXTS } from '../../web/texts/use-texts.ts'
import {
  closeTab,
  DEVICES,
  look,
  needsChromium,
  openBrowser,
  openTab,
  type Tab,
} from './browser.ts'
import {
  button,
  draw,
  field,
  opened,
  pages,
  readPage,
  scrollToPart,
  signAndConsent,
} from './cases.ts'
import { openStopped, waitOnStoppedClock } from './clock.ts'

t.setTimeout(600_000)

const texts = TEXTS.en
const english = (more: Record<string, unknown> = {}) => [person({ language: 'en', ...more })]

const viewed = (page: Page, count: number, of: number) =>
  page.getByText(texts.reviewed(count, of), { exact: true })

async function checkSkimming(t: Test, page: Page, count: number): Promise<void> {
  await waitOnStoppedClock(page, page.locator('.page canvas').first())
  for (let number = 1; number <= count; number++) {
    // The page is painted and in the middle of the screen, for an instant.
    await scrollToPart(page, number, 0.5)
    await waitOnStoppedClock(page, page.locator(`[data-page="${number}"] .layers canvas`))
    await page.clock.runFor(300)
  }
  t.ok(await viewed(page, 0, count).isVisible(), 'pages that only passed by do not count (S8)')
  await scrollToPart(page, 2, 0.95)
  await page.clock.runFor(2_500)
  t.ok(await viewed(page, 0, count).isVisible(), 'nor does a page half of which is covered (S8)')
}

t.test('pages count as viewed when they were uncovered for a second', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openWorld(t)
  for (const device of [DEVICES.phone, DEVICES.desktop]) {
    const participants = english({ signatureFields: [field('f1', 1, 300)] })
    const { participants: people } = await opened(world, { participants }, pages(3))
    const tab = await openTab(browser, device)
    const { page } = tab
    await openStopped(page, people[0].signerUrl)
    await checkSkimming(t, page, 3)
    await readPage(page, 1)
    t.notOk(await viewed(page, 3, 3).isVisible(), 'page 3 was not read yet')
    for (const number of [2, 3]) await readPage(page, number)
    await waitOnStoppedClock(page, viewed(page, 3, 3))
    t.pass('pages that were shown whole count, also in parts (S8)')
    await closeTab(t, tab, world.url)
  }
})

t.test('the consent that is shown is the one that is recorded', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openWorld(t)
  const participants = english({ signatureFields: [field('f1', 1, 300)] })
  const created = await opened(world, { participants })
  const tab = await openTab(browser, DEVICES.phone)
  const { page } = tab
  await page.goto(created.participants[0].signerUrl)
  await page.locator('.page canvas').first().waitFor()
  await button(page, TEXTS.sk.languageName).click()
  await page.locator('.field').press('Enter')
  await draw(page)
  await button(page, TEXTS.sk.useSignature).click()
  await button(page, TEXTS.sk.finish).click()
  const { version, text } = CURRENT_CONSENTS.sk
  const label = page.locator('label.tick')
  t.equal(await label.textContent(), text, 'the whole text, in the language of the page (S7)')
  await look(t, tab, 'consent-other-language')
  await label.click()
  const posted = page.waitForRequest((request) => request.url().endsWith('/signature'))
  await button(page, TEXTS.sk.signDocument).click()
  const { consent } = (await posted).postDataJSON() as Json
  t.equal(consent.textVersion, version, 'what was read is what is recorded (S7)')
  await world.untilStatus(created.id, 'DONE')
  const { events } = (await world.asTenant('GET', `/cases/${created.id}/events`)).json as Json
  const consented = events.find(({ type }: Json) => type === 'participant.consented')
  t.equal(consented.data.textVersion, '2026-11-28-sk', 'the trail names text and language')
  await closeTab(t, tab, world.url)
})

t.test('nothing is called signed before it is', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openWorld(t)
  for (const language of ['sk', 'en'] as const) {
    const words = TEXTS[language]
    const signatureFields = [field('f1', 1, 300), field('f2', 1, 500)]
    const created = await opened(world, { participants: [person({ language, signatureFields })] })
    const colorScheme = language === 'sk' ? 'dark' : 'light'
    const tab = await openTab(browser, { viewport: { width: 320, height: 640 }, colorScheme })
    const { page } = tab
    await page.goto(created.participants[0].signerUrl)
    await page.locator('.field').first().press('Enter')
    await draw(page)
    const choices = page.getByRole('dialog').getByRole('checkbox')
    const save = choices.and(page.getByLabel(words.saveSignature))
    t.same(await Promise.all([choices.count(), save.count()]), [1, 1], 'one drawing for all (S6)')
    await button(page, words.useSignature).click()
    await page.getByText(words.allFieldsDone).waitFor()
    t.equal(await page.locator('.field canvas:not(.strips)').count(), 2, 'it is in both fields')
    const said = await page.locator('body').innerText()
    t.notMatch(said, /sú podpísané|are signed/i, 'fields are not signed yet (S5)')
    t.match(said, /ešte nie je podpísaný|not signed yet/, 'what is still to do is said (S5)')
    t.ok(await button(page, words.finish).isVisible())
    t.match(words.finish, /k\spodpisu|to signing/, 'the button names the next act (S7)')
    await look(t, tab, `placed-${language}`)
    await button(page, words.finish).click()
    await look(t, tab, `consent-${language}`)
    await closeTab(t, tab, world.url)
  }
})

/** Mean difference of two crops, in grey levels from 0 to 255. */
const MOST_DIFFERENCE = 3
/** Viewers that paint signature fields without being asked to. */
const PAINTING_FIELDS = new Set(['pdf.js', 'pdftoppm', 'mutool'])
const COLUMNS = 50
const ROWS = 15

/** Mean greys of the cells of a grid over a part of a picture; single pixels do not count. */
function gridOf({ width, pixels }: GreyImage, part: Part): number[] {
  return Array.from({ length: COLUMNS * ROWS }, (_, cell) => {
    const [column, row] = [cell % COLUMNS, Math.floor(cell / COLUMNS)]
    const [left, right] = [column, column + 1].map((at) => part.x + (at * part.width) / COLUMNS)
    const [top, bottom] = [row, row + 1].map((at) => part.y + (at * part.height) / ROWS)
    const [sum, count] = [[0], [0]] as [number[], number[]]
    for (let y = Math.round(top ?? 0); y < Math.round(bottom ?? 0); y++) {
      for (let x = Math.round(left ?? 0); x < Math.round(right ?? 0); x++) {
        sum[0]! += pixels[y * width + x] ?? 255
        count[0]! += 1
      }
    }
    return sum[0]! / Math.max(1, count[0]!)
  })
}

const difference = (one: number[], other: number[]) =>
  one.reduce((sum, grey, at) => sum + Math.abs(grey - (other[at] ?? 0)), 0) / one.length

interface Part {
  x: number
  y: number
  width: number
  height: number
}

/** A PNG as the browser decodes it. */
async function decoded(page: Page, png: Buffer): Promise<GreyImage> {
  const { greys, ...size } = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0))
    const picture = await createImageBitmap(new Blob([bytes]))
    const { width, height } = picture
    const context = new OffscreenCanvas(width, height).getContext('2d')
    if (!context) throw new Error('there is no canvas')
    context.drawImage(picture, 0, 0)
    const { data } = context.getImageData(0, 0, width, height)
    const grey = (at: number) =>
      0.299 * (data[at] ?? 0) + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0)
    return { width, height, greys: Array.from({ length: width * height }, (_, at) => grey(at * 4)) }
  }, png.toString('base64'))
  return { ...size, pixels: Uint8Array.from(greys) }
}

/** Where the field is, as parts of its page. */
const fieldPart = (page: Page): Promise<Part> =>
  page.evaluate(() => {
    const box = (selector: string) =>
      document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect()
    const [outer, inner] = [box('[data-page="1"]'), box('.field')]
    const [x, y] = [(inner.x - outer.x) / outer.width, (inner.y - outer.y) / outer.height]
    return { x, y, width: inner.width / outer.width, height: inner.height / outer.height }
  })

/** A photograph of a signature: grey paper that gets darker, and a dark line. */
function photograph(): Buffer {
  const pixel = (x: number, y: number) => {
    const isInk = Math.abs(y - 150 - 80 * Math.sin(x / 60)) < 8 && x > 60 && x < 540
    const paper = 205 - Math.round(x / 20)
    return isInk ? [30, 40, 90] : [paper, paper, paper - 6]
  }
  return Buffer.from(makePng({ width: 600, height: 300, colourType: 2, depth: 8, pixel }))
}

async function uploaded(tab: Tab, t: Test): Promise<void> {
  const { page } = tab
  await page.getByRole('tab', { name: texts.upload }).click()
  const file = { name: 'a.png', mimeType: 'image/png', buffer: photograph() }
  await page.getByLabel(texts.uploadLabel).setInputFiles(file)
  const picture = page.getByAltText(texts.uploadPreview)
  await picture.waitFor()
  await look(t, tab, 'upload-photograph')
  const encoded = (await picture.getAttribute('src')) ?? ''
  const { rgba } = decodePng(Buffer.from(encoded.split(',')[1] ?? '', 'base64'))
  const clear = rgba.filter((value, at) => at % 4 === 3 && value === 0).length
  t.ok(clear > rgba.length / 8, 'the paper of a photograph is transparent (S6)')
}

/** Waits until the preview has as many fonts of the PDF, and is painted with them. */
async function untilFonts(page: Page, count: number): Promise<void> {
  await page.waitForFunction((expected) => {
    const families = [...document.fonts].map(({ family }) => family)
    return families.filter((one) => one.includes('Signature Appearance')).length >= expected
  }, count)
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
}

/** Black print for the left of the fields, in as many bytes as the text that it replaces. */
const TEXT = 'BT /F1 18 Tf 72 700 Td (Page 1) Tj ET'
const PRINT = '0 g 0 0 160 842 re f'.padEnd(TEXT.length)

/** The smallest upload has 1 KB. */
function onePage(): Buffer {
  const pdf = buildPdf({ pages: [{}], objects: [`<< /Filler (${'x'.repeat(1_000)}) >>`] })
  return Buffer.from(pdf.toString('latin1').replace(TEXT, PRINT), 'latin1')
}

t.test('a field shows the signature as the signed PDF does', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openWorld(t)
  for (const name of ['field', 'own'] as const) {
    const signatureFields = name === 'own' ? [] : [field('f1', 1, 300)]
    // A name that is shaped, written from right to left, and in a font that is loaded for it.
    const names = name === 'own' ? { firstName: 'محمد', lastName: 'عبد السلام' } : {}
    const participants = [person({ language: 'sk', signatureFields, ...names })]
    // A place that the signer did not choose is on the last page.
    const created = await opened(world, { participants }, onePage())
    const tab = await openTab(browser, { ...DEVICES.desktop, deviceScaleFactor: 2 })
    const { page } = tab
    await page.goto(created.participants[0].signerUrl)
    await page.locator('.page canvas').first().waitFor()
    await button(page, TEXTS.en.languageName).click()
    if (name === 'own') await button(page, texts.placeHere).click()
    else await page.locator('.field').press('Enter')
    if (name === 'own') await uploaded(tab, t)
    else await draw(page)
    await button(page, texts.useSignature).click()
    await page.locator('.field canvas:not(.strips)').waitFor()
    await untilFonts(page, name === 'own' ? 2 : 1)
    const place = await fieldPart(page)
    await page.locator('h1').focus()
    // The line around it is of the page, and outside of the field.
    await page.locator('.field').evaluate((element) => (element.style.boxShadow = 'none'))
    const shown = await decoded(page, await page.locator('.field').screenshot())
    await page.locator('.field').scrollIntoViewIfNeeded()
    await look(t, tab, `preview-${name}`)
    await signAndConsent(page)
    await page.getByText(texts.doneHeading).waitFor()
    const { signedDocument } = await world.untilStatus(created.id, 'DONE')
    const pdf = new Uint8Array(await (await fetch(signedDocument.url)).arrayBuffer())
    const preview = gridOf(shown, { x: 0, y: 0, ...shown })
    t.ok(
      difference(
        preview,
        preview.map(() => 255),
      ) > MOST_DIFFERENCE,
      `${name}: it is not empty`,
    )
    for (const viewer of VIEWERS.filter((one) => PAINTING_FIELDS.has(one))) {
      const image = await renderFirstPage(pdf, viewer)
      const { x, y, width, height } = place
      const result = gridOf(image, {
        x: x * image.width,
        y: y * image.height,
        width: width * image.width,
        height: height * image.height,
      })
      const off = difference(preview, result)
      t.ok(off < MOST_DIFFERENCE, `${name}: page and ${viewer} differ by ${off.toFixed(1)} (S6)`)
    }
    await closeTab(t, tab, world.url)
  }
})
