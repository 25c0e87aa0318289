/** Reports of views that arrive late and together, as on a busy machine. */
import type { Page } from 'playwright-core'

/** What the script in the page shares with the test. */
interface HeldViews {
  /** How often the browser has reported each element. */
  counts: Map<Element, number>
  release(): void
}

/** Runs in the page, before its scripts. */
function hold(): void {
  const Observer = IntersectionObserver
  const deliveries: (() => void)[] = []
  const views = {
    counts: new Map<Element, number>(),
    isHeld: true,
    release() {
      views.isHeld = false
      for (const deliver of deliveries.splice(0)) deliver()
    },
  }
  globalThis.IntersectionObserver = class extends Observer {
    constructor(callback: IntersectionObserverCallback, options?: IntersectionObserverInit) {
      const entries: IntersectionObserverEntry[] = []
      super((given, observer) => {
        entries.push(...given)
        for (const { target } of given) {
          views.counts.set(target, (views.counts.get(target) ?? 0) + 1)
        }
        const deliver = () => {
          const held = entries.splice(0)
          if (held.length > 0) callback(held, observer)
        }
        if (views.isHeld) deliveries.push(deliver)
        else deliver()
      }, options)
    }
  }
  Object.assign(globalThis, { views })
}

/** Holds back what the browser reports of views, on the pages that open next. */
export const holdViews = (page: Page): Promise<unknown> => page.addInitScript(hold)

/**
 * Scrolls to an element and delivers all reports at once: that it is not in view, and that it is.
 *
 * @param reports how many the element has got by then, from all observers of it
 */
export async function scrollAndRelease(
  page: Page,
  selector: string,
  reports: number,
): Promise<void> {
  const element = page.locator(selector)
  await element.waitFor({ state: 'attached' })
  const isReported = (expected: number) =>
    page.waitForFunction(
      ([selector, expected]) => {
        const { views } = globalThis as unknown as { views: HeldViews }
        return (views.counts.get(document.querySelector(selector)!) ?? 0) >= expected
      },
      [selector, expected] as const,
    )
  await isReported(reports / 2)
  await element.evaluate((one) => one.scrollIntoView({ block: 'center', behavior: 'instant' }))
  await isReported(reports)
  await page.evaluate(() => (globalThis as unknown as { views: HeldViews }).views.release())
}
