/** Kiosks for the tests: registered, paired, handed a case. */
import { person, type Json, type World } from '../conformance/world.ts'
import { TEXTS } from '../../web/texts/use-texts.ts'
import type { Tab } from './browser.ts'
import { button, draw, field, opened } from './cases.ts'

const texts = TEXTS.en

/** The screen that most kiosks have. */
export const LANDSCAPE = {
  viewport: { width: 1280, height: 800 },
  hasTouch: true,
  locale: 'en-GB',
}

/** A device of the tenant, with its token. */
export const register = async (world: World): Promise<Json> =>
  (await world.asTenant('POST', '/tenant/devices', { body: { name: 'Reception' } })).json

const person1 = (firstName: string) =>
  person({
    firstName,
    email: `${firstName.toLowerCase()}@example.com`,
    language: 'en',
    signatureFields: [field('f1', 1, 300)],
  })

/** A case that waits to be signed on a device. */
export const inPerson = (world: World, firstName = 'Jana', more: object = {}) =>
  opened(world, { quickSign: true, participants: [person1(firstName)], ...more })

/** Opens a case on a device for its only participant. */
export async function handOver(world: World, { id, participants }: Json, { deviceId }: Json) {
  const path = `/cases/${id}/participants/${participants[0].id}/open`
  const { status } = await world.asTenant('POST', path, { body: { deviceId } })
  if (status !== 200) throw new Error(`open answered ${status}`)
}

/** @param token of the device */
export async function pairKiosk({ page }: Tab, world: World, token: string): Promise<void> {
  await page.goto(`${world.url}/kiosk`)
  await page.getByLabel(texts.kioskPairLabel).fill(token)
  await button(page, texts.kioskPairSubmit).click()
  await page.getByText(texts.kioskConnected).waitFor()
}

/** Goes to the next field and draws there. */
export async function drawn({ page }: Tab): Promise<void> {
  await button(page, texts.nextField).click()
  await draw(page)
}

/** Names of what the browser keeps for the page. */
export const storage = ({ page }: Tab) =>
  page.evaluate(() => ({
    local: Object.keys(localStorage).sort(),
    session: Object.keys(sessionStorage),
  }))
