/** `<sigcase-fields>` on a site of a tenant, which has another origin (decision 192). */
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { openWorld, person, type World } from '../conformance/world.ts'
import { CONSOLE_ENGLISH } from '../../web/texts/console-en.ts'
import { CONSOLE_SLOVAK } from '../../web/texts/console-sk.ts'
import { DEVICES, findings, needsChromium, openBrowser, openTab } from './browser.ts'
import { pages } from './cases.ts'
import { openSite, pageWith, type Site } from './sites.ts'

t.setTimeout(300_000)
/** A frame is a page within a page: on busy cores it needs longer than one page. */
const PATIENCE_MS = 90_000

const texts = CONSOLE_ENGLISH
const PEOPLE = [
  { key: 'buyer', name: 'Jana Nová' },
  { key: 'seller', name: 'Peter Kôň' },
]
const RECORDER = `
  window.seen = []
  for (const type of ['ready', 'change', 'failed']) {
    addEventListener(type, ({ target, detail }) => {
      if (target.localName === 'sigcase-fields') seen.push({ type, detail })
    })
  }`

interface SeenEvent {
  type: string
  detail: Record<string, unknown[]>
}
type SiteWindow = Window & { seen: SeenEvent[] }
type Element = HTMLElement & {
  pdf: Uint8Array
  people: typeof PEOPLE
  places: object[]
  signatureFields(person: string): object[]
}

function showEditor(site: Site, world: World, attributes = ''): void {
  site.service = world.url
  site.html = pageWith(`
    <script type="module" src="${world.url}/embed/sigcase-fields.js"></script>
    <h1>Portal</h1><sigcase-fields ${attributes}></sigcase-fields>`)
}

const eventsOf = (page: Page) => page.evaluate(() => (window as unknown as SiteWindow).seen)

async function untilEvent(page: Page, type: string, count = 1): Promise<SeenEvent[]> {
  await page.waitForFunction(
    ([expected, least]) =>
      (window as unknown as SiteWindow).seen.filter((one) => one.type === expected).length >= least,
    [type, count] as const,
  )
  return (await eventsOf(page)).filter((event) => event.type === type)
}

/** The site gives the document and the people to the component. */
async function give(
  page: Page,
  pdf: Uint8Array,
  places: object[] = [],
  people: typeof PEOPLE = PEOPLE,
): Promise<void> {
  await page.evaluate(
    ({ bytes, people, given }) => {
      const element = document.querySelector<Element>('sigcase-fields')
      if (!element) throw new Error('the site has no editor')
      Object.assign(element, { people, places: given, pdf: new Uint8Array(bytes) })
    },
    { bytes: [...pdf], people, given: places },
  )
}

async function openEditor(t: Test, device: keyof typeof DEVICES, attributes = '') {
  const site = await openSite(t, RECORDER)
  const browser = await openBrowser(t)
  const world = await openWorld(t, { EMBEDDING_ORIGINS: site.origin })
  showEditor(site, world, attributes)
  const tab = await openTab(browser, { ...DEVICES[device], locale: 'en-US' })
  tab.page.setDefaultTimeout(PATIENCE_MS)
  await tab.page.goto(site.origin)
  return { site, world, tab, page: tab.page, frame: tab.page.frameLocator('sigcase-fields iframe') }
}

t.test(
  'a site gets the places that people chose, as POST /cases takes them',
  needsChromium,
  async (t) => {
    const { world, tab, page, frame } = await openEditor(t, 'desktop')
    const given = [{ id: 'f1', person: 'seller', page: 2, x: 72, y: 100, width: 150, height: 50 }]
    await give(page, pages(3), given)
    const [ready] = await untilEvent(page, 'ready')
    t.equal(ready?.detail.pages?.length, 3)
    await frame.locator('.sheet canvas').first().waitFor()
    await frame.getByRole('button', { name: 'Jana Nová', exact: true }).click()
    await frame.getByRole('button', { name: texts.fieldAdd(1) }).click()
    const [first] = await untilEvent(page, 'change')
    t.match(first?.detail.places, [
      { id: 'f1', person: 'seller', page: 2, x: 72, y: 100, width: 150, height: 50, unit: 'pt' },
      { person: 'buyer', page: 1, unit: 'pt' },
    ])
    const grip = frame.getByRole('button', { name: texts.fieldOf('Jana Nová', 1) })
    await grip.press('ArrowRight')
    await untilEvent(page, 'change', 2)
    t.same(await findings(tab), [], 'axe has no serious finding, in the site and in the frame')
    const [buyer, seller] = await page.evaluate(() => {
      const element = document.querySelector<Element>('sigcase-fields')
      return ['buyer', 'seller'].map((key) => element?.signatureFields(key) ?? [])
    })
    const participants = [
      person({ signatureFields: buyer }),
      person({ email: 'peter@example.com', signatureFields: seller }),
    ]
    const { status } = await world.asTenant('POST', '/cases', {
      body: { title: 'Contract', validUntil: '2099-01-01T00:00:00Z', participants },
    })
    t.equal(status, 200, 'the API takes the fields as they are')
    const sent = tab.requests.filter((url) => !/^(blob|data):/.test(url))
    t.ok(
      sent.every((url) => /\/(embed|assets|design)\/|localhost/.test(url)),
      'no byte is uploaded',
    )
    await tab.context.close()
  },
)

