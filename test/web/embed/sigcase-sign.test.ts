/** The signing page in real frames of other sites (decision 192). */
import t from 'tap'
import type { Download, FrameLocator, Page } from 'playwright-core'
import { openWorld, person, type Json, type World } from '../../conformance/world.ts'
import { TEXTS } from '../../../web/texts/use-texts.ts'
import { DEVICES, findings, needsChromium, openBrowser, openTab, type Tab } from '../browser.ts'
import { draw, opened } from '../cases.ts'
import { openSite, pageWith, type Site } from '../sites.ts'
import { until } from '../../fixtures/until.ts'

t.setTimeout(600_000)
/** A frame is a page within a page: on busy cores it needs longer than one page. */
const PATIENCE_MS = 90_000

const texts = TEXTS.en
const EVENTS = ['ready', 'signed', 'failed'] as const
/** Records what the component dispatches and what any window sends to the site. */
const RECORDER = `
  window.seen = { events: [], messages: [] }
  addEventListener('message', ({ data, origin }) => seen.messages.push({ data, origin }))
  for (const type of ${JSON.stringify(EVENTS)}) {
    addEventListener(type, ({ detail }) => seen.events.push({ type, detail }))
  }`

interface Seen {
  events: { type: string; detail: Record<string, string> }[]
  messages: { data: Record<string, unknown>; origin: string }[]
}

/** The site shows a signing link with the component. */
function showComponent(site: Site, world: World, link: string): void {
  site.service = world.url
  site.html = pageWith(`
    <script type="module" src="${world.url}/embed/sigcase-sign.js"></script>
    <h1>Portal</h1><input aria-label="search" autofocus>
    <sigcase-sign src="${link}"></sigcase-sign>`)
}

const seenBy = (page: Page) => page.evaluate(() => (window as unknown as { seen: Seen }).seen)

async function untilEvent(page: Page, type: (typeof EVENTS)[number]): Promise<void> {
  await page.waitForFunction(
    (expectedType) =>
      (window as unknown as { seen: Seen }).seen.events.some(
        (event) => event.type === expectedType,
      ),
    type,
  )
}

async function inFrame(world: World, more: Record<string, unknown> = {}): Promise<Json> {
  return opened(world, { participants: [person({ language: 'en' })], ...more })
}

async function signWithin(page: Page, frame: FrameLocator): Promise<void> {
  await frame.locator('.page canvas').first().waitFor()
  await frame.locator('[data-field="f1"]').click()
  await draw(page, frame)
  await frame.getByRole('button', { name: texts.useSignature, exact: true }).click()
  await frame.getByRole('button', { name: texts.finish, exact: true }).click()
  await frame.getByLabel(texts.consentShort).check()
  await frame.getByRole('button', { name: texts.signDocument, exact: true }).click()
  await untilEvent(page, 'signed')
}

async function openPatientTab(...args: Parameters<typeof openTab>): Promise<Tab> {
  const tab = await openTab(...args)
  tab.page.setDefaultTimeout(PATIENCE_MS)
  return tab
}

/**
 * The name of the next download. Chromium ends a window that becomes a download, before or after
 * Playwright takes it for a page: then the download is its opener's.
 */
function downloadedName({ page, context }: Tab): Promise<string> {
  return new Promise((resolve) => {
    const name = (download: Download) => resolve(download.suggestedFilename())
    page.on('download', name)
    context.on('page', (popup) => popup.on('download', name))
  })
}

const complaintsOf = ({ complaints }: Tab) => complaints.filter((line) => !/favicon/.test(line))

for (const device of ['desktop', 'phone'] as const) {
  t.test(
    `a participant signs in a frame of a registered site (${device})`,
    needsChromium,
    async (t) => {
      const site = await openSite(t, RECORDER)
      const browser = await openBrowser(t)
      const world = await openWorld(t, { EMBEDDING_ORIGINS: site.origin })
      const { id, participants } = await inFrame(world)
      const [{ id: participantId, signerUrl }] = participants
      showComponent(site, world, signerUrl)
      const tab = await openPatientTab(browser, { ...DEVICES[device], locale: 'en-US' })
      const { page } = tab
      await page.goto(site.origin)
      await untilEvent(page, 'ready')
      t.equal(
        await page.evaluate(() => document.activeElement?.getAttribute('aria-label')),
        'search',
        'the frame does not take the focus',
      )
      const frame = page.frameLocator('sigcase-sign iframe')
      t.equal(await page.locator('sigcase-sign iframe').getAttribute('title'), 'Sign the document')
      await signWithin(page, frame)
      t.same(await findings(tab), [], 'axe has no serious finding, in the site and in the frame')
      const { events, messages } = await seenBy(page)
      const ids = { participantId, caseId: id }
      t.same(events, [
        { type: 'ready', detail: ids },
        { type: 'signed', detail: ids },
      ])
      for (const { data, origin } of messages) {
        t.equal(origin, world.url)
        const members = Object.keys(data).sort()
        const expected =
          data.type === 'resize'
            ? ['height', 'participantId', 'source', 'type']
            : ['caseId', 'participantId', 'source', 'type']
        t.same(members, expected, 'ids and nothing else')
      }
      t.notMatch(JSON.stringify(messages), new RegExp(signerUrl.split('#')[1]), 'no token')
      const viewed = (await world.events(id)).find(({ type }) => type === 'participant.viewed')
      t.same(viewed?.data, { embeddingOrigin: site.origin })
      t.same(complaintsOf(tab), [], 'the browser does not complain')
      await tab.context.close()
    },
  )
}

