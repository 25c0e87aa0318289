/** The pictures of the kiosk. */
import type { Page } from 'playwright-core'
import { request } from '../../cli/demo/client.ts'
import { EN, press } from './drawing.ts'
import type { Picture, Scene } from './scene.ts'

const KIOSK = { width: 1280, height: 800 }
const CHANNEL = /\/devices\/[^/]+\/events$/

/** Pairs the page with a new kiosk. @returns the id of the device */
async function pairKiosk(page: Page, { baseUrl, token }: Scene): Promise<string> {
  const { deviceId, token: deviceToken } = await request<{ deviceId: string; token: string }>(
    'registering the kiosk',
    `${baseUrl}/tenant/devices`,
    { token, method: 'POST', body: { name: 'Reception' } },
  )
  await page.goto(`${baseUrl}/kiosk#${deviceToken}`)
  await page.getByText(EN.kioskConnected).waitFor()
  return deviceId
}

/** Hands a case to the kiosk, and waits for the greeting. */
async function handOver(page: Page, scene: Scene, deviceId: string): Promise<void> {
  const { baseUrl, token, openCase } = scene
  const { caseId, participantId } = await openCase({ more: { quickSign: true } })
  const url = `${baseUrl}/cases/${caseId}/participants/${participantId}/open`
  await request('handing over the case', url, { token, method: 'POST', body: { deviceId } })
  await page.getByRole('button', { name: EN.kioskYes, exact: true }).waitFor()
}

async function showCase(page: Page, scene: Scene): Promise<void> {
  await handOver(page, scene, await pairKiosk(page, scene))
  await press(page, EN.kioskYes)
  await page.locator('.page canvas').first().waitFor()
  await page.locator('.textLayer').first().waitFor()
}

/** The kiosk page is opened again while its channel cannot be reached. */
async function loseLine(page: Page, scene: Scene): Promise<void> {
  await pairKiosk(page, scene)
  await page.route(CHANNEL, (route) => route.abort('internetdisconnected'))
  await page.reload()
  await page.getByText(EN.kioskLostIdle).waitFor()
}

export const KIOSK_PICTURES: readonly Picture[] = [
  {
    name: 'kiosk-idle',
    viewport: KIOSK,
    show: async (page, scene) => void (await pairKiosk(page, scene)),
  },
  {
    name: 'kiosk-greeting',
    viewport: KIOSK,
    show: async (page, scene) => handOver(page, scene, await pairKiosk(page, scene)),
  },
  { name: 'kiosk-case', viewport: KIOSK, show: showCase },
  { name: 'kiosk-lost', viewport: KIOSK, show: loseLine },
]
