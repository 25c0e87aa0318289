import type { BrowserContextOptions, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { openWorld, person, type World } from '../../conformance/world.ts'
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
import { button, field, goToNextField, opened } from '../cases.ts'

t.setTimeout(600_000)

const texts = TEXTS.en
/** A4 in points, and the field of {@link opened}. */
const PAPER = { width: 595, height: 842 }
const FIELD = field('f1', 2, 300)
/** Part of a page: the border of a field and rounding to whole pixels. */
const TOLERANCE = 0.004

async function openDocument(world: World, tab: Tab): Promise<void> {
  const participants = [person({ language: 'en', signatureFields: [FIELD] })]
  const { participants: invited } = await opened(world, { participants })
  await tab.page.goto(invited[0].signerUrl)
  await tab.page.locator('[data-page="1"] .layers canvas').waitFor()
}

interface Measures {
  /** Left edge of the field, as a part of its page. */
  left: number
  top: number
  width: number
  height: number
  /** Width of the page on the screen, CSS pixels. */
  pageWidth: number
  /** Pixels of the picture for each pixel of the style sheet. */
  ratio: number
}

/** The second page as it is on the screen. */
const measures = (page: Page): Promise<Measures> =>
  page.evaluate(() => {
    const boxOf = (selector: string) => {
      const box = document.querySelector(selector)?.getBoundingClientRect()
      if (!box) throw new Error(`there is no ${selector}`)
      return box
    }
    const [paper, place] = [boxOf('[data-page="2"]'), boxOf('[data-field="f1"]')]
    const canvas = document.querySelector<HTMLCanvasElement>('[data-page="2"] .layers canvas')
    return {
      left: (place.left - paper.left) / paper.width,
      top: (place.top - paper.top) / paper.height,
      width: place.width / paper.width,
      height: place.height / paper.height,
      pageWidth: paper.width,
      ratio: (canvas?.width ?? 0) / paper.width,
    }
  })

/** Waits until the second page has so many pixels of its own for each of the style sheet. */
const untilRatio = (page: Page, ratio: number, pageWidth: number) =>
  page.waitForFunction(
    ([expected, width]) => {
      const canvas = document.querySelector<HTMLCanvasElement>('[data-page="2"] .layers canvas')
      const shown = canvas?.getBoundingClientRect().width ?? 0
      return (
        canvas !== null &&
        Math.abs(shown - width) < 1 &&
        Math.abs(canvas.width / shown - expected) < 0.02
      )
    },
    [ratio, pageWidth] as const,
  )

function checkPlace(t: Test, found: Measures, when: string): void {
  const expected = {
    left: FIELD.x / PAPER.width,
    top: FIELD.y / PAPER.height,
    width: FIELD.width / PAPER.width,
    height: FIELD.height / PAPER.height,
  }
  for (const key of ['left', 'top', 'width', 'height'] as const) {
    const isThere = Math.abs(found[key] - expected[key]) < TOLERANCE
    t.ok(isThere, `${when}: ${key} of the field is ${found[key]}, ${expected[key]} expected (S4)`)
  }
}

async function zoomByButtons(t: Test, world: World, tab: Tab, name: string): Promise<void> {
  const { page } = tab
  const scale = await page.evaluate(() => window.devicePixelRatio)
  await openDocument(world, tab)
  await goToNextField(page)
  await page.locator('[data-page="2"] .layers canvas').waitFor()
  const before = await measures(page)
  checkPlace(t, before, name)
  t.ok(Math.abs(before.ratio - scale) < 0.02, `${name}: sharp, ${before.ratio} to ${scale} (S4)`)
  const [smaller, larger] = [button(page, texts.zoomOut), button(page, texts.zoomIn)]
  t.equal(await smaller.getAttribute('aria-disabled'), 'true', 'a size below the screen has no use')
  for (const zoom of [1.5, 2, 3]) {
    await larger.click()
    const most = Math.sqrt(6_291_456 / ((before.pageWidth * zoom) ** 2 * (842 / 595)))
    await t.resolves(
      untilRatio(page, Math.min(scale, most), before.pageWidth * zoom),
      `${name}: at ${zoom} the page is painted anew (S4)`,
    )
    checkPlace(t, await measures(page), `${name} at ${zoom}`)
    t.equal(await page.locator('.page-number').inputValue(), '2', 'the page stays (S4)')
  }
  await look(t, tab, `zoom-${name}`)
  t.equal(await larger.getAttribute('aria-disabled'), 'true', 'the end of the steps is announced')
  // What is out of the screen at this size is scrolled to.
  await goToNextField(page)
  await page.locator('[data-field="f1"]:focus').waitFor()
  await t.resolves(
    page.waitForFunction(() => {
      const box = document.querySelector('[data-field="f1"]')?.getBoundingClientRect()
      const { innerWidth, innerHeight } = window
      return !!box && box.left < innerWidth && box.right > 0 && box.top > 0 && box.top < innerHeight
    }),
    `${name}: the next field is brought onto the screen (S5)`,
  )
  for (let step = 0; step < 3; step++) await smaller.click()
  await untilRatio(page, scale, before.pageWidth)
  checkPlace(t, await measures(page), `${name} and back`)
}

const SCREENS: Readonly<Record<string, BrowserContextOptions>> = {
  desktop: DEVICES.desktop,
  'desktop at 2': { ...DEVICES.desktop, deviceScaleFactor: 2 },
  phone: DEVICES.phone,
  'phone at 3': { ...DEVICES.phone, deviceScaleFactor: 3 },
}

t.test('larger by buttons: sharp, the fields on their places (S4)', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openWorld(t)
  for (const [name, device] of Object.entries(SCREENS)) {
    const tab = await openTab(browser, device)
    await zoomByButtons(t, world, tab, name)
    await closeTab(t, tab, world.url)
  }
})

t.test(
  "larger by the browser's own means: pinch, Ctrl and wheel (S4)",
  needsChromium,
  async (t) => {
    const browser = await openBrowser(t)
    const world = await openWorld(t)
    const tab = await openTab(browser, DEVICES.phone)
    const { page, context } = tab
    await openDocument(world, tab)
    await goToNextField(page)
    await page.locator('[data-page="2"] .layers canvas').waitFor()
    const devtools = await context.newCDPSession(page)
    await devtools.send('Input.synthesizePinchGesture', { x: 195, y: 300, scaleFactor: 2 })
    const scale = await page.evaluate(() => window.visualViewport?.scale ?? 0)
    t.ok(scale > 1.5, `two fingers make it ${scale} times as large (S4)`)
    checkPlace(t, await measures(page), 'pinched')
    await devtools.detach()
    await closeTab(t, tab, world.url)

    const wide = await openTab(browser, DEVICES.desktop)
    await openDocument(world, wide)
    await goToNextField(wide.page)
    await wide.page.locator('[data-page="2"] .layers canvas').waitFor()
    await wide.page.evaluate(() => {
      window.addEventListener('wheel', ({ ctrlKey, defaultPrevented }) => {
        document.body.dataset.wheel = `${ctrlKey} ${defaultPrevented}`
      })
    })
    await wide.page.mouse.move(640, 400)
    await wide.page.keyboard.down('Control')
    await wide.page.mouse.wheel(0, -100)
    await wide.page.keyboard.up('Control')
    await wide.page.locator('body[data-wheel]').waitFor()
    const prevented = await wide.page.getAttribute('body', 'data-wheel')
    t.equal(prevented, 'true false', 'Ctrl and wheel are left to the browser (S4)')
    await closeTab(t, wide, world.url)
  },
)
