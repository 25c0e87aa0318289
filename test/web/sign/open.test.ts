import t from 'tap'
import { openWorld, person } from '../../conformance/world.ts'
import { buildPdf } from '../../fixtures/pdf.ts'
import { closeTab, DEVICES, needsChromium, openBrowser, openTab } from '../browser.ts'
import { watchCores } from '../../fixtures/busy.ts'
import { field, opened } from '../cases.ts'

t.setTimeout(600_000)

/** Slow 4G as Lighthouse has it. */
const SLOW_4G = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (750 * 1024) / 8,
}
const SLOWER = 4
const FIRST_PAGE_LIMIT_MS = 5_000
const ATTEMPTS = 3

/** 1.2 MB on 14 pages, as a contract with pictures has them. */
const contract = () =>
  buildPdf({
    pages: Array.from({ length: 14 }, () => ({})),
    objects: Array.from({ length: 12 }, () => `<< /Filler (${'x'.repeat(100_000)}) >>`),
  })

t.test('14 pages on slow 4G and a slow phone: the first under 5 s', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openWorld(t)
  const participants = [person({ language: 'en', signatureFields: [field('f1', 1, 300)] })]
  const { participants: invited } = await opened(world, { participants }, contract())
  const { signerUrl } = invited[0]
  let bestMs = Infinity
  const wasBusy: boolean[] = []
  while (bestMs > FIRST_PAGE_LIMIT_MS && wasBusy.length < ATTEMPTS) {
    const tab = await openTab(browser, DEVICES.phone)
    const { page, context } = tab
    const devtools = await context.newCDPSession(page)
    await devtools.send('Network.emulateNetworkConditions', SLOW_4G)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
    const startedMs = Date.now()
    const isBusy = watchCores()
    await page.goto(signerUrl, { waitUntil: 'commit' })
    await page.locator('.page canvas').first().waitFor({ timeout: 60_000 })
    wasBusy.push(isBusy())
    bestMs = Math.min(bestMs, Date.now() - startedMs)
    t.comment(`first page after ${Date.now() - startedMs} ms`)
    const asked = tab.requests.map((url) => new URL(url).pathname)
    const before = asked.slice(
      0,
      asked.findIndex((path) => path.endsWith('/caseDefinition')),
    )
    t.ok(
      before.some((path) => /pdf-[\w-]+\.js$/.test(path)),
      'the reader loads with the shell',
    )
    t.ok(
      before.some((path) => /pdf\.worker/.test(path)),
      'and so does its worker',
    )
    await devtools.detach()
    await closeTab(t, tab, world.url)
  }
  const isJudged = bestMs < FIRST_PAGE_LIMIT_MS || wasBusy.includes(false)
  if (!isJudged) return t.comment('the machine was busy each time: the time is not judged')
  return t.ok(bestMs < FIRST_PAGE_LIMIT_MS, `the first page after ${bestMs} ms`)
})
