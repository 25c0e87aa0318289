/** States of the console in forced colours and on a wide screen. */
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { person } from '../../conformance/world.ts'
import { closeTab, look, needsChromium, type Tab } from '../browser.ts'
import { button, opened, pages } from '../cases.ts'
import { fakeCases, fakeWebhooks } from './lists.ts'
import { openDesk, texts } from './desk.ts'

t.setTimeout(600_000)

const FORCED = {
  viewport: { width: 1280, height: 800 },
  forcedColors: 'active',
  colorScheme: 'dark',
} as const
const WIDE = { viewport: { width: 1920, height: 1080 } } as const
/** The widest column of the pages. */
const MAXIMUM_WIDTH = 1180

interface State {
  name: string
  /** The page after `/console`. */
  hash: string
  /** Brings the page into the state. */
  show(page: Page): Promise<unknown>
  /** Looks at what depends on forced colours. */
  check?(t: Test, tab: Tab): Promise<void>
}

const STATES: readonly State[] = [
  { name: 'cases', hash: '#/cases', show: (page) => page.locator('.case-row').first().waitFor() },
  {
    name: 'new-case',
    hash: '#/new',
    async show(page) {
      const file = { name: 'New.pdf', mimeType: 'application/pdf', buffer: Buffer.from(pages(1)) }
      await page.locator('input[type=file]').setInputFiles(file)
      await button(page, texts.fieldAdd(1)).click()
      await page.locator('.field-grip').first().waitFor()
    },
    async check(t, tab) {
      const paper = await styleOf(tab, '.sheet', 'background-color')
      t.equal(paper, 'rgb(255, 255, 255)', 'a page that is not painted yet is white')
      t.equal(await styleOf(tab, '.field-grip', 'color'), 'rgb(16, 21, 26)', 'names are dark on it')
    },
  },
  {
    name: 'devices',
    hash: '#/devices',
    async show(page) {
      await page.getByLabel(texts.deviceName).fill('Reception')
      await button(page, texts.deviceRegister).click()
      await page.locator('.pairing-code').waitFor()
    },
  },
  {
    name: 'webhooks',
    hash: '#/webhooks',
    show: (page) => button(page, texts.showMore).waitFor(),
  },
  {
    name: 'statistics',
    hash: '#/statistics',
    show: (page) => page.getByRole('heading', { name: texts.measures.undelivered }).waitFor(),
  },
]

/** Opens a state of the page. */
async function openState({ page }: Tab, url: string, { hash, show }: State): Promise<void> {
  await page.goto(`${url}/console${hash}`)
  await show(page)
}

/** A computed property of the first element that matches. */
const styleOf = ({ page }: Tab, selector: string, property: string, pseudo?: string) =>
  page
    .locator(selector)
    .first()
    .evaluate(
      (one, [name, part]) => getComputedStyle(one, part).getPropertyValue(name ?? ''),
      [property, pseudo],
    )

t.test('forced colours keep what only a colour showed', needsChromium, async (t) => {
  const { world, tab, page } = await openDesk(t, FORCED)
  await fakeWebhooks(page, 6)
  const { id } = await opened(world, { participants: [person({ language: 'en' })] })
  const canvas = await styleOf(tab, 'html', 'background-color')
  for (const state of STATES) {
    await openState(tab, world.url, state)
    const current = await styleOf(tab, 'nav [aria-current=page]', 'border-bottom-color')
    t.not(current, canvas, `${state.name}: the line under the page is visible`)
    const other = await styleOf(tab, 'nav a:not([aria-current])', 'border-bottom-color')
    t.equal(other, canvas, `${state.name}: the other pages have none`)
    await state.check?.(t, tab)
    await look(t, tab, `console-forced-${state.name}`)
  }
  await page.goto(`${world.url}/console#/cases/${id}`)
  await page.locator('.timeline li').first().waitFor()
  t.equal(await styleOf(tab, '.badge', 'border-top-style'), 'solid', 'the status has a border')
  const dot = await styleOf(tab, '.timeline li', 'background-color', '::before')
  t.not(dot, canvas, 'entries of the timeline have a dot')
  await look(t, tab, 'console-forced-case')
  await fakeCases(page, { isCut: false })
  await page.goto(`${world.url}/console#/statistics`)
  await page.locator('.chart rect').first().waitFor({ state: 'attached' })
  t.not(await styleOf(tab, '.chart rect', 'fill'), canvas, 'bars are visible')
  t.not(await styleOf(tab, '.chart text', 'fill'), canvas, 'so are their numbers')
  await look(t, tab, 'console-forced-charts')
  await closeTab(t, tab, world.url)
})

t.test('a screen of 1,920 pixels has lines of a readable length', needsChromium, async (t) => {
  const { world, tab, page } = await openDesk(t, WIDE)
  await fakeWebhooks(page, 6)
  const { id } = await opened(world, { participants: [person({ language: 'en' })] })
  const onCase: State = {
    name: 'case',
    hash: `#/cases/${id}`,
    show: (on) => on.locator('.timeline li').first().waitFor(),
  }
  for (const state of [...STATES, onCase]) {
    await openState(tab, world.url, state)
    const box = await page.locator('.console-main').boundingBox()
    t.ok(box && box.width <= MAXIMUM_WIDTH, `${state.name}: the column is not wider`)
    t.ok(box && Math.abs(box.x * 2 + box.width - WIDE.viewport.width) <= 1, 'it is in the middle')
    await look(t, tab, `console-wide-${state.name}`)
  }
  await closeTab(t, tab, world.url)
})
