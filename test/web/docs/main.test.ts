/** `/docs` in a browser: our name, groups and samples in order, and requests to try out. */
import t, { type Test } from 'tap'
import type { Page } from 'playwright-core'
import { GROUPS } from '../../../api/document/tags.ts'
import { openFreshWorld, type World } from '../../conformance/world.ts'
import { closeTab, DEVICES, look, needsChromium, openBrowser, openTab } from '../browser.ts'

t.setTimeout(600_000)

const LANGUAGES = ['curl', 'TypeScript', 'Python']
/** The script has 4 MB, which a busy machine needs time for. */
const STEP_LIMIT_MS = 60_000
const SIGN = '#tag/sign/POST/participant/{participantId}/signature'
const CREATE_CASE = '#tag/create-and-upload/POST/cases'

/** Selector of an operation; the whole reference is looked at where it begins. */
const sectionOf = (operation: string) => `section[id$="${operation}"]`

/** Opens the reference at an operation. */
async function openAt(page: Page, world: World, hash: string, heading: string): Promise<void> {
  page.setDefaultTimeout(STEP_LIMIT_MS)
  await page.goto(`${world.url}/docs${hash}`)
  await page.getByRole('heading', { name: heading, exact: true }).first().waitFor()
}

/** Sends the request of an operation from the reference. @returns the text of the answer */
async function tryOut(page: Page, operation: string, token?: string): Promise<string> {
  await page.getByRole('button', { name: new RegExp(`test request.*${operation}\\)`, 'i') }).click()
  const dialog = page.getByRole('dialog')
  if (token !== undefined) await dialog.getByPlaceholder('Token').fill(token)
  await dialog.locator('[data-addressbar-action=send]:visible').click()
  await dialog.getByText('200 OK').waitFor()
  const text = await dialog.innerText()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  return text
}

async function checkSamples(t: Test, page: Page): Promise<void> {
  const code = page.locator('.scalar-card').filter({ hasText: 'Test Request' }).first()
  const shown: Record<string, RegExp> = {
    curl: /curl --fail-with-body -X POST/,
    TypeScript: /await client\.createCase\(/,
    Python: /client\.create_case\(/,
  }
  let current = 'curl'
  for (const language of LANGUAGES) {
    await page.getByRole('button', { name: current, exact: true }).first().click()
    t.same(await page.getByRole('option').allInnerTexts(), LANGUAGES)
    await page.getByRole('option', { name: language }).click()
    await code.getByText(shown[language]!).first().waitFor()
    current = language
  }
}

t.test('the reference has our name, the groups in order and samples', needsChromium, async (t) => {
  const world = await openFreshWorld(t)
  const browser = await openBrowser(t)
  const tab = await openTab(browser, DEVICES.desktop)
  const { page } = tab
  await openAt(page, world, '', 'Getting started')
  t.equal(await page.title(), 'sigcase API')
  t.equal(await page.locator('header .brand').innerText(), 'sigcase')
  t.notMatch(await page.locator('body').innerText(), /scalar/i)
  const boxes = await Promise.all(
    GROUPS.map(({ name }) => page.getByText(name, { exact: true }).first().boundingBox()),
  )
  const tops = boxes.map((box) => box?.y ?? Number.NaN)
  t.same(
    tops,
    [...tops].sort((a, b) => a - b),
    'the groups are below each other in the order of the work',
  )
  t.equal(new Set(tops).size, GROUPS.length)
  await look(t, tab, 'reference-desktop')
  await openAt(page, world, CREATE_CASE, 'Create a case')
  await checkSamples(t, page)
  await look(t, tab, 'reference-operation', { within: sectionOf('POST/cases') })
  await closeTab(t, tab, world.url)
})

t.test('requests can be tried out, without and with a token', needsChromium, async (t) => {
  const world = await openFreshWorld(t)
  const browser = await openBrowser(t)
  const tab = await openTab(browser, DEVICES.desktop)
  const { page } = tab
  await openAt(page, world, '#tag/operate/GET/healthz', 'Check whether the process is alive')
  t.match(await tryOut(page, 'get /healthz'), /"status": "ok"/)
  await openAt(page, world, '#tag/wait-and-download/GET/cases', 'List cases')
  t.match(await tryOut(page, 'get /cases', await world.token()), /"cases": \[/)
  await closeTab(t, tab, world.url)
})

/** The first test looks at a light desktop; each look checks contrast in the other theme too. */
t.test('the reference fits a phone, on dark', needsChromium, async (t) => {
  const world = await openFreshWorld(t)
  const browser = await openBrowser(t)
  const tab = await openTab(browser, { ...DEVICES.phone, colorScheme: 'dark' })
  await openAt(tab.page, world, '', 'Getting started')
  await look(t, tab, 'reference-phone-dark')
  await openAt(tab.page, world, SIGN, 'Sign the document')
  await look(t, tab, 'reference-phone-operation-dark', {
    within: sectionOf('POST/participant/{participantId}/signature'),
  })
  await closeTab(t, tab, world.url)
})
