/** The console for tests: a signed-in tab. */
import type { BrowserContextOptions } from 'playwright-core'
import type { Test } from 'tap'
import { openFreshWorld, type World } from '../../conformance/world.ts'
import { TENANT } from '../../e2e/harness.ts'
import { CONSOLE_ENGLISH } from '../../../web/texts/console-en.ts'
import { DEVICES, openBrowser, openTab, type Tab } from '../browser.ts'

export const texts = CONSOLE_ENGLISH

/** A one-time code of the local issuer for the tenant of the tests. */
export async function codeFor(world: World): Promise<string> {
  const { json } = await world.ask('POST', '/dev/console/codes', { body: { tenant: TENANT } })
  return json.code
}

/** Opens the console by the link with a code. */
export async function enter({ page }: Tab, world: World): Promise<void> {
  await page.goto(`${world.url}/console#code=${await codeFor(world)}`)
  await page.locator('.console-bar').waitFor()
}

/** A service, and a tab that is signed in to its console. */
export async function openDesk(t: Test, options: BrowserContextOptions = DEVICES.desktop) {
  const browser = await openBrowser(t)
  const world = await openFreshWorld(t)
  const tab = await openTab(browser, { locale: 'en-GB', ...options })
  await enter(tab, world)
  return { browser, world, tab, page: tab.page }
}
