/** The pictures of the console. */
import { Buffer } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { CONSOLE_ENGLISH as EN } from '../../web/texts/console-en.ts'
import type { Picture, Scene } from './scene.ts'

const DESKTOP = { width: 1100, height: 760 }
const DAY_MS = 24 * 60 * 60 * 1000
/** Days ago when the example cases were created: more in the newer weeks. */
const CREATED_DAYS_AGO = [
  1, 1, 2, 2, 3, 8, 8, 9, 10, 10, 11, 15, 16, 17, 17, 18, 22, 23, 24, 25, 29, 30, 31, 31, 36, 37,
  38, 44, 45, 51,
]
/** Each of so many example cases is not signed yet. */
const OPEN_EACH = 6

/** Signs in, then opens a page of the console. */
async function openConsole(page: Page, scene: Scene, hash: string): Promise<void> {
  await page.goto(await scene.consoleUrl())
  await page.getByRole('button', { name: EN.signOut }).waitFor()
  await page.evaluate((next) => (window.location.hash = next), hash)
}

/** Statistics of a service that began a minute ago are empty: these cases are examples. */
function exampleCase(daysAgo: number, index: number) {
  const createdMs = Date.now() - daysAgo * DAY_MS
  const isDone = index % OPEN_EACH !== 0
  const signedAt = new Date(createdMs + ((index % 5) + 1) * 0.13 * DAY_MS).toISOString()
  return {
    id: randomUUID(),
    title: `Contract ${index}`,
    status: isDone ? 'DONE' : 'IN_PROGRESS',
    created: new Date(createdMs).toISOString(),
    participants: isDone ? [{ firstName: 'Jane', lastName: 'Doe', email: '', signedAt }] : [],
    originalDocument: { size: 1 },
  }
}

async function showStatistics(page: Page, scene: Scene): Promise<void> {
  const cases = CREATED_DAYS_AGO.map(exampleCase)
  await page.route('**/graphql', (route) =>
    route.fulfill({ json: { data: { cases: { cases, nextCursor: null } } } }),
  )
  await openConsole(page, scene, '#/statistics')
  await page.getByRole('heading', { name: EN.measures.undelivered }).waitFor()
}

/** Enters a person and draws a field on the first page. */
async function showNewCase(page: Page, scene: Scene): Promise<void> {
  await openConsole(page, scene, '#/new')
  await page.locator('input[type=file]').setInputFiles({
    name: 'Contract for design work.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from(scene.contract),
  })
  await page.getByLabel(EN.firstName).fill('Jane')
  await page.getByLabel(EN.lastName).fill('Doe')
  await page.getByLabel(EN.email).fill('jane@example.com')
  await page.getByRole('button', { name: EN.fieldAdd(1) }).click()
  await page.getByRole('button', { name: EN.fieldOf('Jane Doe', 1) }).waitFor()
}

/** Registers a kiosk; the one of the picture before is removed first. */
async function showKiosks(page: Page, scene: Scene): Promise<void> {
  await openConsole(page, scene, '#/devices')
  const none = page.getByText(EN.devicesNone)
  const remove = page.getByRole('button', { name: `${EN.deviceRemove}: Reception` })
  await none.or(remove).waitFor()
  if (await remove.isVisible()) {
    await remove.click()
    await page.getByRole('dialog').getByRole('button', { name: EN.deviceRemove }).click()
  }
  await none.waitFor()
  await page.getByLabel(EN.deviceName).fill('Reception')
  await page.getByRole('button', { name: EN.deviceRegister }).click()
  await page.locator('.pairing-code').waitFor()
  await remove.waitFor()
}

export const CONSOLE_PICTURES: readonly Picture[] = [
  {
    name: 'console-cases',
    viewport: { ...DESKTOP, height: 600 },
    async show(page, scene) {
      await openConsole(page, scene, '#/cases')
      await page.locator('.case-row').first().waitFor()
    },
  },
  {
    name: 'console-case',
    viewport: DESKTOP,
    async show(page, scene) {
      await openConsole(page, scene, `#/cases/${scene.caseId}`)
      await page.locator('.timeline').getByText(EN.events['participant.invited']).waitFor()
    },
  },
  { name: 'console-new-case', viewport: DESKTOP, show: showNewCase },
  { name: 'console-statistics', viewport: DESKTOP, show: showStatistics },
  { name: 'console-kiosks', viewport: DESKTOP, show: showKiosks },
]
