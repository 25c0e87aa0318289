/** Chromium as the people of a case use it: phones and desktops, in their language. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import type axe from 'axe-core'
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core'
import type { Test } from 'tap'
import { buildWeb } from '../../dev/build-web.ts'
import { afterLastFile } from '../../dev/test-suite/teardowns.ts'
import { brokenWords } from './words.ts'

/** Where Debian puts it. */
export const CHROMIUM = '/usr/bin/chromium'
/** The same engine without a window: a tab takes a fifth of the CPU time. It shows no PDFs. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'
const missing = [CHROMIUM, HEADLESS_SHELL].find((program) => !existsSync(program))
/** For tests: says so when it is missing; with CI=true that is a failure of the whole run. */
export const needsChromium = { skip: missing ? `${missing} is missing` : false } as const
/** Screenshots to look at; not stored unless requested. */
const SCREENSHOTS = process.env.SCREENSHOTS
/** Whether to show the browser, slowly, to a person who looks for a fault. */
const hasWindow = process.env.BROWSER_WINDOW === '1'
const WINDOW_PAUSE_MS = 300

const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  hasTouch: true,
  isMobile: true,
}
const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 800 } }
export const DEVICES = { phone: PHONE, desktop: DESKTOP } as const
/** Reached only when something never appears: with ten tests beside it a page needs 20 seconds. */
const STEP_LIMIT_MS = 60_000
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
/** What the tests read of axe, besides its public types. */
type Axe = typeof axe & { _audit: { rules: readonly { id: string; impact: string }[] } }
/** Contrast that is still too low after this time stays so. */
const CONTRAST_LIMIT_MS = 15_000
/** A refusal by the API, which the page shows in its own words. */
const REFUSED = /^Failed to load resource: the server responded with a status of|ERR_INTERNET_DISC/

/** Browsers of this process, by their program. */
const started = new Map<string, Promise<Browser>>()

async function startBrowser(executablePath: string): Promise<Browser> {
  await buildWeb()
  const args = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage']
  // Without a locale of UTF-8 it suggests no file name with letters beyond ASCII.
  const env = { ...process.env, LC_ALL: 'C.UTF-8' }
  const speed = hasWindow ? { headless: false, slowMo: WINDOW_PAUSE_MS } : {}
  const browser = await chromium.launch({ executablePath, args, env, ...speed })
  afterLastFile(() => browser.close())
  return browser
}

/**
 * The browser of this process, with the pages built. Tabs that the test leaves open are closed.
 *
 * @param options whether it opens PDFs in its own viewer
 */
export async function openBrowser(t: Test, { showsPdfs = false } = {}): Promise<Browser> {
  const program = showsPdfs || hasWindow ? CHROMIUM : HEADLESS_SHELL
  const starting = started.get(program) ?? startBrowser(program)
  started.set(program, starting)
  const browser = await starting
  t.teardown(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()))
  })
  return browser
}

export interface Tab {
  context: BrowserContext
  page: Page
  /** Addresses that the page asked for. */
  requests: string[]
  /** What the browser complained of: scripts that broke, policies that were violated. */
  complaints: string[]
}

/** A person's browser, with nothing in it from before. */
export async function openTab(browser: Browser, options: BrowserContextOptions): Promise<Tab> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(STEP_LIMIT_MS)
  const tab: Tab = { context, page, requests: [], complaints: [] }
  context.on('request', (request) => tab.requests.push(request.url()))
  page.on('pageerror', (error) => tab.complaints.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && !REFUSED.test(message.text())) {
      tab.complaints.push(message.text())
    }
  })
  return tab
}

/**
 * Nothing left the origin (S14), and the browser had nothing to complain of. Its own PDF viewer is
 * an extension.
 */
export async function closeTab(t: Test, { context, requests, complaints }: Tab, origin: string) {
  const foreign = requests.filter(
    (url) => !/^(blob|data|chrome|chrome-extension):/.test(url) && !url.startsWith(origin),
  )
  t.same(foreign, [], 'no request leaves the origin (S14)')
  t.same(complaints, [], 'the browser does not complain')
  await context.close()
}

interface Violation {
  id: string
  impact: string
  targets: string[]
}

/** What axe looks at. */
export interface Looked {
  /** Ids of the rules; absent: all. */
  rules?: readonly string[]
  /** Selector of the only element that it looks at; absent: the whole page. */
  within?: string
}

