import { Buffer } from 'node:buffer'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { openWorld, person, type Json, type World } from '../conformance/world.ts'
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
import { button, field, opened, signAndConsent } from './cases.ts'

t.setTimeout(170_000)

const texts = TEXTS.en
type Point = readonly [x: number, y: number]

async function openDialog(world: World, { page }: Tab): Promise<void> {
  const participants = [person({ language: 'en', signatureFields: [field('f1', 1, 300)] })]
  const { participants: invited } = await opened(world, { participants })
  await page.goto(invited[0].signerUrl)
  await page.locator('.page canvas').first().waitFor()
  await button(page, texts.nextField).click()
  await page.locator('[data-field="f1"]').press('Enter')
  await page.locator('.pad canvas').waitFor()
}

/** A line with the mouse, from the top left of the pad, CSS pixels. */
async function line(page: Page, points: readonly Point[]): Promise<void> {
  const box = await page.locator('.pad canvas').boundingBox()
  if (!box) throw new Error('there is nothing to draw on')
  const [first = [0, 0], ...others] = points
  await page.mouse.move(box.x + first[0], box.y + first[1])
  await page.mouse.down()
  for (const [x, y] of others) await page.mouse.move(box.x + x, box.y + y, { steps: 4 })
  await page.mouse.up()
}

/** The same with a finger. */
async function stroke({ page, context }: Tab, points: readonly Point[]): Promise<void> {
  const box = await page.locator('.pad canvas').boundingBox()
  if (!box) throw new Error('there is nothing to draw on')
  const devtools = await context.newCDPSession(page)
  for (const [index, [x, y]] of points.entries()) {
    const type = index === 0 ? 'touchStart' : 'touchMove'
    const touchPoints = [{ x: box.x + x, y: box.y + y }]
    await devtools.send('Input.dispatchTouchEvent', { type, touchPoints })
  }
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await devtools.detach()
}

/** What is drawn on the pad: where, CSS pixels, and with how many pixels. */
const ink = (page: Page) =>
  page.locator('.pad canvas').evaluate((element: HTMLCanvasElement) => {
    const { width, height, clientWidth } = element
    const ratio = width / clientWidth
    const { data } = element.getContext('2d')?.getImageData(0, 0, width, height) ?? { data: [] }
    const [xs, ys]: [number[], number[]] = [[], []]
    for (let at = 0; at < width * height; at++) {
      if (data[4 * at + 3] === 0) continue
      xs.push((at % width) / ratio)
      ys.push(Math.floor(at / width) / ratio)
    }
    const least = (all: number[]) => all.reduce((a, b) => Math.min(a, b), Infinity)
    const most = (all: number[]) => all.reduce((a, b) => Math.max(a, b), -Infinity)
    return {
      pixels: xs.length,
      ratio,
      left: least(xs),
      right: most(xs),
      top: least(ys),
      bottom: most(ys),
    }
  })

const SLIPS: Readonly<Record<string, readonly Point[]>> = {
  'a dot': [[90, 60]],
  'a dot that trembled': [
    [90, 60],
    [92, 61],
  ],
  'a tick': [
    [90, 60],
    [98, 70],
    [116, 42],
  ],
}
const LONG: readonly Point[] = [
  [60, 40],
  [160, 90],
  [220, 40],
]
const SECOND: readonly Point[] = [
  [240, 100],
  [300, 40],
]

async function refuseSlips(t: Test, tab: Tab): Promise<void> {
  const { page } = tab
  const [use, clear, undo] = [texts.useSignature, texts.drawClear, texts.drawUndo].map((name) =>
    button(page, name),
  ) as [ReturnType<typeof button>, ReturnType<typeof button>, ReturnType<typeof button>]
  for (const [name, points] of Object.entries(SLIPS)) {
    await line(page, points)
    t.ok((await ink(page)).pixels > 0, `${name} is on the pad`)
    await use.click()
    await t.resolves(page.getByText(texts.drawEmpty).waitFor(), `${name} is refused (S6)`)
    t.equal(await page.getByRole('alert').filter({ hasText: texts.drawEmpty }).count(), 1)
    await clear.click()
    t.equal((await ink(page)).pixels, 0, 'cleared (S6)')
    await use.click()
    await t.resolves(page.getByText(texts.drawEmpty).waitFor(), 'nothing is refused (S6)')
  }
  await look(t, tab, 'draw-refused')
  t.equal(await undo.getAttribute('aria-disabled'), 'true', 'there is nothing to undo')
}

