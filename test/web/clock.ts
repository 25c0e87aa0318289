/** The clock of a page, moved step by step while a test waits for a condition. */
import type { Locator, Page } from 'playwright-core'

/** Reached only when the condition never holds. */
const LIMIT_MS = 60_000

/**
 * Moves the clock of the page in steps until the condition holds. A fixed number of steps would
 * assume that answers of the network arrive between them.
 *
 * @param stepMs small enough that nothing between two steps is missed
 * @throws Error when the condition does not hold within a minute of real time
 */
export async function runClockUntil(
  page: Page,
  stepMs: number,
  condition: () => boolean | Promise<boolean>,
): Promise<void> {
  const deadlineMs = performance.now() + LIMIT_MS
  while (!(await condition())) {
    if (performance.now() > deadlineMs) throw new Error('the condition did not hold in time')
    await page.clock.runFor(stepMs)
  }
}

/** Short: answers of the network and of workers arrive while hardly any time passes on the page. */
const SHORT_MS = 1

/** Waits until something is visible on a page whose clock is stopped. */
export async function waitOnStoppedClock(page: Page, locator: Locator): Promise<void> {
  await runClockUntil(page, SHORT_MS, () => locator.isVisible())
}

/** Opens an address with a clock that only the test moves, from the first script on. */
export async function openStopped(page: Page, url: string): Promise<void> {
  await page.clock.install()
  await stopClock(page)
  await page.goto(url)
}

/**
 * Moves the clock of the page forward and stops it there: from then on only the test moves it.
 *
 * @param inMs longer than the request takes on a busy machine
 */
export async function stopClock(page: Page, inMs = 10_000): Promise<void> {
  await page.clock.pauseAt(await page.evaluate((ms) => Date.now() + ms, inMs))
}