/** Serious and critical findings of axe on what is on the screen (S12). */
export async function findings({ page }: Tab, looked: Looked = {}): Promise<Violation[]> {
  // The policy of the page allows no script from a tag; the debugger may evaluate one. It is
  // larger than all pages together.
  const isThere = await page.evaluate(() => 'axe' in window)
  if (!isThere) await page.evaluate(AXE)
  return page.evaluate(async ({ rules: ids, within }) => {
    const { axe: checker } = window as unknown as { axe: Axe }
    // A finding has the impact of its rule: these rules would cost time and report nothing.
    const { _audit: audit } = checker
    const lesser = audit.rules.filter(({ impact }) => /^(minor|moderate)$/.test(impact))
    const { violations } = await checker.run(within ?? document, {
      resultTypes: ['violations'],
      ...(ids
        ? { runOnly: { type: 'rule', values: [...ids] } }
        : { rules: Object.fromEntries(lesser.map(({ id }) => [id, { enabled: false }])) }),
    })
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, impact, nodes }) => ({
        id,
        impact: String(impact),
        targets: nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`),
      }))
  }, looked)
}

/** Names of the visible buttons and inputs whose border has the colour of the canvas, or none. */
export const withoutBorder = ({ page }: Tab): Promise<string[]> =>
  page.evaluate(() => {
    const canvas = getComputedStyle(document.documentElement).backgroundColor
    return [...document.querySelectorAll<HTMLElement>('.button, .input')]
      .filter((one) => one.checkVisibility())
      .filter((one) => {
        const { borderTopWidth, borderTopColor } = getComputedStyle(one)
        return borderTopWidth === '0px' || borderTopColor === canvas
      })
      .map((one) => one.innerText || one.tagName)
  })

/** Ends what changes for a while, such as colours after a change of the theme. */
const endTransitions = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const animation of document.getAnimations()) {
      const ends = Number.isFinite(animation.effect?.getComputedTiming().endTime)
      if (ends) animation.finish()
    }
  })

/** Waits for a page whose script follows the theme with a class (`/docs`). */
async function followed(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.waitForFunction((scheme) => {
    const { classList } = document.body
    const hasClass = classList.contains('light-mode') || classList.contains('dark-mode')
    return !hasClass || classList.contains(`${scheme}-mode`)
  }, colorScheme)
}

/** Findings of contrast that stay: on a busy machine, colours can begin to change late. */
async function settledContrast(tab: Tab, within: Looked['within']): Promise<Violation[]> {
  const deadlineMs = performance.now() + CONTRAST_LIMIT_MS
  for (;;) {
    await endTransitions(tab.page)
    const found = await findings(tab, { rules: ['color-contrast'], within })
    if (found.length === 0 || performance.now() > deadlineMs) return found
  }
}

/** The same state in the other theme, and in forced colours. */
async function lookInOtherColours(
  t: Test,
  tab: Tab,
  { name, within }: { name: string; within: Looked['within'] },
): Promise<void> {
  const { page } = tab
  const [isDark, isForced] = await page.evaluate(() =>
    ['(prefers-color-scheme: dark)', '(forced-colors: active)'].map(
      (query) => matchMedia(query).matches,
    ),
  )
  const colorScheme = isDark ? 'light' : 'dark'
  await page.emulateMedia({ colorScheme, forcedColors: 'none' })
  await followed(page, colorScheme)
  const found = await settledContrast(tab, within)
  t.same(found, [], `${name}, ${colorScheme}: texts have enough contrast (S12)`)
  await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light', forcedColors: 'active' })
  t.same(await withoutBorder(tab), [], `${name}, forced colours: each button has a border`)
  await page.emulateMedia({ forcedColors: isForced ? 'active' : 'none' })
}

/** Stores a picture of the page when it is asked for. */
async function keepPicture(page: Page, name: string): Promise<void> {
  if (SCREENSHOTS === undefined) return
  mkdirSync(SCREENSHOTS, { recursive: true })
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) })
}

/** The shell does not scroll sideways, and no word is broken. */
export async function checkFit(t: Test, { page }: Tab, name: string): Promise<void> {
  await keepPicture(page, name)
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  t.equal(overflow, 0, `${name}: the shell does not scroll sideways (S1)`)
  t.same(await brokenWords(page), [], `${name}: no word is broken`)
}

/**
 * Looks at a state of the page: axe has no serious finding, and the page fits the screen.
 *
 * @param within of {@link Looked}: axe takes seconds for a page of 2,000 elements
 */
export async function look(
  t: Test,
  tab: Tab,
  name: string,
  { within }: Pick<Looked, 'within'> = {},
): Promise<void> {
  t.same(await findings(tab, { within }), [], `${name}: axe has no serious finding (S12)`)
  await lookInOtherColours(t, tab, { name, within })
  await checkFit(t, tab, name)
}

/** Height of a thing that nothing covers, in the middle of its width. CSS pixels. */
export const uncovered = (page: Page, selector: string) =>
  page.evaluate((selector) => {
    const element = document.querySelector(selector)
    if (!element) throw new Error(`there is no ${selector}`)
    const { left, right, top, bottom } = element.getBoundingClientRect()
    const x = Math.min((left + right) / 2, innerWidth - 1)
    let count = 0
    for (let y = Math.max(0, top); y < Math.min(bottom, innerHeight); y++) {
      const there = document.elementFromPoint(x, y)
      if (there && (element.contains(there) || there.contains(element))) count++
    }
    return count
  }, selector)