t.test(
  'the frame is as high as its content, and never higher than the window',
  needsChromium,
  async (t) => {
    const site = await openSite(t, RECORDER)
    const browser = await openBrowser(t)
    const world = await openWorld(t, { EMBEDDING_ORIGINS: site.origin })
    const { participants } = await inFrame(world, { multiFactorType: 'EMAIL' })
    showComponent(site, world, participants[0].signerUrl)
    const tab = await openPatientTab(browser, { ...DEVICES.desktop, locale: 'en-US' })
    const { page } = tab
    await page.goto(site.origin)
    await untilEvent(page, 'ready')
    const frame = page.frameLocator('sigcase-sign iframe')
    await frame.getByRole('button', { name: texts.codeSend }).waitFor()
    const gap = () =>
      frame
        .locator('html')
        .evaluate((root) => window.innerHeight - (root.querySelector('#app')?.clientHeight ?? 0))
    // The frame reports its height, and the component sets it.
    await until(async () => Math.abs(await gap()) <= 2)
    t.ok(Math.abs(await gap()) <= 2, `a step is shown whole: ${await gap()} px differ`)
    await frame.getByRole('button', { name: texts.codeSend }).click()
    await frame.getByLabel(texts.codeLabel).fill(await world.code('jana@example.com'))
    await frame.getByRole('button', { name: texts.codeSubmit }).click()
    await frame.locator('.page canvas').first().waitFor()
    const height = async () =>
      (await page.locator('sigcase-sign iframe').boundingBox())?.height ?? 0
    await until(async () => (await height()) > 600)
    const heightPx = await height()
    t.ok(heightPx > 600 && heightPx <= 720, `${heightPx} px of 800`)
    await tab.context.close()
  },
)

t.test(
  'a site that is not registered shows nothing and learns nothing',
  needsChromium,
  async (t) => {
    const [site, other] = [await openSite(t, RECORDER), await openSite(t, RECORDER)]
    const browser = await openBrowser(t)
    for (const [name, origins] of [
      ['another site is registered', { EMBEDDING_ORIGINS: other.origin }],
      ['embedding is off', {}],
    ] as const) {
      const world = await openWorld(t, origins)
      const { id, participants } = await inFrame(world)
      const link: string = participants[0].signerUrl
      const tab = await openPatientTab(browser, { ...DEVICES.desktop, locale: 'en-US' })
      const { page } = tab
      await page.clock.install()
      showComponent(site, world, link)
      await page.goto(site.origin)
      await page.waitForFunction(() => customElements.get('sigcase-sign') !== undefined)
      await page.clock.runFor(31_000)
      await untilEvent(page, 'failed')
      const { events, messages } = await seenBy(page)
      t.same(events, [{ type: 'failed', detail: { code: 'NO_ANSWER' } }], name)
      t.same(messages, [], name)
      t.match(complaintsOf(tab).join(' '), /frame-ancestors/, 'the browser refuses the frame')

      // The site asks for the page of the registered site, and for the plain page.
      const [, rest = ''] = link.split('/sign/')
      const [participantId, token] = rest.split('#')
      const encoded = encodeURIComponent(other.origin)
      for (const url of [
        `${world.url}/embed/sign/${participantId}?origin=${encoded}#${token}`,
        link,
      ]) {
        tab.complaints.length = 0
        site.html = pageWith(`<iframe src="${url}"></iframe>`)
        await page.goto(site.origin)
        await page.locator('iframe').waitFor()
        await until(() => /frame-ancestors|X-Frame-Options/.test(complaintsOf(tab).join(' ')))
        t.match(complaintsOf(tab).join(' '), /frame-ancestors|X-Frame-Options/, `${name}: ${url}`)
        t.same((await seenBy(page)).messages, [])
      }
      const types = (await world.events(id)).map(({ type }) => type)
      t.notOk(types.includes('participant.viewed'), 'the page did not run')
      await tab.context.close()
    }
  },
)