t.test('the editor works with a finger, in the language of the site', needsChromium, async (t) => {
  const { tab, page, frame } = await openEditor(t, 'phone', 'language="sk"')
  await give(page, pages(1))
  await untilEvent(page, 'ready')
  await frame.getByText(CONSOLE_SLOVAK.fieldsHeading).waitFor()
  t.equal(await page.locator('sigcase-fields iframe').getAttribute('title'), 'Miesta podpisov')
  await frame.locator('.sheet').tap({ position: { x: 120, y: 200 } })
  const [change] = await untilEvent(page, 'change')
  t.match(change?.detail.places, [{ person: 'buyer', page: 1 }])
  t.same(
    tab.complaints.filter((line) => !/favicon/.test(line)),
    [],
    'the browser does not complain',
  )
  await tab.context.close()
})

t.test(
  'a file that cannot be read is reported, and a good one replaces it',
  needsChromium,
  async (t) => {
    const { tab, page, frame } = await openEditor(t, 'desktop')
    await give(page, new TextEncoder().encode('hello'))
    const [failed] = await untilEvent(page, 'failed')
    t.same(failed?.detail, { code: 'PDF_UNREADABLE' })
    await frame.getByText(texts.documentBroken).waitFor()
    await give(page, pages(1))
    await untilEvent(page, 'ready')
    await frame.locator('.sheet canvas').first().waitFor()
    await tab.context.close()
  },
)

t.test('a long document keeps few pages in memory', needsChromium, async (t) => {
  const { tab, page, frame } = await openEditor(t, 'desktop')
  await give(page, pages(40))
  await untilEvent(page, 'ready')
  const [, inner] = page.frames()
  if (!inner) throw new Error('the site has no frame')
  for (const number of [2, 5, 9, 14, 20, 30, 40]) {
    const sheet = frame.locator(`.sheet[data-page="${number}"]`)
    await sheet.evaluate((one) => one.scrollIntoView({ block: 'center', behavior: 'instant' }))
    await sheet.locator('canvas').waitFor()
  }
  const isBounded = page.waitForFunction(() => {
    const element = document.querySelector<HTMLElement>('sigcase-fields')
    element?.style.setProperty('--sigcase-max-height', 'none')
    return element && element.getBoundingClientRect().height <= innerHeight
  })
  await t.resolves(isBounded, 'the frame is not higher than the window')
  const areDropped = inner.waitForFunction(
    () => document.querySelectorAll('.sheet canvas').length <= 3,
  )
  await t.resolves(areDropped)
  await tab.context.close()
})

t.test('a field is added on the page that the view shows', needsChromium, async (t) => {
  const { tab, page, frame } = await openEditor(t, 'desktop')
  await give(page, pages(3))
  await untilEvent(page, 'ready')
  const scrollTo = (number: number, part: number) =>
    frame.locator(`.sheet[data-page="${number}"]`).evaluate((one, share) => {
      const { top, height } = one.getBoundingClientRect()
      scrollBy({ top: top + height * share - innerHeight / 2, behavior: 'instant' })
    }, part)
  for (const [number, part] of [
    [2, 0.5],
    [3, 0.3],
    [2, 0.9],
  ] as const) {
    await scrollTo(number, part)
    const add = frame.getByRole('button', { name: texts.fieldAdd(number) })
    await t.resolves(add.waitFor(), `page ${number}`)
  }
  await frame.getByRole('button', { name: texts.fieldAdd(2) }).click()
  await scrollTo(3, 0.5)
  const add = frame.getByRole('button', { name: texts.fieldAdd(3) })
  await t.resolves(add.waitFor(), 'a field that has the focus does not count out of view')
  await tab.context.close()
})

t.test('many people with long names leave the pages in view', needsChromium, async (t) => {
  const { tab, page, frame } = await openEditor(t, 'phone')
  const names = ['', 'Wolfeschlegelsteinhausenbergerdorff'.repeat(4), 'نور']
  const people = Array.from({ length: 30 }, (_, index) => ({
    key: `p${index}`,
    name: names[index % names.length]!,
  }))
  const place = { page: 1, x: 72, y: 100, width: 150, height: 50 }
  await give(
    page,
    pages(1),
    [
      { id: 'f1', person: 'p0', ...place },
      { id: 'f2', person: 'p1', ...place, y: 120 },
    ],
    people,
  )
  await untilEvent(page, 'ready')
  await frame.getByText(texts.fieldsOverlap('1', 1)).waitFor()
  const unnamed = frame.getByRole('button', { name: texts.personNumber(1), exact: true })
  await t.resolves(unnamed.waitFor(), 'a person without a name has a number')
  const [, inner] = page.frames()
  const size = await inner?.evaluate(() => ({
    share: document.querySelector('.field-tools')!.getBoundingClientRect().height / innerHeight,
    sideways: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  }))
  t.ok(size && size.share < 0.6, `the tools take ${size?.share} of the height`)
  t.equal(size?.sideways, 0, 'nothing scrolls sideways')
  await tab.context.close()
})

t.test('a site that is not registered shows no editor', needsChromium, async (t) => {
  const [site, other] = [await openSite(t, RECORDER), await openSite(t, RECORDER)]
  const browser = await openBrowser(t)
  const world = await openWorld(t, { EMBEDDING_ORIGINS: other.origin })
  showEditor(site, world)
  const tab = await openTab(browser, { ...DEVICES.desktop, locale: 'en-US' })
  await tab.page.clock.install()
  await tab.page.goto(site.origin)
  await tab.page.waitForFunction(() => customElements.get('sigcase-fields') !== undefined)
  await tab.page.clock.runFor(31_000)
  const [failed] = await untilEvent(tab.page, 'failed')
  t.same(failed?.detail, { code: 'NO_ANSWER' })
  t.match(tab.complaints.join(' '), /frame-ancestors/, 'the browser refuses the frame')
  await tab.context.close()
})