async function undoAndTurn(t: Test, tab: Tab): Promise<void> {
  const { page } = tab
  const undo = button(page, texts.drawUndo)
  const scale = await page.evaluate(() => window.devicePixelRatio)
  await line(page, LONG)
  const one = await ink(page)
  t.ok(Math.abs(one.ratio - scale) < 0.02, `the pad is sharp: ${one.ratio} to ${scale} (S6)`)
  t.ok(Math.abs(one.left - 60) < 5 && Math.abs(one.right - 220) < 5, 'ink where the pen was (S6)')
  await line(page, SECOND)
  t.ok((await ink(page)).right > 290, 'two strokes')
  await undo.click()
  t.same(await ink(page), one, 'undo takes the last stroke and no other (S6)')
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  await page.setViewportSize({ width: height, height: width })
  const turned = page.locator('.pad canvas')
  await page.waitForFunction(
    ([w, ratio]) => {
      const canvas = document.querySelector<HTMLCanvasElement>('.pad canvas')
      return canvas?.width === Math.round((canvas?.clientWidth ?? 0) * ratio) && innerWidth === w
    },
    [height, scale] as const,
  )
  t.ok((await ink(page)).pixels > 0, 'turned, the drawing is there (S6)')
  await page.setViewportSize({ width, height })
  await turned.waitFor()
  await page.waitForFunction((wanted) => innerWidth === wanted, width)
  const size = async () => {
    const { right, bottom } = await ink(page)
    return Math.abs(right - one.right) < 2 && Math.abs(bottom - one.bottom) < 2
  }
  for (let tried = 0; tried < 40 && !(await size()); tried++) await page.waitForTimeout(50)
  t.ok(await size(), 'turned back, the drawing is as large as it was (S6)')
  await page.getByRole('tab', { name: texts.type }).click()
  await page.getByRole('tab', { name: texts.draw }).click()
  await page.locator('.pad canvas').waitFor()
  for (let tried = 0; tried < 40 && !(await size()); tried++) await page.waitForTimeout(50)
  t.ok(await size(), 'the drawing is kept while another way is looked at')
  await button(page, texts.useSignature).click()
  await page.getByText(texts.allFieldsDone).waitFor()
  const corner = await page.locator('.field img').evaluate(async (image: HTMLImageElement) => {
    await image.decode()
    const canvas = document.createElement('canvas')
    const context = canvas.getContext('2d')
    context?.drawImage(image, 0, 0)
    return context?.getImageData(0, 0, 1, 1).data[3]
  })
  t.equal(corner, 0, 'the ground is transparent (S6)')
}

t.test('a drawing: slips, undo, clear, a turned screen (S6)', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openWorld(t)
  for (const device of [DEVICES.phone, { ...DEVICES.desktop, deviceScaleFactor: 3 }]) {
    const tab = await openTab(browser, device)
    await openDialog(world, tab)
    await refuseSlips(t, tab)
    await undoAndTurn(t, tab)
    await closeTab(t, tab, world.url)
  }
})

t.test('a finger draws and scrolls nothing (S6)', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openWorld(t)
  const tab = await openTab(browser, DEVICES.phone)
  const { page } = tab
  await openDialog(world, tab)
  const before = await page.evaluate(() => window.scrollY)
  const down: readonly Point[] = Array.from({ length: 12 }, (_, step) => [150, 10 + 16 * step])
  await stroke(tab, down)
  const { top, bottom } = await ink(page)
  t.ok(bottom - top > 150, `a line of ${bottom - top} pixels (S6)`)
  t.equal(await page.evaluate(() => window.scrollY), before, 'the page does not scroll (S6)')
  await button(page, texts.useSignature).click()
  await page.getByText(texts.allFieldsDone).waitFor()
  await look(t, tab, 'draw-finger')
  await closeTab(t, tab, world.url)
})

/** @returns what was sent */
async function signed(page: Page): Promise<Json> {
  await button(page, texts.useSignature).click()
  await page.getByText(texts.allFieldsDone).waitFor()
  const posted = page.waitForRequest((request) => request.url().endsWith('/signature'))
  await signAndConsent(page)
  const sent = (await posted).postDataJSON()
  await page.getByText(texts.doneHeading).waitFor()
  return sent
}

t.test('a typed name and a photograph are sent as pictures (S6)', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openWorld(t)
  for (const device of [DEVICES.phone, DEVICES.desktop]) {
    const tab = await openTab(browser, device)
    const { page } = tab
    await openDialog(world, tab)
    await page.getByRole('tab', { name: texts.type }).click()
    const name = page.getByLabel(texts.typeLabel)
    t.equal(await name.inputValue(), 'Jana Nováková', 'the name is there (S6)')
    const preview = page.getByAltText(texts.typePreview)
    const first = await preview.getAttribute('src')
    await name.fill('  ')
    await button(page, texts.useSignature).click()
    await t.resolves(page.getByText(texts.typeEmpty).waitFor(), 'no name is refused (S6)')
    await name.fill('J. Nováková')
    await preview.waitFor()
    t.not(await preview.getAttribute('src'), first, 'the preview follows what is typed (S6)')
    await look(t, tab, 'typed')
    t.match((await signed(page)).encodedSignature, /^data:image\/png;base64,/, 'sent (S6)')

    await openDialog(world, tab)
    await page.getByRole('tab', { name: texts.upload }).click()
    await button(page, texts.useSignature).click()
    await t.resolves(page.getByText(texts.uploadEmpty).waitFor(), 'no picture is refused (S6)')
    const photograph = await page.evaluate(() => {
      const canvas = Object.assign(document.createElement('canvas'), {
        width: 3_000,
        height: 1_500,
      })
      const context = canvas.getContext('2d')
      for (let x = 0; x < 3_000; x += 10) {
        if (context) context.fillStyle = `hsl(${x % 360} 60% 60%)`
        context?.fillRect(x, 0, 10, 1_500)
      }
      return canvas.toDataURL('image/jpeg')
    })
    const buffer = Buffer.from(photograph.split(',')[1] ?? '', 'base64')
    const file = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer }
    await page.getByLabel(texts.uploadLabel).setInputFiles(file)
    const shown = page.getByAltText(texts.uploadPreview)
    await shown.waitFor()
    const width = await shown.evaluate((image: HTMLImageElement) => image.naturalWidth)
    t.equal(width, 960, 'scaled down to 960 by 480 before it is sent (S6)')
    t.match((await signed(page)).encodedSignature, /^data:image\/jpeg;base64,/, 'sent (S6)')
    await closeTab(t, tab, world.url)
  }
})
