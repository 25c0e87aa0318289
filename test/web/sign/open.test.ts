/** The order in which the signing page loads; `npm run bench -- firstpage` measures the time. */
import t from 'tap'
import { openWorld, person, type World } from '../../conformance/world.ts'
import { TEXTS } from '../../../web/texts/use-texts.ts'
import { closeTab, DEVICES, look, needsChromium, openBrowser, openTab } from '../browser.ts'
import { button, field, opened } from '../cases.ts'

t.setTimeout(600_000)

const texts = TEXTS.en
const READER = /\/assets\/pdf-[\w-]+\.js$/
const WORKER = /\/assets\/pdf\.worker/
const DIALOGS = /\/assets\/dialogs-[\w-]+\.js$/

async function invited(world: World): Promise<string> {
  const participants = [person({ language: 'en', signatureFields: [field('f1', 1, 300)] })]
  return (await opened(world, { participants })).participants[0].signerUrl
}

t.test('the reader loads with the shell, the dialogs after a page', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openWorld(t)
  const tab = await openTab(browser, DEVICES.phone)
  const { page, requests } = tab
  const loaded = page.waitForResponse((response) => DIALOGS.test(response.url()))
  await page.goto(await invited(world), { waitUntil: 'commit' })
  await page.locator('.page canvas').first().waitFor()
  t.equal((await loaded).status(), 200, 'it is loaded before a dialog is opened')
  const first = (pattern: RegExp) => requests.findIndex((url) => pattern.test(url))
  const definition = first(/\/caseDefinition$/)
  t.ok(first(READER) >= 0 && first(READER) < definition, 'the reader loads with the shell')
  t.ok(first(WORKER) >= 0 && first(WORKER) < definition, 'and so does its worker')
  t.ok(first(/document\.pdf/) > definition, 'the document follows')
  t.ok(first(DIALOGS) > first(/document\.pdf/), 'the dialogs do not delay the document')
  await closeTab(t, tab, world.url)
})

t.test('a dialog without its script waits for it and can be closed', needsChromium, async (t) => {
  const browser = await openBrowser(t)
  const world = await openWorld(t)
  const tab = await openTab(browser, DEVICES.phone)
  const { page, context } = tab
  await context.route(DIALOGS, (route) => route.abort('internetdisconnected'))
  await page.goto(await invited(world))
  await page.locator('.page canvas').first().waitFor()
  await button(page, texts.nextField).click()
  const waiting = page.getByRole('dialog', { name: texts.dialogLoading })
  await waiting.waitFor()
  t.equal(await waiting.getByText(texts.loading).count(), 0, 'the document is open already')
  await look(t, tab, 'dialog-missing')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await context.unroute(DIALOGS)
  await button(page, texts.nextField).click()
  const pad = page.getByRole('dialog', { name: texts.dialogHeading })
  await t.resolves(pad.waitFor(), 'opening it again loads it')
  await closeTab(t, tab, world.url)
})
