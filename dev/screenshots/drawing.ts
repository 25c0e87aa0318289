/** What the person in the pictures does. */
import type { Page } from 'playwright-core'
import { TEXTS } from '../../web/texts/use-texts.ts'

export const EN = TEXTS.en

/** Presses the button of this name. */
export const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).click()

/** Opens the pad for the first field of the document on the screen. */
export async function openPad(page: Page): Promise<void> {
  await page.locator('.page canvas').first().waitFor()
  await page.locator('.textLayer').first().waitFor()
  await press(page, EN.nextField)
  await page.locator('.pad canvas').waitFor()
}

/** Draws two waves, as a signature. */
export async function drawSignature(page: Page): Promise<void> {
  const box = await page.locator('.pad canvas').boundingBox()
  if (!box) throw new Error('the page has no pad')
  const steps = 60
  const at = (step: number) =>
    [
      box.x + box.width * (0.25 + (0.5 * step) / steps),
      box.y + box.height * (0.55 - 0.3 * Math.sin(step / 3) * (1 - step / steps)),
    ] as const
  await page.mouse.move(...at(0))
  await page.mouse.down()
  for (let step = 1; step <= steps; step++) await page.mouse.move(...at(step))
  await page.mouse.up()
}

/** Puts a drawn signature into the field. */
export async function fillField(page: Page): Promise<void> {
  await openPad(page)
  await drawSignature(page)
  await press(page, EN.useSignature)
  await page.getByText(EN.allFieldsDone).waitFor()
}

/** Goes on from the filled field to the consent. */
export async function openConsent(page: Page): Promise<void> {
  await press(page, EN.finish)
  await page.getByLabel(EN.consentShort).check()
}
