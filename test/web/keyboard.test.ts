import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { openWorld, person } from '../conformance/world.ts'
import { CURRENT_CONSENTS } from '../../domain/consent.ts'
import { TEXTS } from '../../web/texts/use-texts.ts'
import { closeTab, DEVICES, needsChromium, openBrowser, openTab, type Tab } from './browser.ts'
import { button, draw, field, opened } from './cases.ts'

t.setTimeout(600_000)

const texts = TEXTS.en
/** A finger hits this, CSS pixels. */
const TARGET_PX = 44
const MOST_STOPS = 30

interface Stop {
  name: string
  /** Pixels of the line around it. */
  outline: number
  /** Nothing lies over its middle. */
  isUncovered: boolean
}

const focused = (page: Page): Promise<Stop> =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLElement
    const label = element.closest('label')?.textContent
    const name = element.getAttribute('aria-label') ?? label ?? element.textContent ?? ''
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    const { left, right, top, bottom } = element.getBoundingClientRect()
    const [x, y] = [(left + right) / 2, (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2]
    const there = document.elementFromPoint(x, y)
    return {
      name: element === document.body ? '' : name.trim(),
      outline: outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth),
      isUncovered: there !== null && (element.contains(there) || there.contains(element)),
    }
  })

/** Goes through everything by Tab; checks that the eye can follow. */
async function stops(t: Test, page: Page, where: string): Promise<string[]> {
  const names: string[] = []
  for (let step = 0; step < MOST_STOPS; step++) {
    await page.keyboard.press('Tab')
    const { name, outline, isUncovered } = await focused(page)
    if (name === '' || names.includes(name)) break
    names.push(name)
    t.ok(outline >= 2, `${where}: the focus on “${name}” is seen (S12)`)
    t.ok(isUncovered, `${where}: “${name}” is not covered when it has the focus (S12)`)
  }
  return names
}

/** What can be pressed and is smaller than a finger. */
const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate((least) => {
    const within = document.querySelector('dialog[open]') ?? document.body
    const all = within.querySelectorAll<HTMLElement>('button, a[href], summary, input, label.tick')
    return [...all].flatMap((element) => {
      const target = element.closest('label.tick') ?? element
      const { width, height } = target.getBoundingClientRect()
      const after = getComputedStyle(element, '::after')
      const isGrown = element.classList.contains('field') && after.content !== 'none'
      const size = isGrown
        ? [Number.parseFloat(after.width), Number.parseFloat(after.height)]
        : [width, height]
      if (width === 0 || size.every((length) => length >= least)) return []
      return [`${element.outerHTML.slice(0, 80)}: ${size.join(' by ')}`]
    })
  }, TARGET_PX)

async function checkTargets(t: Test, { page }: Tab, where: string): Promise<void> {
  t.same(await smallTargets(page), [], `${where}: a finger hits everything (S12)`)
}

/** What a screen reader is given of the document. */
async function checkReading(t: Test, page: Page): Promise<void> {
  const first = await page.getByRole('region', { name: texts.pageLabel(1, 3) }).ariaSnapshot()
  t.match(first, 'Page 1', 'the text of the page is read (S4, S12)')
  t.match(first, texts.fieldToSign(1, 2), 'a field says what it is for (S12)')
  t.notMatch(first, /img|canvas/, 'the picture of the text is not read as well (S12)')
  t.equal(await page.getByRole('heading', { level: 1 }).count(), 1, 'one heading of the page (S12)')
  const status = page.getByRole('status').filter({ hasText: texts.fieldsLeft(2) })
  t.equal(await status.count(), 1, 'what is left is announced when it changes (S12)')
  const id = await status.getAttribute('id')
  const why = await button(page, texts.finish).getAttribute('aria-describedby')
  t.equal(why, id, 'why nothing can be finished is read with the button (S5, S12)')
}