t.test('a registered site inside another site shows nothing', needsChromium, async (t) => {
  const [site, outer] = [await openSite(t, RECORDER), await openSite(t, RECORDER)]
  const browser = await openBrowser(t)
  const world = await openWorld(t, { EMBEDDING_ORIGINS: site.origin })
  const { id, participants } = await inFrame(world)
  showComponent(site, world, participants[0].signerUrl)
  outer.html = pageWith(`<iframe src="${site.origin}"></iframe>`)
  const tab = await openPatientTab(browser, { ...DEVICES.desktop, locale: 'en-US' })
  await tab.page.goto(outer.origin)
  await tab.page
    .frameLocator('iframe')
    .locator('sigcase-sign iframe')
    .waitFor({ state: 'attached' })
  await until(() => /frame-ancestors/.test(complaintsOf(tab).join(' ')))
  t.match(complaintsOf(tab).join(' '), /frame-ancestors/)
  const types = (await world.events(id)).map(({ type }) => type)
  t.notOk(types.includes('participant.viewed'))
  await tab.context.close()
})

t.test(
  'a link of a tenant that did not register the site opens in its own window',
  needsChromium,
  async (t) => {
    const site = await openSite(t, RECORDER)
    const browser = await openBrowser(t)
    const world = await openWorld(t, { EMBEDDING_ORIGINS: site.origin })
    const { participants } = await inFrame(world)
    showComponent(site, world, participants[0].signerUrl)
    const tab = await openPatientTab(browser, { ...DEVICES.desktop, locale: 'en-US' })
    const { page } = tab
    // On one machine all tenants have the same sites, so the answer of a cluster is played.
    const origins: (string | undefined)[] = []
    await page.route('**/caseDefinition', (route) => {
      origins.push(route.request().headers()['service-embedding-origin'])
      return route.fulfill({ status: 403, json: { code: 'EMBEDDING_NOT_ALLOWED', message: '' } })
    })
    await page.goto(site.origin)
    await untilEvent(page, 'failed')
    const participantId = participants[0].id
    t.same((await seenBy(page)).events, [
      { type: 'failed', detail: { code: 'EMBEDDING_NOT_ALLOWED', participantId } },
    ])
    t.same(origins, [site.origin], 'the page names the site at its first request')
    await page.unroute('**/caseDefinition')
    const frame = page.frameLocator('sigcase-sign iframe')
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      frame.getByRole('link', { name: texts.openInWindow }).click(),
    ])
    await popup.locator('.page canvas').first().waitFor()
    t.equal(popup.url(), participants[0].signerUrl)
    await tab.context.close()
  },
)

t.test(
  'a download opens in a new window, because the site may allow no other frame',
  needsChromium,
  async (t) => {
    const site = await openSite(t, RECORDER)
    const browser = await openBrowser(t)
    const world = await openWorld(t, { EMBEDDING_ORIGINS: site.origin })
    const { participants } = await world.done({ participants: [person({ language: 'en' })] })
    showComponent(site, world, participants[0].signerUrl)
    const tab = await openPatientTab(browser, { ...DEVICES.desktop, locale: 'en-US' })
    const { page } = tab
    await page.goto(site.origin)
    await untilEvent(page, 'signed')
    t.same(
      (await seenBy(page)).events.map(({ type }) => type),
      ['ready', 'signed'],
    )
    const frame = page.frameLocator('sigcase-sign iframe')
    const named = downloadedName(tab)
    await frame.getByRole('button', { name: texts.download }).click()
    t.match(await named, /-signed\.pdf$/)
    await tab.context.close()
  },
)

t.test(
  'links that are not signing links of this service are not opened',
  needsChromium,
  async (t) => {
    const site = await openSite(t, RECORDER)
    const browser = await openBrowser(t)
    const world = await openWorld(t, { EMBEDDING_ORIGINS: site.origin })
    const tab = await openPatientTab(browser, { ...DEVICES.desktop, locale: 'en-US' })
    const { page } = tab
    for (const link of [
      `${site.origin}/sign/x#abc`,
      `${world.url}/sign/x`,
      `${world.url}/sign/x/y#abc`,
      `${world.url}/kiosk#abc`,
      `${world.url}.evil.example/sign/x#abc`,
      'javascript:alert(1)',
    ]) {
      showComponent(site, world, link)
      await page.goto(site.origin)
      await untilEvent(page, 'failed')
      t.same(
        (await seenBy(page)).events,
        [{ type: 'failed', detail: { code: 'LINK_INVALID' } }],
        link,
      )
      t.equal(await page.locator('sigcase-sign iframe').count(), 0)
    }
    await tab.context.close()
  },
)

t.test(
  'the page for frames leads to the plain page outside of frames',
  needsChromium,
  async (t) => {
    const browser = await openBrowser(t)
    const world = await openWorld(t)
    const { participants } = await inFrame(world)
    const tab = await openPatientTab(browser, { ...DEVICES.desktop, locale: 'en-US' })
    await tab.page.goto(participants[0].signerUrl.replace('/sign/', '/embed/sign/'))
    await tab.page.locator('.page canvas').first().waitFor()
    t.equal(tab.page.url(), participants[0].signerUrl)
    await tab.context.close()
  },
)
