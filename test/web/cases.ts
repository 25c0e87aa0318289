/** Cases for the tests of the pages, and what people do on them. */
import type { FrameLocator, Page } from 'playwright-core'
import { person, type Json, type World } from '../conformance/world.ts'
import { buildPdf } from '../fixtures/pdf.ts'
import type { Texts } from '../../web/texts/en.ts'
import { TEXTS } from '../../web/texts/use-texts.ts'
import { waitOnStoppedClock } from './clock.ts'

/** Texts that need no values. */
export type TextName = { [K in keyof Texts]: Texts[K] extends string ? K : never }[keyof Texts]

export const TITLE = 'Zmluva o dielo č. 2026/114 – rekonštrukcia strechy'
export const SENDER = 'Stavby Žilina, s. r. o.'

/** A rectangle of 200 by 60 points. */
export const field = (id: string, page: number, y: number) => ({
  id,
  page,
  x: 72,
  y,
  width: 200,
  height: 60,
  unit: 'pt',
})

/** A document of so many pages, with a text on each. */
export const pages = (count: number) =>
  buildPdf({ pages: Array.from({ length: count }, () => ({})) })

/** A case that waits for its participants. */
export async function opened(
  world: World,
  more: Record<string, unknown> = {},
  document: Uint8Array = pages(3),
): Promise<Json> {
  const created = await world.create({
    title: TITLE,
    sender: { name: SENDER },
    participants: [person({ language: 'sk' })],
    ...more,
  })
  await world.upload(created, document)
  return world.untilStatus(created.case.id, 'IN_PROGRESS')
}

/** Two bows with the mouse, or whatever plays its part. @param within the page or a frame of it */
export async function draw(page: Page, within: Page | FrameLocator = page): Promise<void> {
  const pad = within.locator('.pad canvas')
  await pad.waitFor()
  const box = await pad.boundingBox()
  if (!box) throw new Error('there is nothing to draw on')
  const at = (step: number) =>
    [box.x + 40 + step * 10, box.y + box.height / 2 + 30 * Math.sin(step / 2)] as const
  await page.mouse.move(...at(0))
  await page.mouse.down()
  for (let step = 1; step <= 20; step++) await page.mouse.move(...at(step))
  await page.mouse.up()
}

/** The button of this name. */
export const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })

/** Goes to the next field, and closes the pad that opens there. */
export async function goToNextField(page: Page): Promise<void> {
  await button(page, TEXTS.en.nextField).click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

/** Finishes, agrees and signs, in English. */
export async function signAndConsent(page: Page): Promise<void> {
  await button(page, TEXTS.en.finish).click()
  await page.getByLabel(TEXTS.en.consentShort).check()
  await button(page, TEXTS.en.signDocument).click()
}

/** Longer than a part of a page has to be uncovered. */
const READING_MS = 1_400

/** Scrolls so that this part of a page, from 0 to 1, is in the middle between the bars. */
export const scrollToPart = (page: Page, number: number, part: number) =>
  page.evaluate(
    ([pageNumber, share]) => {
      const box = document.querySelector(`[data-page="${pageNumber}"]`)?.getBoundingClientRect()
      const top = document.querySelector('.tools')?.getBoundingClientRect().height ?? 0
      const bar = document.querySelector('.finish-bar')?.getBoundingClientRect().height ?? 0
      if (!box) throw new Error('the page is not there')
      const middle = top + (window.innerHeight - top - bar) / 2
      window.scrollBy({ top: box.top + box.height * share - middle, behavior: 'instant' })
    },
    [number, part] as const,
  )

/** Looks at each part of a page for as long as a reader at least does; the clock is stopped. */
export async function readPage(page: Page, number: number): Promise<void> {
  await page.locator(`[data-page="${number}"]`).waitFor({ state: 'attached' })
  for (const part of [0.2, 0.5, 0.8]) {
    await scrollToPart(page, number, part)
    await waitOnStoppedClock(page, page.locator(`[data-page="${number}"] .layers canvas`))
    await page.clock.runFor(READING_MS)
  }
}