/** A long document has one stop of Tab for all its thumbnails. */
async function checkThumbnails(t: Test, page: Page): Promise<void> {
  const thumbnail = (number: number) => button(page, texts.goToPage(number))
  await thumbnail(1).focus()
  for (const [key, number] of [
    ['ArrowUp', 1],
    ['ArrowDown', 2],
    ['End', 3],
    ['ArrowDown', 3],
    ['Home', 1],
    ['ArrowDown', 2],
  ] as const) {
    await page.keyboard.press(key)
    const isThere = await thumbnail(number).evaluate((one) => one === document.activeElement)
    t.ok(isThere, `${key} leads to the picture of page ${number} (S12)`)
  }
  await page.keyboard.press('Tab')
  const next = await focused(page)
  t.equal(next.name, texts.documentRegion, 'Tab leads out of the thumbnails (S12)')
  await button(page, texts.more).focus()
}

async function wholePage(t: Test, url: string, tab: Tab, name: string): Promise<void> {
  const { page } = tab
  await page.goto(url)
  await page.locator('.page canvas').first().waitFor()
  await page.locator('.textLayer').first().waitFor()
  await checkReading(t, page)
  await checkTargets(t, tab, `${name}, document`)
  t.same(
    await stops(t, page, name),
    [
      texts.pageNumber(3),
      ...(name === 'desktop' ? [texts.search] : []),
      texts.more,
      texts.zoomOut,
      texts.zoomIn,
      ...(name === 'desktop' ? [texts.goToPage(1)] : []),
      texts.documentRegion,
      texts.fieldToSign(1, 2),
      texts.fieldToSign(2, 2),
      texts.nextField,
      texts.finish,
    ],
    `${name}: from the heading through the document to the end (S12)`,
  )
  if (name === 'desktop') await checkThumbnails(t, page)
  const small = page.locator('[data-field="f2"]')
  await small.focus()
  const box = await small.boundingBox()
  t.ok((box?.height ?? 99) < TARGET_PX, 'a field that is smaller than a finger')
  await page.mouse.click((box?.x ?? 0) + 10, (box?.y ?? 0) + (box?.height ?? 0) / 2 + 19)
  await t.resolves(page.getByRole('dialog').waitFor(), 'is hit beside its line as well (S12)')
  await checkTargets(t, tab, `${name}, drawing`)
  t.same(
    await stops(t, page, `${name}, dialog`),
    [
      texts.close,
      texts.draw,
      texts.drawUndo,
      texts.drawClear,
      `${texts.saveSignature}${texts.saveWhere(new URL(page.url()).host)}`,
      texts.cancel,
      texts.useSignature,
    ],
    `${name}: the dialog in the order in which it is seen (S12)`,
  )
  for (const method of [texts.type, texts.upload]) {
    await page.getByRole('tab', { name: method }).click()
    await checkTargets(t, tab, `${name}, ${method}`)
  }
  await page.keyboard.press('Escape')
  await t.resolves(page.locator('[data-field="f2"]:focus').waitFor(), 'the focus is back (S12)')
  await small.press('Enter')
  await page.locator('.pad canvas').waitFor()
  await draw(page)
  await button(page, texts.useSignature).press('Enter')
  // A key that is pressed while the dialog closes belongs to the dialog.
  await page.locator('[data-field="f2"]:focus').waitFor()
  await page.getByText(texts.allFieldsDone).waitFor()
  await button(page, texts.finish).press('Enter')
  await page.getByText(texts.consentHeading).waitFor()
  await checkTargets(t, tab, `${name}, consent`)
  t.same(
    await stops(t, page, `${name}, consent`),
    [texts.close, CURRENT_CONSENTS.en.text, texts.back, texts.signDocument],
    `${name}: consent before the act (S12)`,
  )
}

t.test('by keyboard, touch and screen reader (S12)', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openWorld(t)
  for (const [name, device] of Object.entries(DEVICES)) {
    const signatureFields = [field('f1', 1, 300), { ...field('f2', 2, 500), height: 16 }]
    const participants = [person({ language: 'en', signatureFields })]
    const { participants: invited } = await opened(world, { participants })
    const tab = await openTab(browser, device)
    await wholePage(t, invited[0].signerUrl, tab, name)
    await closeTab(t, tab, world.url)
  }
})
